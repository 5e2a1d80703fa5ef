// Read Committed: a transaction that has read from t2 must not afterwards read
// a key that t2 writes from a transaction t1 that is older than t2.
//
//   t2 wr r,  r po r_x,  t1 wr r_x,  t2 writes x,  t1 != t2   =>   t2 co t1
//
// Idea: for each reader and each t2, only the first read from t2 matters, and
// for each key x only the first later read of x from somebody else: the rest
// follows by transitivity, over the edges between neighbouring reads of x. (The
// paper leaves those to the first reads of their sources. That is enough for
// the verdict; but a reader that goes back and forth between two sources and
// then on to a third would hide the third from the component.) The keys x are
// those t2 writes *and* the reader reads later; going through the smaller of
// the two sets bounds the work by O(n^1.5) over the whole history.
// A reader's own writes are no sources here (they are not external), so the
// two-element memory of the paper's algorithm never sees them.
// Source: the paper's algorithm CheckRC.

#include "check/commit_graph.h"
#include "check/engines.h"
#include "check/key_map.h"
#include "check/read_gatherer.h"

namespace awdit {
namespace {

// Per key, the two nearest different sources of the reads that come later in
// the program (the paper's earliestWriter).
struct Later {
  std::uint32_t nearest = kNoId;
  std::uint32_t second = kNoId;
};

struct Scratch {
  std::vector<ExternalRead> reads;
  // For large readers:
  KeyMap<Later> later;
  std::vector<std::uint32_t> read_keys;  // keys with an entry in `later`
  std::vector<std::uint8_t> is_first;    // [read] first from its source
  std::vector<std::uint32_t> seen_by;    // [txn] -> reader, likewise
};

class Inferrer : public DirectRule {
 public:
  using DirectRule::DirectRule;

  void infer_few(unsigned worker, std::uint32_t reader,
                 const std::vector<ExternalRead>& reads) {
    const auto words = history_.op_words();
    const auto txn_ops = history_.txn_ops();
    for (std::size_t j = 1; j < reads.size(); ++j) {
      for (std::size_t i = j; i-- > 0;) {
        if (reads[i].key != reads[j].key) continue;
        if (reads[i].source != reads[j].source && reads[i].source != init_) {
          add(worker, reads[i].source, reads[j].source, reader, reads[j].key);
        }
        break;
      }
    }
    for (std::size_t i = 0; i + 1 < reads.size(); ++i) {
      const std::uint32_t t2 = reads[i].source;
      if (t2 == init_) continue;
      bool first = true;
      for (std::size_t j = 0; j < i; ++j) first &= reads[j].source != t2;
      if (!first) continue;
      const auto later_read = [&](std::uint32_t key) {
        for (std::size_t j = i + 1; j < reads.size(); ++j) {
          if (reads[j].key == key && reads[j].source != t2) {
            add(worker, t2, reads[j].source, reader, key);
            return;
          }
        }
      };
      if (txn_ops[t2].size() <= WriteSets::kSmall) {
        for (std::uint32_t op = txn_ops[t2].begin; op < txn_ops[t2].end; ++op) {
          if ((words[op] & 1) != 0) later_read(words[op] >> 1);
        }
        continue;
      }
      for (std::size_t j = i + 1; j < reads.size(); ++j) {
        const std::uint32_t key = reads[j].key;
        bool repeated = false;
        for (std::size_t e = i + 1; e < j; ++e) repeated |= reads[e].key == key;
        if (!repeated && index_.write_sets().contains(history_, t2, key)) {
          later_read(key);
        }
      }
    }
  }

  void infer_many(unsigned worker, std::uint32_t reader, Scratch& scratch) {
    const std::vector<ExternalRead>& reads = scratch.reads;
    scratch.later.reset(reads.size());
    scratch.read_keys.clear();
    mark_first_reads(history_, reader, reads, scratch.seen_by,
                     scratch.is_first);
    for (std::size_t i = reads.size(); i-- > 0;) {
      const std::uint32_t t2 = reads[i].source;
      const auto relate = [&](std::uint32_t key) {
        const Later* later = scratch.later.find(key);
        if (later == nullptr) return;
        const std::uint32_t t1 =
            later->nearest != t2 ? later->nearest : later->second;
        if (t1 != kNoId) add(worker, t2, t1, reader, key);
      };
      if (scratch.is_first[i] != 0) {
        for_each_shared_key(index_, t2, scratch.read_keys, relate);
      }
      Later* later = scratch.later.find(reads[i].key);
      if (later == nullptr) {
        scratch.later.insert(reads[i].key, {t2, kNoId});
        scratch.read_keys.push_back(reads[i].key);
      } else if (later->nearest != t2) {
        if (t2 != init_) add(worker, t2, later->nearest, reader, reads[i].key);
        *later = {t2, later->nearest};
      }
    }
  }
};

void infer(const Index& index, Inferences& inferences) {
  std::vector<Scratch> scratch(index.threads());
  Inferrer inferrer(index, inferences);
  infer_from_reads(inferrer, index, inferences, scratch);
}

// The read of the key must be one that comes after what was read from t2; the
// first from t1 may come before.
void show(const Index& index, OpFinder& finder, Edge& edge) {
  show_by_read(index, finder, edge);
}

}  // namespace

const Rule kReadCommittedRule = {.infer = infer, .show = show, .sample = infer};

}  // namespace awdit
