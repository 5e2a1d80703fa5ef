// Read Atomic: all effects of a transaction are seen or none.
//
//   t1 wr_x t3,  t2 writes x,  t2 so u wr t3,  t1 != t2   =>   t2 co t1
//
// Idea: the two cases of "t2 so u wr t3" are taken apart.
// so: among the writers of x before t3 in its session only the last one counts;
// the events of a key, swept once, give it for every read: linear.
// wr: for each t2 that t3 read from, the keys that t2 writes and t3 reads, by
// going through the smaller set: O(n^1.5). A t2 of t3's own session is left to
// the so case; so a history of one session costs linear time.
// A transaction that reads a key from two others violates the level by itself
// (non-repeatable read); its later reads play no part as t1.
// Source: the paper's algorithm CheckRA.

#include "check/commit_graph.h"
#include "check/engines.h"
#include "check/key_map.h"
#include "check/read_gatherer.h"

namespace awdit {
namespace {

struct Scratch {
  std::vector<ExternalRead> reads;
  // For large readers:
  KeyMap<std::uint32_t> first_source;  // [key] of its first read
  std::vector<std::uint32_t> seen_by;  // [txn] -> reader
  std::vector<std::uint32_t> read_keys;
  // For the so case: [session] -> key, and the last writer of that key.
  std::vector<std::uint32_t> written_key;
  std::vector<std::uint32_t> last_writer;
};

class Inferrer : public DirectRule {
 public:
  using DirectRule::DirectRule;

  void infer_so(unsigned worker, std::uint32_t key,
                std::span<const Event> events, Scratch& scratch) {
    if (scratch.written_key.empty()) {
      scratch.written_key.assign(history_.num_sessions(), kNoId);
      scratch.last_writer.resize(history_.num_sessions());
    }
    const auto sessions = history_.txn_sessions();
    for (const Event& event : events) {
      const std::uint32_t session = sessions[event.txn];
      if (event.is_write()) {
        scratch.written_key[session] = key;
        scratch.last_writer[session] = event.txn;
      } else if (scratch.written_key[session] == key) {
        const std::uint32_t t2 = scratch.last_writer[session];
        if (t2 != event.read_from()) {
          add(worker, t2, event.read_from(), event.txn, key);
        }
      }
    }
  }

  void infer_few(unsigned worker, std::uint32_t reader,
                 const std::vector<ExternalRead>& reads) {
    const auto words = history_.op_words();
    const auto txn_ops = history_.txn_ops();
    for (std::size_t i = 0; i < reads.size(); ++i) {
      const std::uint32_t t2 = reads[i].source;
      if (t2 == init_ || in_session_before(t2, reader)) continue;
      bool first = true;
      for (std::size_t j = 0; j < i; ++j) first &= reads[j].source != t2;
      if (!first) continue;
      if (txn_ops[t2].size() <= WriteSets::kSmall) {
        for (std::uint32_t op = txn_ops[t2].begin; op < txn_ops[t2].end; ++op) {
          if ((words[op] & 1) == 0) continue;
          const std::uint32_t key = words[op] >> 1;
          for (const ExternalRead& read : reads) {
            if (read.key != key) continue;
            if (read.source != t2) add(worker, t2, read.source, reader, key);
            break;  // the first read of the key decides
          }
        }
        continue;
      }
      for (std::size_t j = 0; j < reads.size(); ++j) {
        const std::uint32_t key = reads[j].key;
        bool repeated = false;
        for (std::size_t e = 0; e < j; ++e) repeated |= reads[e].key == key;
        if (!repeated && reads[j].source != t2 &&
            index_.write_sets().contains(history_, t2, key)) {
          add(worker, t2, reads[j].source, reader, key);
        }
      }
    }
  }

  void infer_many(unsigned worker, std::uint32_t reader, Scratch& scratch) {
    scratch.first_source.reset(scratch.reads.size());
    if (scratch.seen_by.empty()) {
      scratch.seen_by.assign(history_.num_txns(), kNoId);
    }
    scratch.read_keys.clear();
    for (const ExternalRead& read : scratch.reads) {
      if (scratch.first_source.find(read.key) != nullptr) continue;
      scratch.first_source.insert(read.key, read.source);
      scratch.read_keys.push_back(read.key);
    }
    for (const ExternalRead& read : scratch.reads) {
      const std::uint32_t t2 = read.source;
      if (t2 == init_ || in_session_before(t2, reader) ||
          scratch.seen_by[t2] == reader) {
        continue;
      }
      scratch.seen_by[t2] = reader;
      const auto relate = [&](std::uint32_t key) {
        const std::uint32_t* t1 = scratch.first_source.find(key);
        if (t1 != nullptr && *t1 != t2) add(worker, t2, *t1, reader, key);
      };
      for_each_shared_key(index_, t2, scratch.read_keys, relate);
    }
  }

 private:
  // Whether the so case covers t2.
  bool in_session_before(std::uint32_t t2, std::uint32_t reader) const {
    const auto sessions = history_.txn_sessions();
    return t2 < reader && sessions[t2] == sessions[reader];
  }
};

// The so case where everything is one window, which it never is of lists: a
// walk along each session that knows who wrote a key last.
void infer_so_of_all(const Index& index, Inferences& inferences) {
  // Of the last session that came by, which has the highest numbers so far.
  struct Last {
    std::uint32_t writer;  // + 1; 0: nobody
    std::uint32_t reader;  // likewise
  };
  constexpr std::uint32_t kAhead = 2;  // transactions
  const History& history = index.history();
  const std::uint32_t* const words = history.op_words().data();
  const std::uint32_t* const sources = index.sources().data();
  const History::OpSpan* const txn_ops = history.txn_ops().data();
  std::vector<Array<Last>> tables(index.threads());
  parallel_for(
      history.num_sessions(), index.threads(),
      [&](std::size_t session, unsigned worker) {
        if (tables[worker].empty()) {
          tables[worker] = Array<Last>(history.num_keys(), {0, 0});
        }
        Last* const last = tables[worker].data();
        const std::uint32_t first = history.session_first_txn()[session];
        const std::uint32_t end = history.session_first_txn()[session + 1];
        Pace pace(index.budget());
        for (std::uint32_t txn = first; txn < end; ++txn) {
          if (txn + kAhead < end) {
            const auto coming = txn_ops[txn + kAhead];
            for (std::uint32_t op = coming.begin; op < coming.end; ++op) {
              __builtin_prefetch(&last[words[op] >> 1], 1);
            }
          }
          if (!index.live(txn)) continue;
          const auto ops = txn_ops[txn];
          pace.step(1 + ops.size());
          for (std::uint32_t op = ops.begin; op < ops.end; ++op) {
            Last& it = last[words[op] >> 1];
            if (sources[op] == kIsWrite) {
              it.writer = txn + 1;
            } else if (is_external(sources[op]) && it.reader != txn + 1) {
              it.reader = txn + 1;
              if (it.writer <= first || it.writer == sources[op] + 1) continue;
              inferences.add(worker,
                             {it.writer - 1, sources[op], txn, words[op] >> 1});
            }
          }
        }
      });
}

void infer(const Index& index, Inferences& inferences) {
  std::vector<Scratch> scratch(index.threads());
  Inferrer inferrer(index, inferences);
  infer_from_reads(inferrer, index, inferences, scratch);
  if (inferences.is_whole()) {
    infer_so_of_all(index, inferences);
    return;
  }
  index.for_each_key_with_events(
      [&](unsigned worker, std::uint32_t key, std::span<const Event> events) {
        inferrer.infer_so(worker, key, events, scratch[worker]);
      });
}

void show(const Index& index, OpFinder& finder, Edge& edge) {
  const History& history = index.history();
  if (edge.from < edge.reader &&
      history.session(edge.from) == history.session(edge.reader)) {
    edge.seen = {session_step(edge.from.v, edge.reader.v)};
  } else {
    show_by_read(index, finder, edge);
  }
}

}  // namespace

void sample_direct(const Index& index, Inferences& inferences) {
  std::vector<Scratch> scratch(index.threads());
  Inferrer inferrer(index, inferences);
  infer_from_reads(inferrer, index, inferences, scratch);
}

const Rule kReadAtomicRule = {.infer = infer,
                              .show = show,
                              .needs_events = true,
                              .sample = sample_direct};

}  // namespace awdit
