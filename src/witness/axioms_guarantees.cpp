// The session guarantees against a commit order: what t3 saw, it saw through a
// session, its own or that of one it read from.
//
// Along a session the commit order ascends. So of the writers of a key in a
// session, up to some transaction, the last one decides (Read Your Writes,
// Monotonic Writes), and of those that a session had read from up to some
// transaction, the newest one does (Monotonic Reads, Writes Follow Reads). For
// the latter a session that is asked about is walked once, from its first
// transaction to the last one asked about, keeping for each key that was read
// stale the newest writer among those read from; each of these is looked at
// once per session. Where t3 read from several transactions of a session, the
// last of them says all.
//
// Cost for s stale reads, k sessions: s * k * log n for the former, n * k for
// the latter; nothing if no read is stale.
#include <algorithm>
#include <vector>

#include "witness/axioms.h"
#include "witness/key_lists.h"

namespace awdit {
namespace {

class Guarantee {
 public:
  Guarantee(const History& history, const Attribution& attribution,
            Premise premise, const Replay& replay)
      : history_(history),
        attribution_(attribution),
        premise_(premise),
        replay_(replay),
        lists_(history, attribution),
        by_reader_(stale_by_reader(attribution, replay)) {}

  std::string breach() {
    const bool of_writers =
        premise_ == Premise::session || premise_ == Premise::session_read;
    return of_writers ? by_writers() : by_sight();
  }

 private:
  // A transaction of a session: what matters lies before it, or up to it.
  struct Ask {
    std::uint32_t at;
    std::uint32_t about;  // entry of by_reader_
  };

  // Where the sessions end that the reader sees.
  void find_tops(TxnId reader) {
    tops_.clear();
    if (premise_ == Premise::session || premise_ == Premise::read_session) {
      tops_.push_back(reader.v);
      return;
    }
    for (const OpId op : history_.ops(reader)) {
      if (attribution_.source[op.v] < Attribution::kInit) {
        tops_.push_back(attribution_.op_txn[attribution_.source[op.v]]);
      }
    }
    std::sort(tops_.begin(), tops_.end());
    std::size_t kept = 0;
    for (const std::uint32_t top : tops_) {
      const bool same_session =
          kept != 0 && history_.session(TxnId(tops_[kept - 1])) ==
                           history_.session(TxnId(top));
      tops_[same_session ? kept - 1 : kept++] = top;
    }
    tops_.resize(kept);
  }

  bool is_newer(std::uint32_t place, OpId read) const {
    return place > replay_.place[attribution_.writer(history_, read.v).v];
  }

  std::string by_writers() {
    for (const StaleReader& reads : by_reader_) {
      find_tops(reads.reader);
      for (std::size_t i = reads.first; i < reads.end; ++i) {
        const OpId read = replay_.stale[i];
        const auto writers = lists_.writers_of(history_.key(read));
        for (const std::uint32_t top : tops_) {
          const auto after =
              std::lower_bound(writers.begin(), writers.end(), top);
          if (after == writers.begin()) continue;
          const TxnId latest(*(after - 1));
          if (history_.session(latest) == history_.session(TxnId(top)) &&
              is_newer(replay_.place[latest.v], read)) {
            return describe_breach(history_, attribution_, read, latest);
          }
        }
      }
    }
    return "";
  }

  std::string by_sight() {
    std::vector<Ask> asks;
    newest_.assign(history_.num_keys(), Newest{kNoId, 0});
    read_by_.assign(history_.num_txns(), kNoId);
    for (std::uint32_t i = 0; i < by_reader_.size(); ++i) {
      find_tops(by_reader_[i].reader);
      for (const std::uint32_t top : tops_) asks.push_back({top, i});
      for (std::size_t r = by_reader_[i].first; r < by_reader_[i].end; ++r) {
        newest_[history_.key(replay_.stale[r]).v].wanted = true;
      }
    }
    std::sort(asks.begin(), asks.end(),
              [](const Ask& a, const Ask& b) { return a.at < b.at; });
    for (std::size_t i = 0; i < asks.size();) {
      const SessionId session = history_.session(TxnId(asks[i].at));
      for (const TxnId txn : history_.txns(session)) {
        if (i == asks.size() || asks[i].at < txn.v ||
            history_.session(TxnId(asks[i].at)) != session) {
          break;
        }
        const bool inclusive = premise_ == Premise::read_read;
        if (inclusive) look(txn, session);
        for (; i < asks.size() && asks[i].at == txn.v; ++i) {
          const std::string found = answer(by_reader_[asks[i].about], session);
          if (!found.empty()) return found;
        }
        if (!inclusive) look(txn, session);
      }
    }
    return "";
  }

  // The session has come to `txn`, which read from these.
  void look(TxnId txn, SessionId session) {
    for (const OpId op : history_.ops(txn)) {
      if (attribution_.source[op.v] >= Attribution::kInit) continue;
      const TxnId from(attribution_.op_txn[attribution_.source[op.v]]);
      if (read_by_[from.v] == session.v) continue;
      read_by_[from.v] = session.v;
      for (const std::uint32_t key : lists_.keys_written_by(from)) {
        Newest& newest = newest_[key];
        if (!newest.wanted) continue;
        if (newest.session != session.v) newest = {session.v, 0, true};
        newest.place = std::max(newest.place, replay_.place[from.v]);
      }
    }
  }

  std::string answer(const StaleReader& reads, SessionId session) const {
    for (std::size_t i = reads.first; i < reads.end; ++i) {
      const OpId read = replay_.stale[i];
      const Newest& newest = newest_[history_.key(read).v];
      if (newest.session == session.v && is_newer(newest.place, read)) {
        return describe_breach(history_, attribution_, read,
                               replay_.order[newest.place - 1]);
      }
    }
    return "";
  }

  struct Newest {
    std::uint32_t session;  // that has read from it
    std::uint32_t place;
    bool wanted = false;
  };

  const History& history_;
  const Attribution& attribution_;
  const Premise premise_;
  const Replay& replay_;
  const KeyLists lists_;
  std::vector<StaleReader> by_reader_;
  std::vector<std::uint32_t> tops_;
  std::vector<Newest> newest_;          // [key]
  std::vector<std::uint32_t> read_by_;  // [txn] -> the last session that did
};

}  // namespace

std::string breach_of_guarantee(const History& history,
                                const Attribution& attribution, Premise premise,
                                const Replay& replay) {
  if (replay.stale.empty()) return "";
  return Guarantee(history, attribution, premise, replay).breach();
}

}  // namespace awdit
