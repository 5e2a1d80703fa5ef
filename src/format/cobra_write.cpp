// Writes Cobra's logs, one file per session.
//
// A read names its writer: writes are sorted by key and value once, then looked
// up. Cost: O(operations log writes).
#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <vector>

#include "base/flat_index.h"
#include "format/cobra_log.h"
#include "format/rows.h"

namespace awdit {
namespace {

class LogWriter {
 public:
  explicit LogWriter(const History& history)
      : history_(history), stamped_(history.clock() == Clock::milliseconds) {
    for (const TxnId txn : history.txns()) {
      for (const OpId op : history.ops(txn)) {
        if (history.is_write(op)) {
          writes_.push_back(
              {history.key(op).v, history.value(op).bits, id(txn)});
        }
      }
    }
    std::sort(writes_.begin(), writes_.end());
  }

  void session(SessionId session, Sink& sink) {
    for (const TxnId txn : history_.txns(session)) {
      const History::Times times =
          history_.times(txn).value_or(History::Times{kNoTime, kNoTime});
      bytes_.clear();
      border('S', txn, times.begin);
      for (const OpId op : history_.ops(txn)) operation(op);
      border('C', txn, times.end);
      sink.append(bytes_);
      if (sink.closed()) return;
    }
  }

 private:
  struct Write {
    std::uint32_t key;
    std::uint64_t value;
    std::uint64_t txn;
    auto operator<=>(const Write&) const = default;
  };

  // The input's own id, or the position; 0 is nobody's.
  std::uint64_t id(TxnId txn) const {
    return static_cast<std::uint64_t>(
        history_.txn_label(txn).value_or(std::int64_t{txn.v} + 1));
  }

  void word(std::uint64_t value) {
    for (int shift = 56; shift >= 0; shift -= 8) {
      bytes_ += static_cast<char>(value >> shift & 0xFF);
    }
  }

  void border(char type, TxnId txn, std::int64_t time) {
    bytes_ += type;
    word(id(txn));
    if (stamped_) word(static_cast<std::uint64_t>(time));
  }

  void operation(OpId op) {
    const Atom value = history_.value(op);
    const std::uint32_t key = history_.key(op).v;
    const std::uint64_t hash = history_.key_atom(KeyId(key)).bits;
    if (history_.is_write(op)) {
      bytes_ += 'W';
      word(value.bits);
      word(hash);
      word(mix64(value.bits));
      return;
    }
    bytes_ += 'R';
    if (value.kind == Atom::Kind::nil) {
      const bool absent = value == Atom::absent();
      word(absent ? cobra::kNull : cobra::kInit);
      word(absent ? cobra::kNull : cobra::kInit);
      word(hash);
      word(absent ? 0 : mix64(cobra::kInit));
      return;
    }
    const auto found = std::lower_bound(
        writes_.begin(), writes_.end(), std::tuple(key, value.bits),
        [](const Write& write, const auto& wanted) {
          return std::tuple(write.key, write.value) < wanted;
        });
    const bool written = found != writes_.end() && found->key == key &&
                         found->value == value.bits;
    word(written ? found->txn : 0);
    word(value.bits);
    word(hash);
    word(mix64(value.bits));
  }

  const History& history_;
  bool stamped_;  // times stand at every begin and end, or nowhere
  std::vector<Write> writes_;
  std::string bytes_;
};

}  // namespace

void write_cobra(const History& history, const NewFile& file) {
  LogWriter writer(history);
  for (const SessionId session : history.sessions()) {
    Sink& sink = file(fmt::format("T{}.log", session.v + 1));
    writer.session(session, sink);
    if (sink.closed()) return;
  }
}

}  // namespace awdit
