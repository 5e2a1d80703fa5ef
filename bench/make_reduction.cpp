// make_reduction: writes the history that the paper's lower bounds are made of,
// in Plume text: a random triangle-free graph as a history on which checking is
// as hard as it gets. With --triangle the graph has one, and the level breaks.
#include <fmt/compile.h>
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <iterator>
#include <map>
#include <string>

#include "history/history.h"
#include "oracle/reductions.h"

namespace {

using awdit::History;
using awdit::OpId;
using awdit::SessionId;
using awdit::TxnId;
using Reduction = History (*)(const awdit::oracle::Graph&);

const std::map<std::string, Reduction>& reductions() {
  static const std::map<std::string, Reduction> kReductions = {
      {"range", awdit::oracle::range_reduction},
      {"two-session", awdit::oracle::two_session_reduction},
      {"one-session", awdit::oracle::one_session_reduction}};
  return kReductions;
}

bool write_plume(const History& history, std::FILE* file) {
  std::string text;
  for (const TxnId txn : history.txns()) {
    const SessionId session = history.session(txn);
    for (const OpId op : history.ops(txn)) {
      fmt::format_to(std::back_inserter(text), FMT_COMPILE("{}({},{},{},{})\n"),
                     history.is_write(op) ? 'w' : 'r',
                     history.key_label(history.key(op)),
                     history.to_string(history.value(op)), session.v, txn.v);
    }
  }
  return std::fwrite(text.data(), 1, text.size(), file) == text.size();
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Writes a hard history in Plume text.", "make_reduction");
  std::string path = "-";
  std::string kind = "range";
  std::uint32_t nodes = 100;
  double density = 0.5;
  std::uint64_t seed = 1;
  bool triangle = false;
  app.add_option("-o,--output", path, "The file to write; - is standard output")
      ->capture_default_str();
  app.add_option("--kind", kind, "Which reduction of the paper")
      ->check(CLI::IsMember(reductions()))
      ->capture_default_str();
  app.add_option("--nodes", nodes, "Of the bipartite graph")
      ->check(CLI::Range(3u, 100'000u))
      ->capture_default_str();
  app.add_option("--density", density,
                 "Edges tried, as a share of all possible")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
  app.add_option("--seed", seed)->capture_default_str();
  app.add_flag("--triangle", triangle, "Add one triangle");
  CLI11_PARSE(app, argc, argv);

  const double possible = 0.25 * nodes * nodes;
  awdit::oracle::Graph graph = awdit::oracle::random_bipartite(
      nodes, static_cast<std::uint32_t>(possible * density), seed);
  if (triangle) graph = awdit::oracle::with_triangle(std::move(graph), seed);
  std::FILE* file = path == "-" ? stdout : std::fopen(path.c_str(), "wb");
  if (file == nullptr) {
    std::perror(path.c_str());
    return 2;
  }
  const bool written = write_plume(reductions().at(kind)(graph), file);
  if (std::fclose(file) != 0 || !written) {
    std::perror(path.c_str());
    return 2;
  }
  return 0;
}
