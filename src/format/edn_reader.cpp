// The slower half of the EDN reader: comments, discarded forms, strings and
// whatever is not wanted.
//
// Idea: all that is not wanted is skipped by one loop over bytes that stops
// only at brackets, strings, characters and comments.
// Invariant: nothing at or behind end_ is ever read, even if the bytes change
// between two looks (base/mapped_file.h); skip() never calls next(), which
// calls skip(), so that `#_` inside `#_` costs no stack. See
// github.com/edn-format/edn; where it leaves room, this reader takes what
// Clojure's printer writes.
#include "format/edn_reader.h"

#include <cstring>

namespace awdit {

// Blanks and comments.
void EdnReader::skip_blanks() {
  while (at_ != end_) {
    if (is(*at_, kBlank)) {
      ++at_;
    } else if (*at_ == ';') {
      const void* const newline =
          std::memchr(at_, '\n', static_cast<std::size_t>(end_ - at_));
      at_ = newline == nullptr ? end_ : static_cast<const char*>(newline);
    } else {
      return;
    }
  }
}

// Where a comment begins, or with '#', or with what begins nothing.
EdnReader::Form EdnReader::unusual() {
  for (;;) {
    skip_blanks();
    if (at_ == end_) return Form::end;
    if (*at_ != '#') {
      const Form form = kForms[static_cast<unsigned char>(*at_)];
      if (form == Form::broken) problem_ = "this byte begins nothing in EDN";
      return form;
    }
    const char second = at_ + 1 == end_ ? ' ' : at_[1];
    if (second == '{') return Form::set;
    if (second == '#') return Form::word;
    if (second != '_') {
      if (is(second, kInToken)) return Form::tag;
      problem_ = "\"#\" needs a name behind it";
      return Form::broken;
    }
    const char* const discard = at_;
    at_ += 2;
    if (!skip()) {
      if (at_ == end_) at_ = discard;
      return Form::broken;
    }
  }
}

bool EdnReader::string(std::string_view& literal) {
  const char* const start = at_;
  for (const char* p = start + 1; p != end_; ++p) {
    if (*p == '\\') {
      if (++p == end_) break;
    } else if (*p == '"') {
      at_ = p + 1;
      literal = {start, static_cast<std::size_t>(at_ - start)};
      return true;
    }
  }
  return fail("this string never ends");
}

// Consumes everything up to the bracket that closes the one at at_.
bool EdnReader::skip_brackets() {
  const char* const start = at_;
  closers_.clear();
  for (const char* p = at_; p != end_; ++p) {
    switch (*p) {
      case '{':
        closers_ += '}';
        break;
      case '[':
        closers_ += ']';
        break;
      case '(':
        closers_ += ')';
        break;
      case '}':
      case ']':
      case ')':
        if (closers_.empty() || closers_.back() != *p) {
          at_ = p;
          return fail("this bracket closes none that is open");
        }
        closers_.pop_back();
        if (closers_.empty()) {
          at_ = p + 1;
          return true;
        }
        break;
      case '"': {
        at_ = p;
        std::string_view literal;
        if (!string(literal)) return false;
        p = at_ - 1;
        break;
      }
      case ';': {
        const void* const newline =
            std::memchr(p, '\n', static_cast<std::size_t>(end_ - p));
        p = newline == nullptr ? end_ - 1 : static_cast<const char*>(newline);
        break;
      }
      case '\\':
        if (p + 1 != end_) ++p;
        break;
      default:
        break;
    }
    while (p + 1 != end_ && is(p[1], kHarmless)) ++p;
  }
  at_ = start;
  return fail("this bracket is never closed");
}

bool EdnReader::skip() {
  // Each "#_" needs one form more; a tag needs none itself.
  for (std::size_t wanted = 1; wanted != 0;) {
    skip_blanks();
    if (at_ == end_) return fail("the file ends where a form should be");
    switch (kForms[static_cast<unsigned char>(*at_)]) {
      case Form::map:
      case Form::vector:
      case Form::list:
        if (!skip_brackets()) return false;
        --wanted;
        break;
      case Form::string: {
        std::string_view literal;
        if (!string(literal)) return false;
        --wanted;
        break;
      }
      case Form::tag:
        if (at_ + 1 != end_ && at_[1] == '_') {
          at_ += 2;
          ++wanted;
        } else if (at_ + 1 != end_ && at_[1] == '#') {
          token();
          --wanted;
        } else {
          token();  // of a set, the '#' alone
        }
        break;
      case Form::close:
        return fail("expected a form before this bracket");
      case Form::broken:
        return fail("this byte begins nothing in EDN");
      default:
        token();
        --wanted;
        break;
    }
  }
  return true;
}

}  // namespace awdit
