// The stages of a check on a file, one after the other in one process: what
// each takes and how much memory it adds. bench/run makes a table of it.
//
//   stages time|memory PATH [THREADS]
//
// A line per stage: name, seconds, bytes at its peak, bytes that stay; tabs
// between them. Bytes are resident memory, above what there was before the
// stage; pages of the input that a stage has mapped count. A stage takes over
// the pages that those before it have freed (base/array.cpp), which hides what
// it needs: `memory` gives them back to the system between stages, and then the
// seconds are not those of a normal run.
//
// Parsing and building overlap in `read_history`, and only the builder is a
// door of its own. So the history is put into a builder once more, operation by
// operation as the input has them, in as many shards as there are threads: the
// time of `Builder::finish` is measured, and the difference is parsing.
#include <malloc.h>
#include <sys/mman.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/array.h"
#include "base/input.h"
#include "base/parallel.h"
#include "check/check.h"
#include "format/format.h"
#include "history/builder.h"

namespace {

using awdit::Builder;
using awdit::History;
using awdit::OpId;
using awdit::TxnId;

// A line of /proc/self/status, in bytes; 0 if the system has none.
std::int64_t status_bytes(const std::string& field) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with(field + ":")) {
      return std::atoll(line.c_str() + field.size() + 1) * 1024;
    }
  }
  return 0;
}

// Gives freed pages back to the system: takes blocks, which come from the
// lowest addresses that are free, until they are more than can have been freed.
// Small blocks, so that they fit between arrays that are in use.
void release_freed(std::size_t most_bytes) {
  malloc_trim(0);
  constexpr std::size_t kBlock = std::size_t{256} << 10;
  std::vector<void*> blocks;
  for (std::size_t taken = 0; taken < most_bytes; taken += kBlock) {
    blocks.push_back(awdit::allocate_pages(kBlock, 1));
    madvise(blocks.back(), kBlock, MADV_DONTNEED);
  }
  for (void* const block : blocks) awdit::free_pages(block, kBlock);
}

bool for_memory = false;

template <typename Body>
void stage(const std::string& name, const Body& body) {
  const auto release = [] {
    if (for_memory) {
      release_freed(static_cast<std::size_t>(status_bytes("VmRSS")) * 2);
    }
  };
  release();
  std::ofstream("/proc/self/clear_refs") << "5";  // the peak starts here
  const std::int64_t before = status_bytes("VmRSS");
  const auto start = std::chrono::steady_clock::now();
  body();
  const std::chrono::duration<double> seconds =
      std::chrono::steady_clock::now() - start;
  const std::int64_t peak = status_bytes("VmHWM");
  release();
  std::printf("%s\t%.6f\t%lld\t%lld\n", name.c_str(), seconds.count(),
              static_cast<long long>(std::max<std::int64_t>(0, peak - before)),
              static_cast<long long>(status_bytes("VmRSS") - before));
}

[[noreturn]] void give_up(const awdit::Error& error) {
  std::fputs(to_string(error).c_str(), stderr);
  std::exit(2);
}

// The least that anybody who looks at every byte must pay.
std::uint64_t sum_of_bytes(const awdit::Input& input, unsigned threads) {
  const std::string_view bytes = input.bytes();
  std::vector<std::uint64_t> sums(threads);
  awdit::parallel_for(threads, threads, [&](std::size_t part, unsigned) {
    std::uint64_t sum = 0;
    const std::size_t end = bytes.size() * (part + 1) / threads;
    for (std::size_t at = bytes.size() * part / threads; at < end; ++at) {
      sum += static_cast<unsigned char>(bytes[at]);
    }
    sums[part] = sum;
  });
  std::uint64_t all = 0;
  for (const std::uint64_t sum : sums) all += sum;
  return all;
}

// The operations in the order of their lines.
std::vector<std::uint32_t> input_order(const History& history) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> lines;
  lines.reserve(history.num_ops());
  for (const std::uint32_t txn : history.input_order()) {
    const auto ops = history.ops(TxnId(txn));
    for (std::uint32_t op = ops.first; op < ops.last; ++op) {
      lines.push_back({history.place(OpId(op)).line, op});
    }
  }
  std::stable_sort(
      lines.begin(), lines.end(),
      [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::uint32_t> order;
  order.reserve(lines.size());
  for (const auto& [line, op] : lines) order.push_back(op);
  return order;
}

void fill(Builder& builder, const History& history, unsigned threads) {
  const std::vector<std::uint32_t> order = input_order(history);
  for (unsigned part = 0; part < threads; ++part) {
    Builder::Shard& shard = builder.add_shard();
    const std::size_t end = order.size() * (part + 1) / threads;
    std::size_t at = order.size() * part / threads;
    shard.lines = static_cast<std::uint32_t>(end - at);
    shard.reserve(end - at);
    for (; at < end; ++at) {
      const OpId op(order[at]);
      const TxnId txn = history.txn_of(op);
      shard.select(history.session_atom(history.session(txn)),
                   history.txn_label(txn).value_or(Builder::kNoLabel),
                   history.status(txn));
      const awdit::Atom key = history.key_atom(history.key(op));
      if (history.is_write(op)) {
        shard.write(key, history.value(op));
      } else {
        shard.read(key, history.value(op));
      }
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  if (argc < 3 || (what != "time" && what != "memory")) {
    std::fputs("usage: stages time|memory PATH [THREADS]\n", stderr);
    return 2;
  }
  for_memory = what == "memory";
  const std::string path = argv[2];
  const unsigned threads =
      argc > 3 ? static_cast<unsigned>(std::max(1, std::atoi(argv[3]))) : 1;
  {
    std::optional<awdit::Input> input;
    std::uint64_t sum = 0;
    stage("bytes", [&] {
      awdit::Result<awdit::Input> opened = awdit::Input::open(path);
      if (!opened) give_up(opened.error());
      input.emplace(std::move(*opened));
      sum = sum_of_bytes(*input, threads);
    });
    // Somebody must want the sum, or the compiler leaves it out.
    std::fprintf(stderr, "sum of all bytes: %llu\n",
                 static_cast<unsigned long long>(sum));
  }
  std::optional<History> history;
  stage("read", [&] {
    awdit::Result<awdit::Loaded> loaded =
        awdit::read_history(path, nullptr, threads);
    if (!loaded) give_up(loaded.error());
    history.emplace(std::move(loaded->history));
  });
  if (!history->has_lists()) {
    Builder builder({.initial_value = history->initial_value(),
                     .labels_are_ids = true,
                     .has_lines = true});
    fill(builder, *history, threads);
    std::optional<awdit::Result<History>> again;
    stage("finish", [&] { again.emplace(builder.finish(threads)); });
    if (!*again) give_up(again->error());
  }
  const auto decide = [&](const std::string& name,
                          std::span<const awdit::Level* const> asked) {
    awdit::Options options;
    options.threads = threads;
    std::optional<awdit::Result<awdit::Report>> report;
    stage(name, [&] { report.emplace(check(*history, asked, options)); });
    if (!*report) give_up(report->error());
  };
  const std::vector<const awdit::Level*> all =
      awdit::applicable_levels(*history);
  for (const awdit::Level* const level : all) {
    decide("check " + std::string(level->name), {&level, 1});
  }
  decide("check all", all);
  stage("free", [&] { history.reset(); });
  return 0;
}
