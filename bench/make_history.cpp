// make_history: writes a seeded serializable history in Plume text, by default
// the one on which AWDIT's speed is judged. See serial_history.h.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <map>
#include <string>

#include "serial_history.h"

namespace {

using awdit::bench::Order;
using awdit::bench::Shape;

void declare_options(CLI::App& app, Shape& shape, std::string& path) {
  static const std::map<std::string, Order> kOrders = {
      {"time", Order::time},
      {"session", Order::session},
      {"interleaved", Order::interleaved}};
  app.add_option("-o,--output", path, "The file to write; - is standard output")
      ->capture_default_str();
  app.add_option("--operations", shape.operations,
                 "How many, rounded up to whole transactions")
      ->capture_default_str();
  app.add_option("--sessions", shape.sessions)
      ->check(CLI::Range(1u, 1'000'000u))
      ->capture_default_str();
  app.add_option("--operations-per-transaction",
                 shape.operations_per_transaction)
      ->check(CLI::Range(1u, 1'000'000u))
      ->capture_default_str();
  app.add_option("--keys", shape.keys)
      ->check(CLI::Range(1u, 1'000'000'000u))
      ->capture_default_str();
  app.add_option("--zipf", shape.theta,
                 "Skew of the keys' popularity; 0 is uniform")
      ->check(CLI::Range(0.0, 10.0))
      ->capture_default_str();
  app.add_option("--reads", shape.read_ratio,
                 "Probability that an operation is a read")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
  app.add_option("--seed", shape.seed)->capture_default_str();
  app.add_flag("--values-per-key", shape.values_per_key,
               "Count the values of each key by itself");
  app.add_option("--order", shape.order, "Of the lines")
      ->transform(CLI::CheckedTransformer(kOrders).description(
          "time, session or interleaved"))
      ->default_str("time");
  app.add_flag("--violate", shape.violate,
               "Plant one fractured read near the end");
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Writes a serializable history in Plume text.", "make_history");
  Shape shape;
  std::string path = "-";
  declare_options(app, shape, path);
  CLI11_PARSE(app, argc, argv);
  if (shape.violate && shape.sessions < 2) {
    std::fputs("make_history: --violate needs two sessions\n", stderr);
    return 2;
  }
  std::FILE* file = path == "-" ? stdout : std::fopen(path.c_str(), "wb");
  if (file == nullptr) {
    std::perror(path.c_str());
    return 2;
  }
  std::setvbuf(file, nullptr, _IONBF, 0);
  bool written = true;
  awdit::bench::write_serial_history(shape, [&](std::string_view text) {
    written = written &&
              std::fwrite(text.data(), 1, text.size(), file) == text.size();
  });
  if (std::fclose(file) != 0 || !written) {
    std::perror(path.c_str());
    return 2;
  }
  return 0;
}
