// The stages of a check, each timed by itself in one process, on the kind of
// history on which the whole is judged (bench/run), a tenth of its size. Bytes
// per second are of the input text, so that stages compare with each other and
// with memcpy of that text.
#include <benchmark/benchmark.h>

#include <cstring>
#include <string>
#include <vector>

#include "base/input.h"
#include "base/table.h"
#include "check/check.h"
#include "format/format.h"
#include "generate/generate.h"
#include "json_kernels.h"
#include "witness/witness.h"

namespace awdit::bench {
namespace {

Parameters shape() {
  Parameters parameters;
  parameters.operations = 1'000'000;
  parameters.sessions = 50;
  parameters.min_txn_ops = parameters.max_txn_ops = 8;
  parameters.keys = 100'000;
  parameters.distribution.kind = Distribution::Kind::zipf;
  return parameters;
}

const std::string& text() {
  static const std::string kText = [] {
    const Result<History> made = generate(shape(), 2);
    std::string all;
    Sink sink(all);
    find_row(formats(), "plume")->write(*made, [&](std::string_view) -> Sink& {
      return sink;
    });
    sink.flush();
    return all;
  }();
  return kText;
}

void generate_run(benchmark::State& state) {
  for (auto _ : state) {
    benchmark::DoNotOptimize(
        generate(shape(), static_cast<unsigned>(state.range(0))));
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()) *
                          static_cast<std::int64_t>(shape().operations));
}

History parse(unsigned threads) {
  const Input input = Input::of(text());
  Result<History> history =
      find_row(formats(), "plume")->parse({&input, 1}, threads);
  return std::move(*history);
}

const History& history() {
  static const History kHistory = parse(2);
  return kHistory;
}

void count_bytes(benchmark::State& state) {
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) *
                          static_cast<std::int64_t>(text().size()));
}

void copy_text(benchmark::State& state) {
  std::string copy(text().size(), ' ');
  for (auto _ : state) {
    std::memcpy(copy.data(), text().data(), copy.size());
    benchmark::ClobberMemory();
  }
  count_bytes(state);
}

void parse_plume(benchmark::State& state) {
  text();
  for (auto _ : state) {
    benchmark::DoNotOptimize(parse(static_cast<unsigned>(state.range(0))));
  }
  count_bytes(state);
}

// The index and one level; what levels have in common is the time of
// adya-read-committed, which hardly needs more.
void check_level(benchmark::State& state, const Level& level) {
  history();
  const Level* const asked[] = {&level};
  Options options;
  options.threads = static_cast<unsigned>(state.range(0));
  for (auto _ : state) {
    benchmark::DoNotOptimize(check(history(), asked, options));
  }
  count_bytes(state);
}

void verify_level(benchmark::State& state, const Level& level) {
  const Level* const asked[] = {&level};
  Options options;
  options.threads = 2;
  options.commit_order = true;
  const Result<Report> report = check(history(), asked, options);
  for (auto _ : state) {
    if (!verify(history(), report->levels[0]).accepted) {
      state.SkipWithError("the evidence was rejected");
    }
  }
  count_bytes(state);
}

void declare() {
  const auto add = [](const std::string& name, auto function, bool threads) {
    auto* entry = benchmark::RegisterBenchmark(name.c_str(), function);
    entry->Unit(benchmark::kMillisecond)->UseRealTime();
    if (threads) entry->ArgName("threads")->Arg(1)->Arg(2);
  };
  add("memcpy", copy_text, false);
  add("generate", generate_run, true);
  add("parse/plume", parse_plume, true);
  for (const Level& level : levels()) {
    if (level.real_time) continue;  // generated histories have no times
    const std::string name(level.name);
    add(
        "check/" + name,
        [&level](benchmark::State& state) { check_level(state, level); }, true);
    add(
        "verify/" + name,
        [&level](benchmark::State& state) { verify_level(state, level); },
        false);
  }
}

}  // namespace
}  // namespace awdit::bench

int main(int argc, char** argv) {
  awdit::bench::declare();
  awdit::bench::declare_json();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
