// Idea: versions of a key follow the commit order, and a list is a version with
// all that went into it. So the longest list of a key says in which order the
// makers of its elements committed, at any level; whoever appended to the key
// and is not in it came later, and if the list ends with elements of its
// reader, who looked at the version that it was making, later than the reader.
// Shorter lists are beginnings of it and have nothing to add.
// Invariant: as the list has no finding, its elements come in whole blocks, but
// for the reader's own at its end.
// Cost: O(n) expected; 4 bytes per transaction and key that it appends to.
#include "check/list_versions.h"

#include <algorithm>
#include <utility>

#include "base/assert.h"
#include "check/appends.h"
#include "check/by_key.h"
#include "check/sources.h"

namespace awdit {
namespace {

struct Tuple {
  std::uint32_t word;
  std::uint32_t op;
  std::uint32_t txn;

  bool is_write() const { return (word & 1) != 0; }
};

struct Worker {
  Appends appends;
  std::vector<std::uint8_t> listed;  // [append that begins a block]
  ListVersions found;
};

OpId longest_list(const History& history,
                  std::span<const std::uint32_t> sources,
                  std::span<const Tuple> tuples) {
  OpId longest;
  std::size_t size = 0;
  for (const Tuple& tuple : tuples) {
    if (tuple.is_write() || sources[tuple.op] == kSetAside) continue;
    const OpId read(tuple.op);
    if (history.list_size(read) <= size) continue;
    longest = read;
    size = history.list_size(read);
  }
  return longest;
}

void order_key(const History& history, std::span<const std::uint32_t> sources,
               std::uint32_t key, std::span<const Tuple> tuples,
               Worker& worker) {
  const OpId longest = longest_list(history, sources, tuples);
  if (!longest.valid()) return;
  Appends& appends = worker.appends;
  appends.clear();
  for (const Tuple& tuple : tuples) {
    if (!tuple.is_write()) continue;
    appends.add(history.value(OpId(tuple.op)), tuple.op, tuple.txn,
                Status::committed);
  }
  appends.finish();
  if (appends[0].block_end == appends.size()) return;  // one alone

  std::vector<std::uint32_t>& txns = worker.found.txns;
  const auto first = static_cast<std::uint32_t>(txns.size());
  worker.listed.assign(appends.size(), 0);
  for (std::size_t place = 0; place < history.list_size(longest);) {
    const std::uint32_t append = appends.find(history.element(longest, place));
    AWDIT_ASSERT(append != Appends::kNone && append == appends[append].block);
    worker.listed[append] = 1;
    txns.push_back(appends[append].txn);
    place += appends[append].block_end - append;
  }
  const auto ordered = static_cast<std::uint32_t>(txns.size());
  for (std::uint32_t i = 0; i < appends.size(); i = appends[i].block_end) {
    if (worker.listed[i] == 0) txns.push_back(appends[i].txn);
  }
  worker.found.keys.push_back(
      {key, longest, first, ordered, static_cast<std::uint32_t>(txns.size())});
}

}  // namespace

ListVersions find_list_versions(const History& history,
                                std::span<const std::uint32_t> sources,
                                std::span<const std::uint32_t> txns,
                                unsigned threads) {
  std::vector<Worker> workers(threads);
  for_each_key<Tuple>(
      history, make_key_layout(history, {}, threads), txns, threads,
      [](std::uint32_t txn, std::uint32_t op, std::uint32_t word,
         Tuple& tuple) {
        tuple = {word, op, txn};
      },
      [&](unsigned worker, std::uint32_t key, std::span<Tuple> tuples) {
        order_key(history, sources, key, tuples, workers[worker]);
      });
  // Which worker got which key is chance; the result is not.
  std::vector<std::pair<const Worker*, const ListVersions::Key*>> found;
  std::size_t count = 0;
  for (const Worker& worker : workers) {
    for (const ListVersions::Key& key : worker.found.keys) {
      found.emplace_back(&worker, &key);
    }
    count += worker.found.txns.size();
  }
  std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
    return a.second->key < b.second->key;
  });
  ListVersions all;
  all.keys.reserve(found.size());
  all.txns.reserve(count);
  for (const auto& [worker, key] : found) {
    const auto first = static_cast<std::uint32_t>(all.txns.size());
    all.keys.push_back({key->key, key->shown, first,
                        first + (key->ordered - key->first),
                        first + (key->end - key->first)});
    const auto makers = worker->found.txns.begin();
    all.txns.insert(all.txns.end(), makers + key->first, makers + key->end);
  }
  return all;
}

bool versions_ascend(const ListVersions& versions,
                     std::span<const std::uint32_t> ranks) {
  bool ascend = true;
  versions.for_each_pair(
      [&](std::uint32_t older, std::uint32_t newer, std::uint32_t) {
        ascend &= ranks[older] < ranks[newer];
      });
  return ascend;
}

}  // namespace awdit
