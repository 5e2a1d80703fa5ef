// Looks at every column of a history that was not made by Builder, before
// anybody relies on what history.h promises. Private to history/.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

#include "history/image.h"

namespace awdit {

// REQUIRES: the columns have the lengths that the history's counts demand; only
// what is in them is in doubt.
struct HistoryImage::Audit {
  struct Finding {
    const char* complaint = nullptr;  // nullptr: all is well
    const void* at = nullptr;         // the entry; nullptr: the initial value
    std::string_view remedy = {};     // "": the file is damaged
    bool has_unknown = false;
  };

  const History& h;
  const Extras& extras;

  // The first complaint, in an order that does not depend on threads.
  // Cost: O(columns) time, O(sessions) memory.
  Finding run(unsigned threads) const;

 private:
  using Part = std::function<Finding(std::size_t from, std::size_t to)>;
  struct Parts;
  void add_entries(Parts& parts) const;
  void add_relations(Parts& parts) const;
  Finding sessions() const;
  Finding distinct_sessions() const;
  Finding order() const;
  Finding lists(std::size_t from, std::size_t to) const;
  bool sound(Atom atom) const;
};

}  // namespace awdit
