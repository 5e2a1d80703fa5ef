// One operation per line, in the order that jepsen_order.h gives. What a read
// returned stands in the last line about its transaction only.
#include "format/jepsen_write.h"

#include <utility>
#include <vector>

#include "format/jepsen_order.h"
#include "format/line.h"

namespace awdit {
namespace {

class Writer {
 public:
  Writer(const History& history, const JepsenSpelling& spelling)
      : history_(history), spelling_(spelling) {
    const auto& texts = history.strings();
    for (std::size_t i = 0; i < texts.size(); ++i) {
      texts_.push_back(spelling.text(texts[i]));
    }
    says_registers_ = holds_vectors_unwritten();
  }

  std::string_view line(const OpLine& op) {
    line_.clear();
    line_.add('{');
    number(spelling_.index, op.index);
    number(spelling_.time, op.time);
    line_.add(spelling_.type,
              spelling_.types[static_cast<std::size_t>(op.type) - 1], ", ",
              spelling_.process);
    atom(history_.session_atom(history_.session(op.txn)));
    line_.add(", ");
    number(spelling_.id, op.id);
    number(spelling_.at, op.at);
    if (std::exchange(says_registers_, false)) line_.add(spelling_.registers);
    line_.add(spelling_.value, '[');
    bool first = true;
    for (const OpId micro : history_.ops(op.txn)) {
      if (!first) line_.add(spelling_.comma);
      first = false;
      micro_op(micro, op.last);
    }
    line_.add("]}");
    return line_.text();
  }

 private:
  // Whether reads return vectors that are values, and no write tells that they
  // are no lists.
  bool holds_vectors_unwritten() const {
    if (history_.has_lists()) return false;
    bool vectors = false;
    for (const TxnId txn : history_.txns()) {
      for (const OpId op : history_.ops(txn)) {
        if (history_.is_write(op)) return false;
        const Atom value = history_.value(op);
        vectors |= value.kind == Atom::Kind::string &&
                   texts_[value.bits].find_first_of("[(#") == 0;
      }
    }
    return vectors;
  }

  void number(std::string_view key, const OpFrame::Number& number) {
    if (number.given == OpFrame::Number::Given::no) return;
    line_.add(key);
    atom(number.is_given() ? Atom::integer(number.value) : Atom::nil());
    line_.add(", ");
  }

  void atom(Atom atom) {
    if (line_.add_number(atom)) return;
    if (atom.kind == Atom::Kind::string) {
      line_.add(texts_[atom.bits]);
    } else {
      line_.add(spelling_.nil);
    }
  }

  void micro_op(OpId op, bool shows_reads) {
    const bool write = history_.is_write(op);
    line_.add(!write                 ? spelling_.read
              : history_.has_lists() ? spelling_.append
                                     : spelling_.write);
    atom(history_.key_atom(history_.key(op)));
    line_.add(spelling_.comma);
    if (!write && !shows_reads) {
      line_.add(spelling_.nil);
    } else if (!write && history_.has_lists()) {
      line_.add('[');
      for (std::size_t i = 0; i < history_.list_size(op); ++i) {
        if (i != 0) line_.add(spelling_.comma);
        atom(history_.element(op, i));
      }
      line_.add(']');
    } else {
      atom(history_.value(op));
    }
    line_.add(']');
  }

  const History& history_;
  const JepsenSpelling& spelling_;
  std::vector<std::string> texts_;  // [string]
  bool says_registers_ = false;     // in the next line
  Line line_;
};

}  // namespace

void write_jepsen(const History& history, const JepsenSpelling& spelling,
                  Sink& sink) {
  Writer writer(history, spelling);
  sink.append(spelling.begin);
  bool first = true;
  order_jepsen(history, [&](const OpLine& op) {
    if (!first) sink.append(spelling.between);
    first = false;
    sink.append(writer.line(op));
    return !sink.closed();
  });
  sink.append(spelling.end);
}

}  // namespace awdit
