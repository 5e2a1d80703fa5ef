// Read Atomic: all effects of a transaction are seen or none.
//
//   t1 wr_x t3,  t2 writes x,  t2 so u wr t3,  t1 != t2   =>   t2 co t1
//
// Idea: the two cases of "t2 so u wr t3" are taken apart.
// so: among the writers of x before t3 in its session only the last one counts
// (check/last_writers.h): O(n log n).
// wr: for each t2 that t3 read from, the keys that t2 writes and t3 reads, by
// going through the smaller set: O(n^1.5). A t2 of t3's own session is left to
// the so case; so a history of one session costs no more than that.
// A transaction that reads a key from two others violates the level by itself
// (non-repeatable read); its later reads play no part as t1.
// Source: the paper's algorithm CheckRA.
#include <algorithm>

#include "check/commit_graph.h"
#include "check/engines.h"
#include "check/key_map.h"
#include "check/last_writers.h"
#include "check/read_gatherer.h"

namespace awdit {
namespace {

struct Scratch {
  std::vector<ExternalRead> reads;
  // For large readers:
  KeyMap<std::uint32_t> first_source;  // [key] of its first read
  std::vector<std::uint32_t> seen_by;  // [txn] -> reader
  std::vector<std::uint32_t> read_keys;
};

class Inferrer {
 public:
  Inferrer(const Index& index, Inferences& inferences)
      : index_(index),
        history_(index.history()),
        inferences_(inferences),
        last_(index, inferences),
        init_(history_.init_txn().v) {}

  void infer(unsigned worker, std::uint32_t reader, Scratch& scratch) {
    gather_reads(index_, reader, scratch.reads);
    if (scratch.reads.size() <= kFewReads) {
      infer_few(worker, reader, scratch.reads);
    } else {
      infer_many(worker, reader, scratch);
    }
  }

 private:
  void add(unsigned worker, std::uint32_t t2, std::uint32_t t1,
           std::uint32_t reader, std::uint32_t key) {
    inferences_.add(worker, {t2, t1, reader, key});
  }

  // The so case, of the first read of a key.
  void infer_so(unsigned worker, std::uint32_t reader, std::uint32_t key,
                std::uint32_t source) {
    const std::uint32_t t2 = last_.before(key, reader);
    if (t2 != kNoId && t2 != source) add(worker, t2, source, reader, key);
  }

  // Whether the so case covers t2.
  bool in_session_before(std::uint32_t t2, std::uint32_t reader) const {
    const auto sessions = history_.txn_sessions();
    return t2 < reader && sessions[t2] == sessions[reader];
  }

  static bool is_first_of_key(const std::vector<ExternalRead>& reads,
                              std::size_t i) {
    return std::none_of(reads.data(), reads.data() + i,
                        [&](const ExternalRead& earlier) {
                          return earlier.key == reads[i].key;
                        });
  }

  void infer_few(unsigned worker, std::uint32_t reader,
                 const std::vector<ExternalRead>& reads) {
    const auto words = history_.op_words();
    const auto txn_ops = history_.txn_ops();
    for (std::size_t i = 0; i < reads.size(); ++i) {
      const std::uint32_t t2 = reads[i].source;
      if (is_first_of_key(reads, i)) {
        infer_so(worker, reader, reads[i].key, t2);
      }
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
        if (is_first_of_key(reads, j) && reads[j].source != t2 &&
            index_.write_sets().contains(history_, t2, key)) {
          add(worker, t2, reads[j].source, reader, key);
        }
      }
    }
  }

  void infer_many(unsigned worker, std::uint32_t reader, Scratch& scratch) {
    const auto words = history_.op_words();
    const auto txn_ops = history_.txn_ops();
    scratch.first_source.reset(scratch.reads.size());
    if (scratch.seen_by.empty()) {
      scratch.seen_by.assign(history_.num_txns(), kNoId);
    }
    scratch.read_keys.clear();
    for (const ExternalRead& read : scratch.reads) {
      if (scratch.first_source.find(read.key) != nullptr) continue;
      scratch.first_source.insert(read.key, read.source);
      infer_so(worker, reader, read.key, read.source);
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
      const std::uint32_t size = txn_ops[t2].size();
      if (size <= WriteSets::kSmall ||
          size / kScanBias <= scratch.read_keys.size()) {
        for (std::uint32_t op = txn_ops[t2].begin; op < txn_ops[t2].end; ++op) {
          if ((words[op] & 1) != 0) relate(words[op] >> 1);
        }
      } else {
        for (const std::uint32_t key : scratch.read_keys) {
          if (index_.write_sets().contains(history_, t2, key)) relate(key);
        }
      }
    }
  }

  const Index& index_;
  const History& history_;
  Inferences& inferences_;
  LastWriters last_;
  std::uint32_t init_;
};

void infer(const Index& index, Inferences& inferences) {
  std::vector<Scratch> scratch(index.threads());
  Inferrer inferrer(index, inferences);
  for_each_reader(index, inferences,
                  [&](unsigned worker, std::uint32_t reader) {
                    inferrer.infer(worker, reader, scratch[worker]);
                  });
}

void show(const Index& index, OpFinder& finder, Edge& edge) {
  const History& history = index.history();
  if (edge.from < edge.reader &&
      history.session(edge.from) == history.session(edge.reader)) {
    edge.seen = {session_step(edge.from.v, edge.reader.v)};
  } else {
    edge.seen = {reads_from_step(index, finder, edge.from.v, edge.reader.v,
                                 finder.read_from(edge.reader.v, edge.from.v))};
  }
}

constexpr Rule kRule = {.infer = infer, .show = show};

}  // namespace

void decide_read_atomic(Index& index, const Options& options,
                        LevelReport& report) {
  decide_by_rule(index, options, true, &kRule, report);
}

}  // namespace awdit
