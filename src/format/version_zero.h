// Version 0 in dbcop's own formats. Private to format/.
//
// A read of version 0 reads the initial state, as `null` and `?` do, unless
// somebody writes version 0 to that key; then it reads from that writer. Who
// writes what is known at the end only, so the first pass over an input takes
// every such read as initial, and a second one corrects it in the rare case
// that 0 is both read and written.
#pragma once

#include <algorithm>
#include <vector>

#include "history/history.h"

namespace awdit {

class VersionZero {
 public:
  // What a read of version 0 of this key returned.
  Atom read(Atom key) {
    if (second_pass_ &&
        std::binary_search(written_.begin(), written_.end(), key, before)) {
      return Atom::integer(0);
    }
    read_ = true;
    return Atom::nil();
  }
  void write(Atom key) {
    if (!second_pass_) written_.push_back(key);
  }

  // After a pass: whether another one is needed.
  bool needs_second_pass() {
    if (second_pass_ || !read_ || written_.empty()) return false;
    std::sort(written_.begin(), written_.end(), before);
    second_pass_ = true;
    return true;
  }

 private:
  static bool before(const Atom& a, const Atom& b) {
    return a.kind != b.kind ? a.kind < b.kind : a.bits < b.bits;
  }

  std::vector<Atom> written_;  // keys to which 0 is written
  bool read_ = false;
  bool second_pass_ = false;
};

}  // namespace awdit
