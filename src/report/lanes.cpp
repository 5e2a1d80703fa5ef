#include "report/lanes.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "base/columns.h"
#include "report/markup.h"
#include "tell/tell.h"

namespace awdit {
namespace {

// Long evidence is shown by its ends.
constexpr std::size_t kMostTxns = 16;
constexpr std::size_t kOpColumns = 36;
constexpr int kLaneGap = 34;    // between boxes of neighbouring lanes
constexpr int kColumnGap = 76;  // room for arrows
constexpr int kLabelWidth = 96;

// How wide a monospaced text is, in pixels.
int text_width(const std::string& text) {
  return static_cast<int>(columns(text)) * 29 / 4;  // 12 px: 7.25 each
}

std::vector<const StoryTxn*> chosen(const Story& story) {
  std::vector<const StoryTxn*> txns;
  const std::size_t n = story.txns.size();
  for (std::size_t i = 0; i < n; ++i) {
    if (n > kMostTxns && i == kMostTxns / 2) i = n - kMostTxns / 2;
    txns.push_back(&story.txns[i]);
  }
  return txns;
}

// Columns by the longest chain of sessions and reads; where these run in a
// circle, the boxes of the circle go by their order in the story.
void choose_columns(std::vector<Box>& boxes, const std::vector<Arrow>& arrows,
                    const History& history) {
  struct Link {
    std::size_t from, to;
  };
  std::map<std::uint32_t, std::size_t> at;
  for (std::size_t i = 0; i < boxes.size(); ++i) at[boxes[i].txn.v] = i;
  std::vector<Link> links;
  const auto link = [&](TxnId from, TxnId to) {
    const auto a = at.find(from.v), b = at.find(to.v);
    if (a != at.end() && b != at.end() && a != b) {
      links.push_back({a->second, b->second});
    }
  };
  for (const Arrow& arrow : arrows) {
    if (arrow.kind == Arrow::Kind::session || arrow.kind == Arrow::Kind::read ||
        arrow.kind == Arrow::Kind::time) {
      link(arrow.from, arrow.to);
    }
  }
  for (const Box& a : boxes) {
    for (const Box& b : boxes) {
      if (history.is_init(a.txn) ||
          (!history.is_init(b.txn) && a.lane == b.lane && a.txn < b.txn)) {
        link(a.txn, b.txn);
      }
    }
  }
  std::vector<bool> placed(boxes.size(), false);
  for (std::size_t round = 0; round < boxes.size(); ++round) {
    std::size_t next = boxes.size();
    std::size_t fewest = links.size() + 1;
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      if (placed[i]) continue;
      // Within its session a box never overtakes.
      bool blocked = false;
      std::size_t waiting = 0;
      for (const Link& l : links) {
        if (l.to != i || placed[l.from]) continue;
        ++waiting;
        blocked = blocked || (boxes[l.from].lane == boxes[i].lane &&
                              boxes[l.from].txn < boxes[i].txn);
      }
      if (!blocked && waiting < fewest) {
        fewest = waiting;
        next = i;
      }
    }
    std::size_t column = 0;
    for (const Link& l : links) {
      if (l.to == next && placed[l.from]) {
        column = std::max(column, boxes[l.from].column + 1);
      }
    }
    boxes[next].column = column;
    placed[next] = true;
  }
}

// Lanes in the order in which they begin, so that arrows mostly point down.
void sort_lanes(Lanes& drawing) {
  std::vector<std::size_t> begins(drawing.lanes.size(), drawing.boxes.size());
  for (const Box& box : drawing.boxes) {
    begins[box.lane] = std::min(begins[box.lane], box.column);
  }
  std::vector<std::size_t> order(drawing.lanes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {},
                           [&](std::size_t lane) { return begins[lane]; });
  std::vector<std::size_t> place(order.size());
  std::vector<Lane> lanes;
  for (std::size_t i = 0; i < order.size(); ++i) {
    place[order[i]] = i;
    lanes.push_back(drawing.lanes[order[i]]);
  }
  drawing.lanes = std::move(lanes);
  for (Box& box : drawing.boxes) box.lane = place[box.lane];
}

}  // namespace

int Box::row_y(OpId op) const {
  if (shown != nullptr && op.valid()) {
    for (std::size_t i = 0; i < shown->ops.size(); ++i) {
      if (shown->ops[i].op == op) {
        return y + kTitleHeight + static_cast<int>(i) * kRowHeight +
               kRowHeight / 2;
      }
    }
  }
  return y + kTitleHeight / 2;
}

const Box* Lanes::box(TxnId txn) const {
  for (const Box& box : boxes) {
    if (box.txn == txn) return &box;
  }
  return nullptr;
}

Lanes lay_out(const History& history, const Story& story,
              const std::vector<Arrow>& arrows) {
  Lanes result;
  const std::vector<const StoryTxn*> txns = chosen(story);
  result.left_out = story.txns.size() - txns.size();
  std::map<std::uint32_t, std::size_t> lane_of;  // session -> lane
  if (has_init(history, arrows)) {
    result.lanes.push_back({.label = "at first"});
    Box& box = result.boxes.emplace_back();
    box.txn = history.init_txn();
    box.rows = {"initial state"};
  }
  for (const StoryTxn* txn : txns) {
    lane_of.emplace(history.session(txn->txn).v, 0);
  }
  for (auto& [session, lane] : lane_of) {
    lane = result.lanes.size();
    result.lanes.push_back(
        {.label = clipped(history.session_name(SessionId(session)), 12)});
  }
  for (const StoryTxn* txn : txns) {
    Box& box = result.boxes.emplace_back();
    box.txn = txn->txn;
    box.shown = txn;
    box.lane = lane_of[history.session(txn->txn).v];
    for (const Exhibit& exhibit : txn->ops) {
      box.rows.push_back(
          clipped(op_text(history, exhibit.op, exhibit.element), kOpColumns));
    }
    if (txn->omitted != 0) {
      box.rows.push_back("… " + count(txn->omitted, "more operation"));
    }
  }
  choose_columns(result.boxes, arrows, history);
  sort_lanes(result);

  for (Box& box : result.boxes) {
    int wide = box.shown == nullptr
                   ? 0
                   : text_width(clipped(history.txn_name(box.txn), 24)) + 60;
    for (const std::string& row : box.rows) {
      wide = std::max(wide, text_width(row));
    }
    box.width = std::max(wide + 20, 92);
    const bool titled = box.shown != nullptr;
    box.height = (titled ? kTitleHeight : 4) +
                 static_cast<int>(box.rows.size()) * kRowHeight;
    if (box.column >= result.column_width.size()) {
      result.column_width.resize(box.column + 1, 0);
    }
    int& column = result.column_width[box.column];
    column = std::max(column, box.width);
    Lane& lane = result.lanes[box.lane];
    lane.height = std::max(lane.height, box.height);
  }
  int x = kLabelWidth;
  for (const int width : result.column_width) {
    result.column_x.push_back(x);
    x += width + kColumnGap;
  }
  result.width = x - kColumnGap + 56;
  int y = 0;
  for (Lane& lane : result.lanes) {
    lane.y = y;
    lane.height += kLaneGap;
    y += lane.height;
  }
  result.height = y;
  for (Box& box : result.boxes) {
    box.x = result.column_x[box.column];
    box.width = result.column_width[box.column];
    box.y = result.lanes[box.lane].y + kLaneGap / 2;
  }
  return result;
}

}  // namespace awdit
