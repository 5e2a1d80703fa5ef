// Cutting a file into pieces that threads read on their own. Private to
// format/.
//
// Where a record is a line or several, that is easy: cut_at_lines. The rest is
// about files whose records have no separator that could be found from the
// middle: a newline or a brace may be part of a string, of a comment, of a
// value.
//
// Idea: guess, and check afterwards. A cut is put where something looks like
// the beginning of the first record. Each piece is read on its own, as if the
// guess were right; then they are gone through in order. Where the piece before
// ends exactly at the cut, between two records, the guess was right, and so all
// that was read from there counts. Otherwise that piece is forgotten, and the
// one before reads on. So a wrong guess costs time, but nothing else, and what
// goes wrong in a piece counts only if its beginning is sure.
// Cost: each byte is read once where all guesses are right; about three times
// where all are wrong, if no reader looks far beyond the end of its piece.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "base/input.h"

namespace awdit {

// Copies with Input::kPadding bytes behind them; nothing if all files have that
// already.
std::optional<std::vector<Input>> padded_copies(std::span<const Input> files);

// Pieces of whole lines, each from one place up to another: at most that many,
// and none much smaller than a megabyte. A byte order mark is in none of them,
// nor what stands at `tail`, behind the last newline.
struct LinePieces {
  std::vector<std::pair<std::size_t, std::size_t>> whole;
  std::size_t tail = 0;
};
LinePieces cut_at_lines(std::string_view bytes, std::size_t most);

// Where lines begin that begin with such a byte: at most so many of them, about
// as far apart, and by a megabyte at least; none at `from`. Fewer if such lines
// are rare.
std::vector<std::size_t> cut_before(std::string_view bytes, std::size_t from,
                                    std::size_t most, bool (*begins)(char));

// About how often something comes in these bytes, by samples from all over
// them, of which `count` tells; rather more than less, to reserve room for it.
std::size_t estimate(std::string_view bytes,
                     std::size_t (*count)(std::string_view sample));

// Where pieces begin, ascending, `first` in front, which is the place of the
// first record. `head` bytes of it, such as `{"type"`, are what other records
// begin with as well. Depends on the bytes only, not on threads.
std::vector<std::size_t> guess_pieces(std::string_view bytes, std::size_t first,
                                      std::size_t head);

struct PieceReader {
  static constexpr std::size_t kStop = static_cast<std::size_t>(-1);
  // Reads records into the memory of piece `piece`, from the record at `from`
  // on, until a record begins exactly at `to`; or until the end, if `to` is
  // that, what stands behind the last record included. Returns how far it came:
  // `to`; or the beginning of the first record that reaches beyond `to` or that
  // cannot be read; or kStop, if nothing more is wanted of any piece. May be
  // called again, to read on from there.
  std::function<std::size_t(std::size_t piece, std::size_t from,
                            std::size_t to)>
      read;
  // What was read into the piece was read by mistake.
  std::function<void(std::size_t piece)> forget;
};

// Reads the pieces of [starts[0], end), each by one thread at a time. Nothing:
// all has been read, and the pieces that were not forgotten follow each other.
// Otherwise, the piece where a record cannot be read or that stopped; what is
// in those before it counts.
std::optional<std::size_t> read_pieces(std::span<const std::size_t> starts,
                                       std::size_t end, unsigned threads,
                                       const PieceReader& reader);

// Makes pieces small while it lives, so that tests need no large files.
class SmallPieces {
 public:
  explicit SmallPieces(std::size_t bytes);
  ~SmallPieces();
  SmallPieces(const SmallPieces&) = delete;
  SmallPieces& operator=(const SmallPieces&) = delete;
};

}  // namespace awdit
