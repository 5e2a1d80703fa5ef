#include "format/pieces.h"

#include <algorithm>
#include <atomic>
#include <string>

#include "base/buffer.h"
#include "base/parallel.h"
#include "format/text_place.h"

namespace awdit {
namespace {

// Large enough for the columns of a piece to be large pages (base/array.cpp).
constexpr std::size_t kUsual = std::size_t{6} << 20;
// Pieces are made larger instead. A multiple of the usual numbers of threads,
// so that none of them is left with one more than others.
constexpr std::size_t kMost = 64;
constexpr std::size_t kMultiple = 4;

std::atomic<std::size_t> smallest{kUsual};

// Pieces of lines are not much smaller than this, but in tests.
std::size_t smallest_lines() {
  return std::min(smallest.load(), std::size_t{1} << 20);
}

// A record that begins its line, as the first one does, is a better guess than
// one in the middle of a line, which may be part of a value.
std::size_t find_record(std::string_view window, std::string_view line_start,
                        std::string_view head) {
  std::size_t any = std::string_view::npos;
  for (std::size_t at = 0;
       (at = window.find(head, at)) != std::string_view::npos; ++at) {
    const std::string_view before = window.substr(0, at);
    if (before.ends_with(line_start)) return at;
    if (any == std::string_view::npos) any = at;
  }
  return any;
}

}  // namespace

std::optional<std::vector<Input>> padded_copies(std::span<const Input> files) {
  if (std::all_of(files.begin(), files.end(), [](const Input& input) {
        return input.padded() || input.bytes().empty();
      })) {
    return std::nullopt;
  }
  std::vector<Input> padded;
  for (const Input& input : files) {
    padded.push_back(Input::of(Buffer(input.bytes()), input.name(), input.cut(),
                               input.work()));
  }
  return padded;
}

LinePieces cut_at_lines(std::string_view bytes, std::size_t most) {
  LinePieces cut{.whole = {}, .tail = byte_order_mark(bytes)};
  std::size_t from = cut.tail;
  const std::size_t newline = bytes.rfind('\n');
  if (newline != std::string_view::npos) cut.tail = newline + 1;
  const std::size_t step = std::max(smallest_lines(), cut.tail / most + 1);
  while (from < cut.tail) {
    // There is a newline before the tail, unless the file changes meanwhile.
    const std::size_t line = std::min(from + step, cut.tail) - 1;
    const std::size_t to = std::min(bytes.find('\n', line), cut.tail - 1) + 1;
    cut.whole.emplace_back(from, to);
    from = to;
  }
  return cut;
}

std::vector<std::size_t> cut_before(std::string_view bytes, std::size_t from,
                                    std::size_t most, bool (*begins)(char)) {
  std::vector<std::size_t> places;
  const std::size_t step =
      std::max(smallest_lines(), (bytes.size() - from) / most + 1);
  for (;;) {
    if (bytes.size() - from <= step) return places;
    std::size_t at = bytes.find('\n', from + step - 1);
    while (at != std::string_view::npos && at + 1 < bytes.size() &&
           !begins(bytes[at + 1])) {
      at = bytes.find('\n', at + 1);
    }
    if (at == std::string_view::npos || at + 1 >= bytes.size()) return places;
    from = at + 1;
    places.push_back(from);
  }
}

std::size_t estimate(std::string_view bytes,
                     std::size_t (*count)(std::string_view sample)) {
  // Room that is never used costs less than room that is too small.
  constexpr double kMargin = 1.08;
  constexpr std::size_t kSamples = 32;
  constexpr std::size_t kSample = std::size_t{1} << 12;
  std::size_t counted = 0, looked_at = 0;
  for (std::size_t i = 0; i < kSamples; ++i) {
    const std::string_view sample =
        bytes.size() <= kSamples * kSample
            ? bytes.substr(std::min(bytes.size(), i * kSample), kSample)
            : bytes.substr((bytes.size() - kSample) / (kSamples - 1) * i,
                           kSample);
    counted += count(sample);
    looked_at += sample.size();
  }
  if (looked_at == 0) return 0;
  return static_cast<std::size_t>(static_cast<double>(bytes.size()) * kMargin *
                                  static_cast<double>(counted) /
                                  static_cast<double>(looked_at)) +
         64;
}

std::vector<std::size_t> guess_pieces(std::string_view bytes, std::size_t first,
                                      std::size_t head) {
  // Records are shorter than this, or there is no hurry.
  constexpr std::size_t kWindow = std::size_t{1} << 16;
  std::vector<std::size_t> starts{first};
  const std::string_view wanted = bytes.substr(first, head);
  // What stands before a record in its line: nothing or a tag. Before the first
  // one of an array there is the array's bracket; then it is a mere newline.
  std::size_t line = first;
  while (line > 0 && first - line < head && bytes[line - 1] != '\n') --line;
  std::string line_start = "\n";
  if (line == 0 || bytes[line - 1] == '\n') {
    const std::string_view prefix = bytes.substr(line, first - line);
    if (prefix.starts_with('#')) line_start += prefix;
  }
  std::size_t pieces = std::min((bytes.size() - first) / smallest, kMost);
  if (pieces > kMultiple) pieces -= pieces % kMultiple;
  if (pieces <= 1) return starts;
  const std::size_t step = (bytes.size() - first) / pieces + 1;
  for (std::size_t at = first + step; at < bytes.size();) {
    const std::size_t found = find_record(
        bytes.substr(at, std::min(step, kWindow)), line_start, wanted);
    if (found != std::string_view::npos) starts.push_back(at + found);
    at += step;
  }
  return starts;
}

std::optional<std::size_t> read_pieces(std::span<const std::size_t> starts,
                                       std::size_t end, unsigned threads,
                                       const PieceReader& reader) {
  const std::size_t pieces = starts.size();
  const auto start = [&](std::size_t piece) {
    return piece < pieces ? starts[piece] : end;
  };
  std::vector<std::size_t> reached(pieces);
  parallel_for(pieces, threads, [&](std::size_t piece, unsigned) {
    reached[piece] = reader.read(piece, start(piece), start(piece + 1));
  });
  for (std::size_t piece = 0; piece < pieces;) {
    std::size_t at = reached[piece];
    std::size_t next = piece + 1;
    std::size_t stride = 1;
    while (at != start(next)) {
      if (at == PieceReader::kStop || next == pieces) return piece;
      // A record that is longer than pieces is not read again for each of them.
      for (std::size_t i = 0;
           next < pieces && (i < stride || starts[next] < at); ++i) {
        reader.forget(next++);
      }
      if (at == start(next)) break;
      const std::size_t before = at;
      at = reader.read(piece, before, start(next));
      stride = at == before ? stride * 2 : 1;
    }
    piece = next;
  }
  return std::nullopt;
}

SmallPieces::SmallPieces(std::size_t bytes) {
  smallest = std::max<std::size_t>(bytes, 1);
}
SmallPieces::~SmallPieces() { smallest = kUsual; }

}  // namespace awdit
