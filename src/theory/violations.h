// The violations of a level. Private to theory/; others include
// theory/theory.h.
//
// What refutes a weak level refutes every stronger one, and a history may have
// a million violations: so levels share them. Each violation is in the list of
// the level that it was found at, and stronger levels point at parts of that
// list. To a reader it is one sequence that never changes.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <vector>

#include "theory/evidence.h"

namespace awdit {

class Violations {
 public:
  using List = std::vector<Violation>;
  class Iterator;

  Violations() = default;
  Violations(List own);  // NOLINT: meant to convert
  Violations(std::initializer_list<Violation> own) : Violations(List(own)) {}

  // Behind what is there: a part of a list of somebody else.
  void inherit(std::shared_ptr<const List> list, std::size_t first,
               std::size_t count);

  std::size_t size() const { return parts_.empty() ? 0 : parts_.back().end; }
  bool empty() const { return parts_.empty(); }
  // O(log of the lists they are from).
  const Violation& operator[](std::size_t i) const;
  const Violation& front() const { return (*this)[0]; }
  Iterator begin() const;
  Iterator end() const;

 private:
  struct Part {  // never empty
    std::shared_ptr<const List> list;
    std::size_t first;  // in the list
    std::size_t end;    // of this part in the whole
  };
  std::vector<Part> parts_;
};

class Violations::Iterator {
 public:
  using iterator_category = std::forward_iterator_tag;
  using value_type = Violation;
  using difference_type = std::ptrdiff_t;
  using pointer = const Violation*;
  using reference = const Violation&;

  Iterator() = default;
  Iterator(const Violations& of, std::size_t at) : of_(&of), at_(at) {}

  reference operator*() const { return (*of_)[at_]; }
  pointer operator->() const { return &(*of_)[at_]; }
  Iterator& operator++() {
    ++at_;
    return *this;
  }
  Iterator operator++(int) { return {*of_, at_++}; }
  friend bool operator==(const Iterator&, const Iterator&) = default;

 private:
  const Violations* of_ = nullptr;
  std::size_t at_ = 0;
};

inline Violations::Iterator Violations::begin() const { return {*this, 0}; }
inline Violations::Iterator Violations::end() const { return {*this, size()}; }

}  // namespace awdit
