// awdit-jsonl: our own recording format, one transaction per line of JSON. See
// docs/formats/awdit-jsonl.md.
//
// Idea: as with plume, files are cut at line ends into pieces that threads
// parse on their own, one pass over each line (format/jsonl_line.h), straight
// into the builder's shards. What concerns several lines (that all have ids or
// none, that lists and single values do not mix) is noted per piece and judged
// at the end; of all mistakes the first in the input is reported, so that
// threads do not matter.
// Invariant: a piece ends with a newline; what follows the last newline of a
// file is a piece of its own, parsed from a copy that has one.
//
// A recorder writes a transaction in two strokes: before it commits, up to
// `"times":[BEGIN,`; the rest when it knows how that went. If it dies between
// them, the last line is cut off there: the transaction may have committed, and
// others may have read its writes, so it is completed as one of unknown outcome
// rather than left out. Files that were mapped have zeros behind their end.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/parallel.h"
#include "format/json_text.h"
#include "format/jsonl_piece.h"
#include "format/pieces.h"
#include "format/rows.h"
#include "format/text_place.h"
#include "history/builder.h"

namespace awdit {
namespace {

using Piece = JsonlPiece;
using Spot = JsonlSpot;

constexpr std::string_view kListHint =
    "Histories of lists hold [\"append\",k,v] and [\"r\",k,[...]]; all "
    "others [\"w\",k,v] and [\"r\",k,v].";

// The header of the file, if it has one that can be read; if it cannot, the
// piece that begins the file says why.
std::optional<JsonlHeader> find_header(const Input& file, std::size_t& offset) {
  const std::string_view bytes = file.bytes();
  offset = bytes.find_first_not_of(" \t\r\n", byte_order_mark(bytes));
  if (offset == std::string_view::npos) return std::nullopt;
  const std::size_t end = bytes.find('\n', offset);
  const std::string text =
      std::string(bytes.substr(offset, end - offset)) + '\n';
  Builder builder({});
  JsonlLine line(builder.add_shard());
  if (line.parse(text.data()) == nullptr || !line.is_header) {
    return std::nullopt;
  }
  return line.header;
}

class Parser {
 public:
  explicit Parser(std::span<const Input> files)
      : files_(files),
        builder_({.initial_value = Atom::nil(),
                  .has_txn_lines = files.size() == 1}) {}

  Result<History> run(unsigned threads) {
    if (Outcome failed = find_headers()) return *failed;
    cut(threads);
    const bool no_clock = header_ && header_->clock == Clock::none;
    parallel_for(pieces_.size(), threads, [&](std::size_t i, unsigned) {
      pieces_[i].parse({.only_file = files_.size() == 1,
                        .no_clock = no_clock,
                        .domain = domain_of(pieces_[i].file)});
    });
    drop_cut_off();
    if (Outcome failed = judge()) return *failed;
    Result<History> history = builder_.finish(threads);
    if (history && history->num_txns() != txns_) return twice();
    return history;
  }

 private:
  // Files without a header go by that of the others.
  Outcome find_headers() {
    for (const Input& file : files_) {
      std::size_t offset = 0;
      const std::optional<JsonlHeader>& header =
          headers_.emplace_back(find_header(file, offset));
      if (!header) continue;
      if (header_ && !header_->agrees(*header)) {
        return error_at(file, offset,
                        "this header differs from that of another file",
                        std::string(kJsonlHeaderHint));
      }
      shared_domain_ = !header_ || shared_domain_ == header->domain
                           ? header->domain
                           : std::nullopt;
      header_ = header;
      for (const JsonlHeader::Relation& relation : header->relations) {
        builder_.relate_clocks(relation.from, relation.to, relation.offset,
                               relation.error);
      }
    }
    return std::nullopt;
  }

  // Whose clock the times of the file are of, if that is said.
  const std::optional<std::string>& domain_of(std::size_t file) const {
    return headers_[file] ? headers_[file]->domain : shared_domain_;
  }

  void cut(unsigned threads) {
    for (std::size_t f = 0; f < files_.size(); ++f) {
      const Input& input = files_[f];
      const std::string_view bytes = text_of(input);
      const LinePieces cut = cut_at_lines(bytes, std::size_t{threads} * 8);
      for (const auto& [from, to] : cut.whole) {
        pieces_.push_back({f, &input, from, to});
      }
      if (cut.tail == bytes.size()) continue;
      Piece piece{f, &input, cut.tail, bytes.size(),
                  std::string(bytes.substr(cut.tail))};
      piece.tail += '\n';
      if (!parses(piece.tail)) {
        std::string whole = completed(piece.tail);
        piece.completed = !whole.empty();
        if (piece.completed) piece.tail = std::move(whole);
      }
      pieces_.push_back(std::move(piece));
    }
    for (Piece& piece : pieces_) piece.shard = &builder_.add_shard();
  }

  // Without the zeros that a mapped file has behind what was written. A stroke
  // that was interrupted may have left zeros before its last bytes.
  static std::string_view text_of(const Input& input) {
    const std::string_view bytes = input.bytes();
    if (bytes.empty() || bytes.back() != '\0') return bytes;
    return bytes.substr(0, bytes.find('\0'));
  }

  static bool parses(const std::string& text) {
    Builder names({});
    JsonlLine line(names.add_shard());
    return line.parse(JsonLine::skip_blanks(text.data())) != nullptr;
  }

  // A line that was cut off behind its operations, with an end; "" if it was
  // not. The mark cannot stand in a text, where quotes have backslashes, but
  // perhaps in what the recorder noted behind it.
  static std::string completed(std::string_view line) {
    constexpr std::string_view kMark = ",\"times\":[";
    for (std::size_t mark = line.find(kMark); mark != std::string_view::npos;
         mark = line.find(kMark, mark + 1)) {
      const std::size_t comma = line.find(',', mark + kMark.size());
      if (comma == std::string_view::npos) return "";
      std::string whole = std::string(line.substr(0, comma)) +
                          ",null],\"status\":\"unknown\"}\n";
      if (parses(whole)) return whole;
    }
    return "";
  }

  // A recorder that was stopped leaves a line without its end.
  void drop_cut_off() {
    for (std::size_t i = 0; i < pieces_.size(); ++i) {
      Piece& piece = pieces_[i];
      if (piece.completed) {
        builder_.warn(fmt::format(
            "the last line of {} is incomplete, as a recorder leaves it that "
            "was stopped during a commit; the outcome of this transaction "
            "counts as unknown.",
            last_name(piece.input->name())));
      }
      if (piece.tail.empty() || piece.mistake.at == nullptr || !follows(i)) {
        continue;
      }
      const char* p = piece.mistake.at;
      const char* const end = piece.end() - 1;
      if (end - p > 3) continue;
      // Of a character of several bytes the first may be the last.
      while (p < end && (static_cast<unsigned char>(*p) & 0x80) != 0) ++p;
      if (p != end) continue;
      piece.mistake = {};
      piece.list_op = piece.register_op = {};
      builder_.warn(fmt::format(
          "the last line of {} is incomplete, as a recorder leaves it that was "
          "stopped; it is left out.",
          last_name(piece.input->name())));
    }
  }

  // Whether the piece before it shows that the file is what it seems to be.
  bool follows(std::size_t i) const {
    if (i == 0 || pieces_[i - 1].file != pieces_[i].file) return false;
    return pieces_[i - 1].txns != 0 || header_.has_value();
  }

  // The first mistake of all, or the settings of the builder.
  Outcome judge() {
    Spot at, list_op, register_op;
    std::string message;
    std::string_view hint;
    const auto blame = [&](Spot spot, std::string what,
                           std::string_view remedy) {
      if (at.known() && at <= spot) return;
      at = spot;
      message = std::move(what);
      hint = remedy;
    };
    const Piece* first = nullptr;
    bool timed = false;
    for (const Piece& piece : pieces_) {
      const JsonLine::Mistake& mistake = piece.mistake;
      if (mistake.at != nullptr) {
        blame(piece.at,
              !mistake.message.empty()
                  ? mistake.message
                  : fmt::format(
                        "expected {}, found {}", mistake.wanted,
                        JsonLine::found(piece.input->bytes(), piece.at.offset)),
              piece.hint);
      }
      if (piece.txns != 0) {
        if (first == nullptr) first = &piece;
        if (piece.ids != first->ids) {
          blame(piece.first_txn, odd_jsonl_id(piece.ids), kJsonlIdHint);
        }
      }
      txns_ += piece.txns;
      for (const std::string& json : piece.about) builder_.about(json);
      timed |= piece.timed;
      list_op = std::min(list_op, piece.list_op);
      register_op = std::min(register_op, piece.register_op);
    }
    if (list_op.known() && register_op.known()) {
      blame(std::max(list_op, register_op),
            "a history holds lists or single values, not both", kListHint);
    }
    if (list_op.known() && header_ && header_->initial != Atom::nil()) {
      blame(list_op, "lists begin empty, so \"initial\" must be null",
            kJsonlHeaderHint);
    }
    if (at.known()) {
      return error_at(files_[at.file], at.offset, std::move(message),
                      std::string(hint));
    }
    if (header_) {
      const std::optional<Atom>& initial = header_->initial;
      builder_.set_initial_value(initial && initial->kind == Atom::Kind::string
                                     ? builder_.string(header_->initial_text)
                                     : initial);
    }
    // A clock that nobody looked at tells nothing: there are no times then, and
    // levels about real time cannot be asked for.
    builder_.set_clock(
        timed
            ? header_.value_or(JsonlHeader{}).clock.value_or(Clock::nanoseconds)
            : Clock::none);
    builder_.set_labels_are_ids(first != nullptr && first->ids);
    return std::nullopt;
  }

  // The builder took two lines for one transaction: finds the second.
  Error twice() const {
    struct Seen {
      Atom session;
      std::int64_t id;
      Spot spot;
    };
    std::vector<Seen> seen;
    Builder names({});
    JsonlLine line(names.add_shard());
    for (const Piece& piece : pieces_) {
      piece.for_each_line(line, [&](const char* start, const char* next,
                                    std::uint32_t) {
        if (next != nullptr && !line.is_header && !line.is_about) {
          seen.push_back({line.txn.session, line.txn.id, piece.spot(start)});
        }
        return true;
      });
    }
    const auto key = [](const Seen& s) {
      return std::tuple(s.session.kind, s.session.bits, s.id);
    };
    std::stable_sort(
        seen.begin(), seen.end(),
        [&](const Seen& a, const Seen& b) { return key(a) < key(b); });
    Spot second;
    for (std::size_t i = 1; i < seen.size(); ++i) {
      if (key(seen[i - 1]) == key(seen[i])) {
        second = std::min(second, seen[i].spot);
      }
    }
    // There are two, unless the file changed meanwhile: then nobody asks where.
    if (!second.known()) second = {0, 0};
    return error_at(files_[second.file], second.offset,
                    "an earlier transaction of this session has the same id",
                    "A line is a whole transaction, and ids are unique within "
                    "a session. Leave them away if there are none.");
  }

  std::span<const Input> files_;
  Builder builder_;
  std::vector<Piece> pieces_;
  std::vector<std::optional<JsonlHeader>> headers_;  // [file]
  std::optional<JsonlHeader> header_;                // what they share
  std::optional<std::string> shared_domain_;         // if all headers agree
  std::uint64_t txns_ = 0;
};

}  // namespace

bool sniff_awdit_jsonl(std::string_view head) {
  const std::string_view name = first_json_key(head, "{");
  return name == kJsonlHeaderFields[0] || name == kJsonlAboutFields[0] ||
         std::find(kJsonlFields.begin(), kJsonlFields.end(), name) !=
             kJsonlFields.end();
}

Result<History> parse_awdit_jsonl(std::span<const Input> files,
                                  unsigned threads) {
  return Parser(files).run(threads);
}

}  // namespace awdit
