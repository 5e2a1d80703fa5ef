// mix_lines: a history in Plume text as concurrent clients would have recorded
// it. A few transactions of different sessions are open at a time, and their
// lines are mixed; the history stays the same.
//
//   mix_lines IN OUT
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

#include "base/table.h"
#include "format/format.h"

namespace {

using awdit::History;
using awdit::OpId;
using awdit::TxnId;

constexpr std::size_t kOpenAtOnce = 8;

class Mixer {
 public:
  Mixer(const History& history, std::ostream& out)
      : history_(history), out_(out), busy_(history.num_sessions(), false) {}

  void run() {
    for (const std::uint32_t number : history_.input_order()) {
      const TxnId txn(number);
      const std::uint32_t session = history_.session(txn).v;
      // It waits until its session's is done, and until there is room.
      while (busy_[session] || open_.size() >= kOpenAtOnce) emit();
      if (history_.ops(txn).empty()) continue;
      busy_[session] = true;
      open_.push_back({txn, history_.ops(txn).first});
    }
    while (!open_.empty()) emit();
  }

 private:
  struct Open {
    TxnId txn;
    std::uint32_t next;  // operation
  };

  // Writes one line of some open transaction.
  void emit() {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    Open& open = open_[(state_ >> 33) % open_.size()];
    const OpId op(open.next++);
    const awdit::SessionId session = history_.session(open.txn);
    out_ << (history_.is_write(op) ? "w(" : "r(")
         << history_.key_atom(history_.key(op)).bits << ','
         << history_.value(op).bits << ','
         << history_.session_atom(session).bits << ','
         << history_.txn_label(open.txn).value_or(-1) << ")\n";
    if (open.next == history_.ops(open.txn).last) {
      busy_[session.v] = false;
      open = open_.back();
      open_.pop_back();
    }
  }

  const History& history_;
  std::ostream& out_;
  std::vector<bool> busy_;  // [session] has an open transaction
  std::vector<Open> open_;
  std::uint64_t state_ = 1;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fputs("usage: mix_lines IN OUT\n", stderr);
    return 2;
  }
  const awdit::Result<awdit::Loaded> loaded = awdit::read_history(
      std::string(argv[1]), awdit::find_row(awdit::formats(), "plume"), 2);
  if (!loaded) {
    std::fputs(to_string(loaded.error()).c_str(), stderr);
    return 2;
  }
  std::ofstream out(argv[2], std::ios::binary);
  Mixer(loaded->history, out).run();
  out.close();
  if (!out) {
    std::perror(argv[2]);
    return 2;
  }
  return 0;
}
