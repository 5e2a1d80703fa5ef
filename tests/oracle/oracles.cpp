// THE table of oracles: the axioms of the paper's definitions, each written
// twice (those above causal: see strong.cpp and versions.cpp), once as a
// predicate on a commit order and once as a source of edges. In the paper's
// names: t3 reads key x from t1, t2 also writes x and was seen by t3; then t2
// comes before t1. The levels differ in what "seen" means.
#include <algorithm>

#include "oracle/oracle.h"

namespace awdit::oracle {
namespace {

// -- axioms as predicates -----------------------------------------------------

bool axiom_none(const Facts&, const Ranks&) { return true; }

// t2 was seen by a read that comes before, in program order.
bool axiom_read_committed(const Facts& facts, const Ranks& ranks) {
  for (const Read& rx : facts.reads) {
    for (const Read& r : facts.reads) {
      if (r.reader != rx.reader || r.op >= rx.op) continue;
      const std::uint32_t t1 = rx.writer, t2 = r.writer;
      if (t1 == t2 || !facts.writes(t2, rx.key)) continue;
      if (ranks.at(t2) >= ranks.at(t1)) return false;
    }
  }
  return true;
}

// t2 was seen iff it is in past[t3].
bool visible_writes_are_older(
    const Facts& facts, const Ranks& ranks,
    const std::vector<std::set<std::uint32_t>>& past) {
  for (const Read& read : facts.reads) {
    const std::uint32_t t1 = read.writer, t3 = read.reader;
    for (std::uint32_t t2 : past[t3]) {
      if (t1 == t2 || !facts.writes(t2, read.key)) continue;
      if (ranks.at(t2) >= ranks.at(t1)) return false;
    }
  }
  return true;
}

bool axiom_read_atomic(const Facts& facts, const Ranks& ranks) {
  return visible_writes_are_older(facts, ranks, facts.directly_before);
}

bool axiom_causal(const Facts& facts, const Ranks& ranks) {
  return visible_writes_are_older(facts, ranks, facts.past);
}

// -- session guarantees as predicates
// ------------------------------------------

bool older(const Ranks& ranks, std::uint32_t t2, std::uint32_t t1) {
  return t2 == t1 || ranks.at(t2) < ranks.at(t1);
}

// The writers of the key before `t`, in its session, are not newer than t1.
bool session_is_older(const Facts& facts, const Ranks& ranks, const Read& read,
                      std::uint32_t t) {
  for (std::uint32_t t2 : facts.live) {
    if (facts.so(t2, t) && facts.writes(t2, read.key) &&
        !older(ranks, t2, read.writer)) {
      return false;
    }
  }
  return true;
}

// Nor are those from which one of these read: whoever `looked`.
template <typename Looked>
bool sight_is_older(const Facts& facts, const Ranks& ranks, const Read& read,
                    Looked&& looked) {
  for (const Read& earlier : facts.reads) {
    if (looked(earlier.reader) && facts.writes(earlier.writer, read.key) &&
        !older(ranks, earlier.writer, read.writer)) {
      return false;
    }
  }
  return true;
}

bool axiom_read_your_writes(const Facts& facts, const Ranks& ranks) {
  return std::all_of(facts.reads.begin(), facts.reads.end(),
                     [&](const Read& read) {
                       return session_is_older(facts, ranks, read, read.reader);
                     });
}

bool axiom_monotonic_reads(const Facts& facts, const Ranks& ranks) {
  return std::all_of(
      facts.reads.begin(), facts.reads.end(), [&](const Read& read) {
        return sight_is_older(facts, ranks, read, [&](std::uint32_t t) {
          return facts.so(t, read.reader);
        });
      });
}

bool axiom_monotonic_writes(const Facts& facts, const Ranks& ranks) {
  for (const Read& read : facts.reads) {
    for (const Read& other : facts.reads) {
      if (other.reader == read.reader &&
          !session_is_older(facts, ranks, read, other.writer)) {
        return false;
      }
    }
  }
  return true;
}

bool axiom_writes_follow_reads(const Facts& facts, const Ranks& ranks) {
  for (const Read& read : facts.reads) {
    for (const Read& other : facts.reads) {
      if (other.reader != read.reader) continue;
      const std::uint32_t writer = other.writer;
      if (!sight_is_older(facts, ranks, read, [&](std::uint32_t t) {
            return t == writer || facts.so(t, writer);
          })) {
        return false;
      }
    }
  }
  return true;
}

// -- axioms as edges
// ------------------------------------------------------------

void infer_none(const Facts&, const Matrix&, const Matrix&, Matrix&) {}

void infer_read_committed(const Facts& facts, const Matrix&, const Matrix&,
                          Matrix& co) {
  for (std::size_t j = 0; j < facts.reads.size(); ++j) {
    const Read& later = facts.reads[j];
    for (std::size_t i = j; i-- > 0;) {
      const Read& earlier = facts.reads[i];
      if (earlier.reader != later.reader) break;
      if (earlier.writer != later.writer &&
          facts.writes(earlier.writer, later.key)) {
        co[earlier.writer][later.writer] = true;
      }
    }
  }
}

// A read that repeats another one with a different answer is a finding of its
// own and infers nothing more.
void infer_visible(const Facts& facts, const Matrix& visible, Matrix& co) {
  for (const Read& read : facts.reads) {
    if (read.repeats_differently) continue;
    const auto writers = facts.writers.find(read.key);
    if (writers == facts.writers.end()) continue;
    for (std::uint32_t t2 : writers->second) {
      if (t2 != read.writer && visible[t2][read.reader]) {
        co[t2][read.writer] = true;
      }
    }
  }
}

void infer_read_atomic(const Facts& facts, const Matrix& so_wr, const Matrix&,
                       Matrix& co) {
  infer_visible(facts, so_wr, co);
}

void infer_causal(const Facts& facts, const Matrix&, const Matrix& hb,
                  Matrix& co) {
  infer_visible(facts, hb, co);
}

// -- session guarantees as edges
// ------------------------------------------

Matrix session_order(const Facts& facts) {
  const std::size_t n = facts.init + std::size_t{1};
  Matrix so(n, std::vector<bool>(n, false));
  for (std::uint32_t a : facts.live) {
    for (std::uint32_t b : facts.live) so[a][b] = facts.so(a, b);
  }
  return so;
}

Matrix reads_from(const Facts& facts) {
  const std::size_t n = facts.init + std::size_t{1};
  Matrix wr(n, std::vector<bool>(n, false));
  for (const Read& read : facts.reads) wr[read.writer][read.reader] = true;
  return wr;
}

// First a, then b.
Matrix operator*(const Matrix& a, const Matrix& b) {
  Matrix both(a.size(), std::vector<bool>(a.size(), false));
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < a.size(); ++j) {
      if (!a[i][j]) continue;
      for (std::size_t k = 0; k < a.size(); ++k) {
        if (b[j][k]) both[i][k] = true;
      }
    }
  }
  return both;
}

Matrix operator|(Matrix a, const Matrix& b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < a.size(); ++j) a[i][j] = a[i][j] || b[i][j];
  }
  return a;
}

// Every read counts, also one that repeats another differently.
void infer_seen(const Facts& facts, const Matrix& seen, Matrix& co) {
  for (const Read& read : facts.reads) {
    for (std::uint32_t t2 : facts.live) {
      if (t2 != read.writer && seen[t2][read.reader] &&
          facts.writes(t2, read.key)) {
        co[t2][read.writer] = true;
      }
    }
  }
}

void infer_read_your_writes(const Facts& facts, const Matrix&, const Matrix&,
                            Matrix& co) {
  infer_seen(facts, session_order(facts), co);
}

void infer_monotonic_reads(const Facts& facts, const Matrix&, const Matrix&,
                           Matrix& co) {
  infer_seen(facts, reads_from(facts) * session_order(facts), co);
}

void infer_monotonic_writes(const Facts& facts, const Matrix&, const Matrix&,
                            Matrix& co) {
  infer_seen(facts, session_order(facts) * reads_from(facts), co);
}

void infer_writes_follow_reads(const Facts& facts, const Matrix&, const Matrix&,
                               Matrix& co) {
  const Matrix wr = reads_from(facts);
  infer_seen(facts, wr * wr | wr * session_order(facts) * wr, co);
}

// -- the table
// ------------------------------------------------------------------

constexpr Oracle kOracles[] = {
    {.level = "adya-read-committed",
     .axiom = axiom_none,
     .infer = infer_none,
     .repeatable_reads = false,
     .needs_acyclic_hb = false,
     .cycle = std::nullopt},
    {.level = "read-committed",
     .axiom = axiom_read_committed,
     .infer = infer_read_committed,
     .repeatable_reads = false,
     .needs_acyclic_hb = false,
     .cycle = Kind::non_monotonic_read},
    {.level = "read-your-writes",
     .axiom = axiom_read_your_writes,
     .infer = infer_read_your_writes,
     .repeatable_reads = false,
     .needs_acyclic_hb = false,
     .cycle = Kind::read_your_writes_violation},
    {.level = "monotonic-reads",
     .axiom = axiom_monotonic_reads,
     .infer = infer_monotonic_reads,
     .repeatable_reads = false,
     .needs_acyclic_hb = false,
     .cycle = Kind::monotonic_reads_violation},
    {.level = "monotonic-writes",
     .axiom = axiom_monotonic_writes,
     .infer = infer_monotonic_writes,
     .repeatable_reads = false,
     .needs_acyclic_hb = false,
     .cycle = Kind::monotonic_writes_violation},
    {.level = "writes-follow-reads",
     .axiom = axiom_writes_follow_reads,
     .infer = infer_writes_follow_reads,
     .repeatable_reads = false,
     .needs_acyclic_hb = false,
     .cycle = Kind::writes_follow_reads_violation},
    {.level = "read-atomic",
     .axiom = axiom_read_atomic,
     .infer = infer_read_atomic,
     .repeatable_reads = true,
     .needs_acyclic_hb = false,
     .cycle = Kind::fractured_read},
    {.level = "causal",
     .axiom = axiom_causal,
     .infer = infer_causal,
     .repeatable_reads = true,
     .needs_acyclic_hb = true,
     .cycle = Kind::causal_violation},
    {.level = "prefix", .cycle = std::nullopt, .reads = Reads::prefix},
    {.level = "parallel-snapshot-isolation",
     .cycle = std::nullopt,
     .reads = Reads::parallel},
    {.level = "snapshot-isolation",
     .cycle = std::nullopt,
     .reads = Reads::snapshot},
    {.level = "serializable", .cycle = std::nullopt, .reads = Reads::serial},
    {.level = "strong-snapshot-isolation",
     .cycle = std::nullopt,
     .reads = Reads::snapshot,
     .real_time = true},
    {.level = "strict-serializable",
     .cycle = std::nullopt,
     .reads = Reads::serial,
     .real_time = true},
};

}  // namespace

std::span<const Oracle> oracles() { return kOracles; }

const Oracle* find_oracle(std::string_view level) {
  for (const Oracle& oracle : kOracles) {
    if (oracle.level == level) return &oracle;
  }
  return nullptr;
}

}  // namespace awdit::oracle
