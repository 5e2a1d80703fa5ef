#include "cli/siblings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <new>
#include <system_error>
#include <unordered_map>
#include <utility>
#include <vector>

namespace awdit::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostFiles = 16;
constexpr std::uintmax_t kMostBytes = std::uintmax_t{64} << 20;
constexpr std::size_t kMostEntries = 10000;  // of a directory
constexpr std::size_t kMostValues = 4096;

// Atoms of two histories have nothing in common but what they say.
std::string spelt(const History& history, Atom atom) {
  return std::to_string(static_cast<int>(atom.kind)) + history.to_string(atom);
}

// Key -> values, of reads that returned what nobody wrote.
using Missing = std::unordered_map<std::string, std::vector<std::string>>;

Missing missing_values(const History& history, const Report& report) {
  Missing missing;
  std::size_t count = 0;
  for (const LevelReport& level : report.levels) {
    for (const Violation& violation : level.violations) {
      if (violation.kind != Kind::thin_air_read) continue;
      if (count++ == kMostValues) return missing;
      const OpId read = violation.finding()->read;
      const std::uint32_t element = violation.finding()->element;
      const Atom value = element != kNoId ? history.element(read, element)
                                          : history.value(read);
      missing[spelt(history, history.key_atom(history.key(read)))].push_back(
          spelt(history, value));
    }
  }
  return missing;
}

// "x=5", or "" if none of them is written here.
std::string example_of(const History& history, const Missing& missing) {
  std::vector<const std::vector<std::string>*> wanted(history.num_keys());
  for (std::uint32_t k = 0; k < history.num_keys(); ++k) {
    const auto found = missing.find(spelt(history, history.key_atom(KeyId(k))));
    if (found != missing.end()) wanted[k] = &found->second;
  }
  for (std::uint32_t i = 0; i < history.num_ops(); ++i) {
    const OpId op(i);
    const std::uint32_t key = history.key(op).v;
    if (!history.is_write(op) || wanted[key] == nullptr) continue;
    const std::string value = spelt(history, history.value(op));
    if (std::find(wanted[key]->begin(), wanted[key]->end(), value) !=
        wanted[key]->end()) {
      return fmt::format("{}={}", history.key_label(KeyId(key)),
                         history.to_string(history.value(op)));
    }
  }
  return "";
}

bool same_file(const std::string& a, const std::string& b) {
  std::error_code failed;
  return a == b || fs::equivalent(a, b, failed);
}

// Files with the same ending in the same directory, by name.
std::vector<std::string> neighbours(const std::string& path) {
  std::vector<std::string> found;
  std::error_code failed;
  const fs::path own(path);
  fs::directory_iterator entry(
      own.has_parent_path() ? own.parent_path() : fs::path("."), failed);
  for (std::size_t i = 0;
       !failed && entry != fs::directory_iterator() && i < kMostEntries; ++i) {
    if (entry->path().extension() == own.extension()) {
      found.push_back(own.has_parent_path()
                          ? entry->path().string()
                          : entry->path().filename().string());
    }
    entry.increment(failed);
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::optional<std::string> look(const Loaded& loaded, const Report& report,
                                std::span<const std::string> paths,
                                std::span<const std::string> all,
                                unsigned threads) {
  std::error_code failed;
  if (!loaded.format->joins || !fs::is_regular_file(paths[0], failed)) {
    return std::nullopt;
  }
  const Missing missing = missing_values(loaded.history, report);
  if (missing.empty()) return std::nullopt;
  std::vector<std::string> others(all.begin(), all.end());
  if (others.size() == paths.size()) others = neighbours(paths[0]);
  std::size_t files = 0;
  std::uintmax_t bytes = 0;
  for (const std::string& other : others) {
    if (!fs::is_regular_file(other, failed) ||
        std::any_of(paths.begin(), paths.end(), [&](const std::string& path) {
          return same_file(path, other);
        })) {
      continue;
    }
    bytes += fs::file_size(other, failed);
    if (failed || ++files > kMostFiles || bytes > kMostBytes) break;
    const Result<Loaded> sibling = read_history(other, loaded.format, threads);
    if (!sibling) continue;
    const std::string example = example_of(sibling->history, missing);
    if (example.empty()) continue;
    return fmt::format(
        "values that nobody wrote here, such as {}, are written in {}: are "
        "these files parts of one history? Check them together with --join.",
        example, other);
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> found_in_siblings(const Loaded& loaded,
                                             const Report& report,
                                             std::span<const std::string> paths,
                                             std::span<const std::string> all,
                                             unsigned threads) {
  try {
    return look(loaded, report, paths, all, threads);
  } catch (const std::bad_alloc&) {
    return std::nullopt;  // the verdicts stand without it
  }
}

}  // namespace awdit::cli
