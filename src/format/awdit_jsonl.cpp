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
// file is a piece of its own, parsed from a copy that has one. A few bytes
// behind the end may be read: inputs that are not padded are copied.
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
#include <utility>
#include <vector>

#include "base/parallel.h"
#include "base/utf8.h"
#include "format/json_text.h"
#include "format/jsonl_piece.h"
#include "format/pieces.h"
#include "format/repeated_id.h"
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
  const std::string text = padded_line(bytes.substr(offset, end - offset));
  Builder builder({});
  JsonlLine line(builder.add_shard());
  if (line.parse(text.data()) == nullptr || !line.is_header) {
    return std::nullopt;
  }
  return line.header;
}

// What stands at `offset`, for messages.
std::string found_json(std::string_view bytes, std::size_t offset) {
  if (offset < bytes.size()) {
    if (bytes[offset] == '"') {
      const std::string_view text = bytes.substr(offset, 26);
      const std::size_t end = text.find_first_of("\"\\\n", 1);
      if (end == std::string_view::npos || text[end] != '"') return "a text";
      return visible(text.substr(0, end + 1));
    }
    if (bytes[offset] == '[') return "a list";
    if (bytes[offset] == '{') return "an object";
  }
  return found_at(bytes, offset);
}

// REQUIRES: the piece has a mistake.
std::string message_of(const Piece& piece) {
  if (!piece.mistake.message.empty()) return piece.mistake.message;
  return fmt::format("expected {}, found {}", piece.mistake.wanted,
                     found_json(piece.input->bytes(), piece.at.offset));
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
      // No more pieces than threads: a text is named in each that it is in.
      const LinePieces cut = cut_at_lines(bytes, std::size_t{threads});
      for (const auto& [from, to] : cut.whole) {
        pieces_.push_back({f, &input, from, to});
      }
      if (cut.tail == bytes.size()) continue;
      Piece piece{f, &input, cut.tail, bytes.size(),
                  padded_line(bytes.substr(cut.tail))};
      if (!parses(piece.tail)) {
        std::string whole = completed(piece.tail);
        piece.completed = !whole.empty();
        if (piece.completed) piece.tail = std::move(whole);
      }
      pieces_.push_back(std::move(piece));
    }
    std::vector<std::size_t> operations;
    for (Piece& piece : pieces_) {
      piece.shard = &builder_.add_shard();
      operations.push_back(piece.estimate_ops());
    }
    builder_.reserve(operations);
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
    return line.parse(text.data()) != nullptr;
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
      std::string whole = padded_line(std::string(line.substr(0, comma)) +
                                      ",null],\"status\":\"unknown\"}");
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
      if (piece.mistake.at != nullptr) {
        blame(piece.at, message_of(piece), piece.hint);
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
    std::vector<NamedTxn> seen;
    std::vector<Spot> spots;
    Builder names({});
    JsonlLine line(names.add_shard());
    for (const Piece& piece : pieces_) {
      piece.for_each_line(
          line, [&](const char* start, const char* next, std::uint32_t) {
            if (next != nullptr && !line.is_header && !line.is_about) {
              seen.push_back({line.txn.session, line.txn.id});
              spots.push_back(piece.spot(start));
            }
            return true;
          });
    }
    spots.push_back({0, 0});
    const Spot second = spots[first_repeated(seen)];
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
  if (const auto padded = padded_copies(files)) {
    return parse_awdit_jsonl(*padded, threads);
  }
  return Parser(files).run(threads);
}

}  // namespace awdit
