// The report as a picture: sessions as lanes, a box per transaction with a row
// per operation, arrows between the operations that justify them, numbered like
// the steps of the proof below. Stands alone: no script, no font, no program at
// run time; follows the reader's light or dark ground.
//
// An arrow to a neighbouring column is one curve between the boxes. A longer
// one would run through boxes, so it takes the alley between two lanes, each on
// a track of its own.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/columns.h"
#include "base/utf8.h"
#include "report/arrows.h"
#include "report/lanes.h"
#include "report/markup.h"
#include "report/rows.h"
#include "tell/tell.h"

namespace awdit {
namespace {

constexpr int kMargin = 24;
constexpr int kLineHeight = 20;
constexpr int kLeastWidth = 760;
constexpr Arrow::Kind kKinds[] = {Arrow::Kind::session, Arrow::Kind::read,
                                  Arrow::Kind::time,    Arrow::Kind::inferred,
                                  Arrow::Kind::missed,  Arrow::Kind::contrast};

constexpr std::string_view kStyle = R"(
 .ground { fill: #ffffff } .ink { fill: #1b222b } .faint { fill: #5c6672 }
 .lane { fill: #f4f6f8 } .box { fill: #ffffff; stroke: #98a2ae }
 .title { fill: #e4eaf1 } .aborted .title { fill: #f6d5de }
 .unknown .title { fill: #f7e6c4 } .wrong { fill: #ffd9d1 }
 .bad { fill: #c02700 } .good { fill: #1a7f37 } .badge { stroke: none }
 .number { fill: #ffffff; font-weight: bold; font-size: 11px }
 text { font: 14px system-ui, "Segoe UI", Helvetica, Arial, sans-serif }
 .mono { font: 12px ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace }
 .strong { font-weight: bold } .head { font-size: 17px; font-weight: bold }
 path.arrow { fill: none; stroke-width: 1.7 }
)";
constexpr std::string_view kDarkStyle =
    R"( @media (prefers-color-scheme: dark) {
 .ground { fill: #14181d } .ink { fill: #e6eaf0 } .faint { fill: #9aa4b1 }
 .lane { fill: #1b2128 } .box { fill: #232a33; stroke: #56616e }
 .title { fill: #303a46 } .aborted .title { fill: #5a2438 }
 .unknown .title { fill: #574217 } .wrong { fill: #6b2a1b }
 .bad { fill: #ff7a5c } .good { fill: #4ac26b } .number { fill: #14181d }
)";

void append_colours(bool dark, Sink& sink) {
  for (const Arrow::Kind kind : kKinds) {
    const ArrowStyle& style = style_of(kind);
    sink.append(
        fmt::format(" .{0} {{ stroke: {1} }} .{0}-tip {{ fill: {1} }}\n",
                    style.name, dark ? style.dark : style.light));
  }
}

class Drawing {
 public:
  explicit Drawing(int width) : width_(width) {}

  int y() const { return y_; }
  void skip(int pixels) { y_ += pixels; }

  // A paragraph; later lines are indented by `hang`.
  void prose(std::string_view text, std::string_view classes, int left = 0,
             int hang = 0) {
    // Pixels of the font for prose, in columns.
    const int room = (width_ - 2 * kMargin - left - hang) * 10 / 74;
    const auto most = static_cast<std::size_t>(std::max(20, room));
    bool first = true;
    for (const std::string& line : word_lines(visible(text), most)) {
      y_ += kLineHeight;
      label(kMargin + left + (first ? 0 : hang), y_ - 5, clipped(line, most),
            classes);
      first = false;
    }
  }

  void label(int x, int y, std::string_view text, std::string_view classes) {
    put("<text x=\"{}\" y=\"{}\" class=\"{}\">{}</text>\n", x, y, classes,
        xml_text(text));
  }

  template <typename... Parts>
  void put(fmt::format_string<Parts...> pattern, Parts&&... parts) {
    fmt::format_to(std::back_inserter(body_), pattern,
                   std::forward<Parts>(parts)...);
  }

  void write(std::string_view title, Sink& sink) const {
    const int height = y_ + kMargin;
    sink.append(
        fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" "
                    "height=\"{1}\" viewBox=\"0 0 {0} {1}\" role=\"img\">\n"
                    "<title>{2}</title>\n<style>",
                    width_, height, xml_text(title)));
    sink.append(kStyle);
    append_colours(false, sink);
    sink.append(kDarkStyle);
    append_colours(true, sink);
    sink.append(" }\n</style>\n<defs>\n");
    for (const Arrow::Kind kind : kKinds) {
      sink.append(fmt::format(
          "<marker id=\"{0}\" viewBox=\"0 0 10 10\" refX=\"9\" refY=\"5\" "
          "markerWidth=\"7\" markerHeight=\"7\" orient=\"auto-start-reverse\">"
          "<path d=\"M0 0L10 5L0 10z\" class=\"{0}-tip\"/></marker>\n",
          style_of(kind).name));
    }
    sink.append(
        fmt::format("</defs>\n<rect width=\"{}\" height=\"{}\" "
                    "class=\"ground\"/>\n",
                    width_, height));
    sink.append(body_);
    sink.append("</svg>\n");
  }

 private:
  int width_;
  int y_ = kMargin - 8;
  std::string body_;
};

std::string dashes(const ArrowStyle& style) {
  if (style.dash.empty()) return "";
  return fmt::format(" stroke-dasharray=\"{}\"", style.dash);
}

// The drawing of one story.
class Scene {
 public:
  Scene(const History& history, const Story& story)
      : history_(history),
        story_(story),
        arrows_(arrows_of(history, story)),
        lanes_(lay_out(history, story, arrows_)) {}

  int width() const { return lanes_.width; }

  void draw(int width, Drawing& to) {
    to.put("<g transform=\"translate({},{})\">\n", kMargin, to.y() + 10);
    for (std::size_t i = 0; i < lanes_.lanes.size(); ++i) {
      const Lane& lane = lanes_.lanes[i];
      if (i % 2 == 0) {
        to.put(
            "<rect y=\"{}\" width=\"{}\" height=\"{}\" rx=\"6\" "
            "class=\"lane\"/>\n",
            lane.y, width - 2 * kMargin, lane.height);
      }
      to.label(12, lane.y + lane.height / 2 + 5, lane.label, "ink strong");
    }
    for (const Box& box : lanes_.boxes) draw_box(box, to);
    for (const Arrow& arrow : arrows_) draw_arrow(arrow, to);
    // Numbers last: nothing may cover them.
    for (const Badge& badge : badges_) {
      to.put(
          "<circle cx=\"{0}\" cy=\"{1}\" r=\"8\" class=\"{2}-tip badge\"/>"
          "<text x=\"{0}\" y=\"{3}\" text-anchor=\"middle\" "
          "class=\"number\">{4}</text>\n",
          badge.x, badge.y, style_of(badge.kind).name, badge.y + 4, badge.step);
    }
    to.put("</g>\n");
    to.skip(lanes_.height + 18);
    draw_legend(width, to);
  }

 private:
  struct Badge {
    int x, y;
    bool along;  // may be moved to the right, along its line
    Arrow::Kind kind;
    std::uint32_t step;
  };

  void draw_box(const Box& box, Drawing& to) {
    const bool init = box.shown == nullptr;
    const Status status = init ? Status::committed : history_.status(box.txn);
    to.put(
        "<g class=\"{}\">\n<rect x=\"{}\" y=\"{}\" width=\"{}\" "
        "height=\"{}\" rx=\"4\" class=\"box\"/>\n",
        name(status), box.x, box.y, box.width, box.height);
    int y = box.y + 4;
    if (!init) {
      to.put(
          "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"3\" "
          "class=\"title\"/>\n",
          box.x + 1, box.y + 1, box.width - 2, kTitleHeight - 2);
      to.label(box.x + 9, box.y + 15, clipped(history_.txn_name(box.txn), 24),
               "mono ink strong");
      if (status != Status::committed) {
        to.put(
            "<text x=\"{}\" y=\"{}\" text-anchor=\"end\" class=\"mono "
            "bad\">{}</text>\n",
            box.x + box.width - 8, box.y + 15, name(status));
      }
      y = box.y + kTitleHeight;
    }
    for (std::size_t i = 0; i < box.rows.size(); ++i) {
      const bool wrong = !init && i < box.shown->ops.size() &&
                         is_contested(story_, box.shown->ops[i].op);
      if (wrong) {
        to.put(
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" "
            "class=\"wrong\"/>\n",
            box.x + 1, y, box.width - 2, kRowHeight - 1);
      }
      to.label(box.x + 9, y + 13, box.rows[i], "mono ink");
      y += kRowHeight;
    }
    to.put("</g>\n");
  }

  // A free track in the alley above a lane; 0 is above the first.
  int track(std::size_t alley) {
    const int used = tracks_[alley]++;
    const int y =
        alley < lanes_.lanes.size() ? lanes_.lanes[alley].y : lanes_.height;
    return y + (used % 2 == 0 ? 1 : -1) * ((used + 1) / 2) * 6;
  }

  void draw_arrow(const Arrow& arrow, Drawing& to) {
    const Box* from = lanes_.box(arrow.from);
    const Box* end = lanes_.box(arrow.to);
    if (from == nullptr || end == nullptr) return;
    const int y1 = from->row_y(arrow.at_from) + (arrow.at_from.valid() ? 2 : 0);
    const int y2 = end->row_y(arrow.at_to) - (arrow.at_to.valid() ? 2 : 0);
    const int right1 = from->x + from->width, right2 = end->x + end->width;
    std::string path;
    Badge badge{0, 0, false, arrow.kind, arrow.step};
    const auto span =
        static_cast<int>(end->column) - static_cast<int>(from->column);
    if (span == 0) {
      const int bulge = std::max(right1, right2) + 26 +
                        5 * (tracks_of_column_[from->column]++ % 4);
      path = fmt::format("M{} {}C{} {} {} {} {} {}", right1, y1, bulge, y1,
                         bulge, y2, right2, y2);
      badge.x = (right1 + 3 * bulge) / 4;
      badge.y = (y1 + y2) / 2;
    } else if (span == 1 || span == -1) {
      const int x1 = span > 0 ? right1 : from->x;
      const int x2 = span > 0 ? end->x : right2;
      // Arrows there and back keep apart.
      const int middle = (x1 + x2) / 2 - span * 9;
      path = fmt::format("M{} {}C{} {} {} {} {} {}", x1, y1, middle, y1, middle,
                         y2, x2, y2);
      badge.x = middle;
      badge.y = (y1 + y2) / 2;
    } else {
      const int sign = span > 0 ? 1 : -1;
      const int x1 = span > 0 ? right1 : from->x;
      const int x2 = span > 0 ? end->x : right2;
      const bool down = end->lane > from->lane;
      const std::size_t alley =
          end->lane == from->lane ? from->lane + 1 : end->lane + (down ? 0 : 1);
      const int y = track(alley);
      const int a = x1 + sign * 34, b = x2 - sign * 34;
      path = fmt::format("M{} {}C{} {} {} {} {} {}L{} {}C{} {} {} {} {} {}", x1,
                         y1, x1 + sign * 22, y1, x1 + sign * 16, y, a, y, b, y,
                         x2 - sign * 16, y, x2 - sign * 22, y2, x2, y2);
      badge.x = std::min(a, b) + std::abs(b - a) * 2 / 5;
      badge.y = y;
      badge.along = true;
    }
    const ArrowStyle& style = style_of(arrow.kind);
    to.put("<path d=\"{}\" class=\"arrow {}\"{} marker-end=\"url(#{})\"/>\n",
           path, style.name, dashes(style), style.name);
    if (badge.step != 0) add_badge(badge);
  }

  // Moves a number until it covers no other.
  void add_badge(Badge badge) {
    for (bool moved = true; moved;) {
      moved = false;
      for (const Badge& other : badges_) {
        if (std::abs(other.x - badge.x) < 17 &&
            std::abs(other.y - badge.y) < 17) {
          (badge.along ? badge.x : badge.y) =
              (badge.along ? other.x : other.y) + 17;
          moved = true;
        }
      }
    }
    badges_.push_back(badge);
  }

  void draw_legend(int width, Drawing& to) {
    int x = kMargin;
    const auto make_room = [&](std::string_view text) {
      const int needed = 38 + static_cast<int>(columns(text)) * 7;
      if (x == kMargin || x + needed <= width - kMargin) return;
      x = kMargin;
      to.skip(kLineHeight);
    };
    to.skip(14);
    for (const Arrow::Kind kind : kKinds) {
      const bool used = std::ranges::any_of(
          arrows_, [&](const Arrow& arrow) { return arrow.kind == kind; });
      if (!used) continue;
      const ArrowStyle& style = style_of(kind);
      make_room(style.meaning);
      to.put(
          "<path d=\"M{} {}h30\" class=\"arrow {}\"{} "
          "marker-end=\"url(#{})\"/>\n",
          x, to.y() - 4, style.name, dashes(style), style.name);
      to.label(x + 38, to.y(), style.meaning, "faint");
      x += 38 + static_cast<int>(columns(style.meaning)) * 7 + 30;
    }
    if (lanes_.left_out != 0) {
      const std::string text = fmt::format(
          "{} left out in the middle", count(lanes_.left_out, "transaction"));
      make_room(text);
      to.label(x, to.y(), text, "faint");
    }
    to.skip(8);
  }

  const History& history_;
  const Story& story_;
  std::vector<Arrow> arrows_;
  Lanes lanes_;
  std::vector<Badge> badges_;
  std::map<std::size_t, int> tracks_;            // alley -> used
  std::map<std::size_t, int> tracks_of_column_;  // column -> used
};

void draw_proof(const Proof& proof, Drawing& to) {
  constexpr std::size_t kEnds = 8;
  const std::size_t n = proof.steps.size();
  for (std::size_t i = 0; i < n; ++i) {
    if (n > 2 * kEnds && i == kEnds) {
      to.prose(fmt::format("… {} …", count(n - 2 * kEnds, "step")), "faint");
      i = n - kEnds;
    }
    to.prose(fmt::format("{}. {}", i + 1, step_text(proof.steps[i])), "ink",
             20 * static_cast<int>(std::min(proof.steps[i].depth, 8u)), 20);
  }
  if (!proof.contradiction.empty()) {
    to.prose(proof.contradiction, "bad strong");
  }
}

}  // namespace

void write_svg(const Subject& subject, const Excerpt& found,
               const ReportOptions& /*options*/, Sink& sink) {
  const History& history = subject.history;
  const Report& report = found.all.report;
  std::vector<Scene> scenes;
  int width = kLeastWidth;
  for (const Story* story : found.told) {
    scenes.emplace_back(history, *story);
    width = std::max(width, scenes.back().width() + 2 * kMargin);
  }
  Drawing drawing(width);
  drawing.prose(clipped(subject.path, 200), "faint");
  drawing.prose(conclusion(report),
                is_clean(report) ? "good strong" : "ink strong");
  if (const std::string text = session_order_sentence(history); !text.empty()) {
    drawing.prose(text, "faint");
  }
  if (is_clean(report)) {
    drawing.prose(extent_sentence(history, report), "ink");
  }
  for (std::size_t i = 0; i < scenes.size(); ++i) {
    const Story& story = *found.told[i];
    drawing.skip(20);
    drawing.prose(story.count == 1 ? story.title
                                   : fmt::format("{} ({} like this)",
                                                 story.title, story.count),
                  "ink head");
    drawing.prose(story.headline, "ink");
    scenes[i].draw(width, drawing);
    drawing.skip(6);
    draw_proof(story.proof, drawing);
    drawing.prose(breaks_sentence(story.breaks, story.keeps), "faint");
  }
  for (const Untold::OfKind& rest : found.untold.list()) {
    drawing.prose(untold_text(rest.violations, rest.kind), "faint");
  }
  drawing.write(
      fmt::format("{}: {}", clipped(subject.path, 200), conclusion(report)),
      sink);
}

void write_error_svg(std::string_view path, const Error& error, Sink& sink) {
  Drawing drawing(kLeastWidth);
  drawing.prose(clipped(path, 200), "faint");
  drawing.prose("No verdict: " + error.message + ".", "bad strong");
  drawing.write(fmt::format("{}: no verdict", clipped(path, 200)), sink);
}

}  // namespace awdit
