// A history as bytes, column after column, and back without copying: the
// history that is opened uses the bytes where they lie. Front door for the
// binary format, which adds checksums; docs/formats/awdit.md has the layout.
//
// The bytes may come from anywhere: `open` looks at all of them before anybody
// else does, and what it lets through keeps every promise of history.h that
// code relies on. What is only shown to people (lines, warnings, that ids are
// unique) is believed.
// Little-endian machines only, as the layout is.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/array.h"
#include "base/result.h"
#include "history/history.h"

namespace awdit {

class HistoryImage {
 public:
  // The image begins at a multiple of this in its file; so do its columns.
  static constexpr std::size_t kAlignment = 64;

  // REQUIRES: the history outlives the image.
  explicit HistoryImage(const History& history);
  // One behind the other they are the image.
  std::span<const std::string_view> pieces() const { return pieces_; }
  // A multiple of kAlignment.
  std::size_t size() const { return size_; }

  // Where an image comes from: byte `offset` of what messages call `name`.
  struct Origin {
    std::string_view name;
    std::size_t offset;
  };
  // `keeper` keeps the bytes; empty: they outlive the history anyway. Columns
  // at odd addresses are copied. REQUIRES: nobody changes the bytes, as others
  // could those of a mapped file (Input::settled): what was looked at is used.
  // Cost: O(image) time at the speed of memory, O(sessions) memory.
  static Result<History> open(std::string_view bytes,
                              std::shared_ptr<const void> keeper,
                              const Origin& origin, unsigned threads);
  // A clock that nobody looked at tells nothing: of a whole history without a
  // single time there is none.
  static void settle_clock(History& history);

 private:
  // What a history has no columns of.
  struct Extras {
    Texts warnings, about, domains;
    Array<std::uint64_t> elements;  // of lists; files have them wide
    Array<ClockDomains::Relation> relations;
  };
  template <typename AnyHistory, typename AnyExtras, typename Visit>
  static void each_column(AnyHistory& history, AnyExtras& extras,
                          Visit&& visit);
  static Texts pack(std::span<const std::string> texts);
  struct Audit;
  class Reader;

  Extras extras_;
  std::string head_;
  std::vector<std::string_view> pieces_;
  std::size_t size_ = 0;
};

}  // namespace awdit
