// What a transaction of the simulated database sees. Private to simulated/.
//
// A read returns one of the key's versions, by one of four rules. Each makes
// the order of commits (with a transaction that wrote nothing put behind what
// it saw) a commit order that obeys its level, and none makes more sure:
//
//   statement  any version, unless the transaction has already read from the
//              writer of a newer one: read-committed
//   atomic     likewise, where the transactions before it in its session count
//              as read from; and no version whose writer also wrote a key of
//              which an older version has been read: read-atomic
//   replica    the newest version whose writer the session's replica had
//              received when the transaction began. A replica receives a
//              commit together with all that the commit had seen: causal
//   prefix     the newest version as of an instant, which is not before what
//              the session has seen or done: prefix
//
// A transaction never waits: the newest version whose writer counts as read
// from, or else the one as of `oldest`, may always be read.
// Cost: O(log reads) per version that is passed over; atomic looks at the
// writes of about two transactions.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "base/random.h"
#include "simulated/version_store.h"

namespace awdit::simulated {

class View {
 public:
  enum class Rule : std::uint8_t { statement, atomic, replica, prefix };

  // Which of a key's versions; kAbsent: there was none yet.
  static constexpr std::ptrdiff_t kAbsent = -1;

  // The beginning of a transaction.
  void reset(Rule rule, std::uint32_t session, Instant oldest);

  Rule rule = Rule::prefix;
  // statement: session order counts, and a key read again has the same version.
  bool repeats = false;
  Instant as_of = 0;    // prefix
  Frontier frontier{};  // replica
  // All that was committed until then is seen.
  Instant oldest() const { return oldest_; }

  // The version that a read returns. `newest`: the newest one that may be; else
  // statement and atomic draw.
  std::ptrdiff_t choose(const VersionStore& store, std::uint32_t key,
                        bool newest, Random& random) const;
  // The transaction has read that version of the key.
  void note(const VersionStore& store, std::uint32_t key,
            std::ptrdiff_t version);

  // Whether the transaction has read a newer version of the key, or anything
  // from a writer of one.
  bool goes_back(const VersionStore& store, std::uint32_t key,
                 std::ptrdiff_t version) const;
  // The newest version of the key from whose writer something has been read.
  std::ptrdiff_t newest_seen(const Key& key) const;

  struct Read {
    std::uint32_t key;
    Instant at;  // of the version that it read first; 0: absent, or loaded
  };
  const std::vector<Read>& reads() const { return reads_; }
  const Read* read_of(std::uint32_t key) const;

 private:
  bool saw(Instant at) const;
  bool holds_at(const Version& version) const;
  bool torn(const VersionStore& store, const Version& version) const;

  std::uint32_t session_ = 0;
  Instant oldest_ = 0;
  std::vector<Read> reads_;    // by key
  std::vector<Instant> seen_;  // commits that were read from; ascending
};

}  // namespace awdit::simulated
