// An array of transactions in JSON, cut where something looks like one and read
// by several threads (pieces.h). Private to format/.
//
// What is in a transaction, and what may stand behind one, the format says; the
// rest is the same for all: a piece is a shard, goes on where the next ones are
// forgotten, and counts its lines.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "format/json_text.h"
#include "format/pieces.h"
#include "history/builder.h"

namespace awdit {

// A part of the array, as far as it was read. Formats add what else they want
// to know of it.
struct JsonPiece {
  Builder::Shard* shard = nullptr;
  std::size_t from = 0;
  LineCounter lines{nullptr};
  JsonMistake mistake = {};
  // It came as far as to the end of a transaction: the last bracket of that,
  // since only transactions may begin where another piece does.
  bool behind = false;
  bool forgotten = false;  // another one reads what is in here
};

// Reads transactions into a piece; see PieceReader::read. `transaction` reads
// one. `next` reads what stands behind one: whether another follows; otherwise
// it is the end of the text, or a mistake.
template <typename Transaction, typename Next>
std::size_t read_json_piece(JsonReader& json, std::string_view bytes,
                            std::size_t to, JsonPiece& piece,
                            const Transaction& transaction, const Next& next) {
  json.skip_no_further_than(bytes.data() + to);
  piece.mistake = {};
  for (bool behind = std::exchange(piece.behind, false);; behind = false) {
    auto place = static_cast<std::size_t>(json.at() - bytes.data());
    if (behind) {
      json.move_to(bytes.data() + place + 1);
    } else {
      if (place >= to && to != bytes.size()) return place;
      if (!transaction()) {
        piece.mistake = json.mistake();
        return place;
      }
      json.release_passed();
      place = json.passed() - 1;
    }
    if (next()) continue;
    if (!json.failed()) return bytes.size();
    piece.behind = true;
    piece.mistake = json.mistake();
    return place;
  }
}

// `Piece` is a JsonPiece.
template <typename Piece>
class JsonPieces {
 public:
  // The first transaction begins at `first`; no operation is shorter than
  // `shortest` bytes. `whole`: there is to be one piece only.
  JsonPieces(const JsonText& text, std::size_t first, std::size_t shortest,
             bool whole, Builder& builder)
      : bytes_(text.bytes()), starts_{first} {
    const std::size_t head = json_object_head(bytes_.substr(first));
    if (!whole && head != 0) starts_ = guess_pieces(bytes_, first, head);
    all.resize(starts_.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
      all[i].shard = &builder.add_shard();
      clear(i);
      const std::size_t end =
          i + 1 < starts_.size() ? starts_[i + 1] : bytes_.size();
      all[i].shard->reserve((end - starts_[i]) / shortest + 1);
    }
  }

  std::vector<Piece> all;

  // body(piece, from, to) as PieceReader::read; the piece that failed.
  template <typename Body>
  std::optional<std::size_t> read(unsigned threads, const Body& body) {
    return read_pieces(starts_, bytes_.size(), threads,
                       {[&](std::size_t i, std::size_t from, std::size_t to) {
                          return body(all[i], from, to);
                        },
                        [&](std::size_t i) {
                          clear(i);
                          all[i].forgotten = true;
                        }});
  }

  // As if nothing had been read into the piece.
  void clear(std::size_t i) {
    Builder::Shard* const shard = all[i].shard;
    // Not = {}: clang 14 forgets the destructor of what that makes.
    *shard = Builder::Shard();
    all[i] = {};
    all[i].shard = shard;
    all[i].from = starts_[i];
    // The lines in front of the first transaction count.
    all[i].lines = LineCounter(bytes_.data() + (i == 0 ? 0 : starts_[i]));
  }

  // Tells the shards how many lines they have. To be called at the end.
  void count_lines() {
    std::size_t end = bytes_.size();
    for (std::size_t i = all.size(); i-- > 0;) {
      if (all[i].forgotten) continue;
      all[i].shard->lines = all[i].lines.line_of(bytes_.data() + end);
      end = starts_[i];
    }
  }

 private:
  const std::string_view bytes_;
  std::vector<std::size_t> starts_;
};

}  // namespace awdit
