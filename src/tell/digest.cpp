#include "tell/digest.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

namespace awdit {
namespace {

// "thin-air-read" -> "thin air read"; a hyphenated "non-" stays, what is
// violated keeps its name, and names that are no words become some.
std::string words(Kind kind) {
  if (kind == Kind::g2_item) return "G2-item cycle";
  if (kind == Kind::g_nonadjacent) return "G-nonadjacent cycle";
  std::string text(anomaly(kind).name);
  if (const std::size_t end = text.rfind("-violation"); end != text.npos) {
    return text.replace(end, 1, " ");
  }
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '-' && std::string_view(text).substr(0, i) != "non") {
      text[i] = ' ';
    }
  }
  return text;
}

}  // namespace

std::vector<LevelDigest> digest(const Report& report) {
  const std::size_t kinds = anomalies().size();
  // Identity -> the first level that has it, as in the report.
  std::unordered_map<std::uint64_t, std::uint32_t> known;
  std::vector<LevelDigest> digests;
  for (std::uint32_t at = 0; at < report.levels.size(); ++at) {
    const LevelReport& level = report.levels[at];
    LevelDigest& here = digests.emplace_back();
    here.of_kind.resize(kinds);
    here.more = level.more;
    // [level * kinds + kind], the last level: a weaker one not asked for
    std::vector<std::uint64_t> shares((at + 1) * kinds, 0);
    for (std::size_t i = 0; i < level.violations.size(); ++i) {
      const Violation& violation = level.violations[i];
      const auto kind = static_cast<std::size_t>(violation.kind);
      // The last level's findings are compared with those before, but nothing
      // is compared with them.
      const std::uint64_t hash = identity(violation);
      const auto found = known.find(hash);
      if (found != known.end() && found->second != at) {
        ++shares[found->second * kinds + kind];
        ++here.inherited;
        continue;
      }
      if (&level != &report.levels.back()) known.emplace(hash, at);
      here.fresh.push_back(&violation);
      if (i < level.inherited && level.follows_from != nullptr) {
        ++shares[at * kinds + kind];
      } else {
        ++here.of_kind[kind];
      }
    }
    for (std::size_t i = 0; i < shares.size(); ++i) {
      if (shares[i] == 0) continue;
      const std::size_t from = i / kinds;
      const Level* const origin =
          from == at ? level.follows_from : report.levels[from].level;
      here.shares.push_back({origin, static_cast<Kind>(i % kinds), shares[i],
                             implies(*level.level, *origin)});
    }
  }
  return digests;
}

Tally tally(const History& history, const Report& report) {
  std::uint64_t with[3] = {};  // [status]
  const auto index = [](Status status) {
    return static_cast<std::size_t>(status);
  };
  for (const TxnId txn : history.txns()) ++with[index(history.status(txn))];
  return {.committed = with[index(Status::committed)],
          .aborted = with[index(Status::aborted)],
          .unknown = with[index(Status::unknown)],
          .reads = report.reads};
}

std::uint32_t num_sessions(const History& history) {
  if (history.session_order()) return history.num_sessions();
  // Those of one name follow each other.
  std::uint32_t found = 0;
  Atom last;
  for (const SessionId session : history.sessions()) {
    const Atom label = history.session_atom(session);
    if (found == 0 || label != last) ++found;
    last = label;
  }
  return found;
}

std::string count(std::uint64_t number, Kind kind) {
  const std::string noun = words(kind);
  if (number == 1) return fmt::format("1 {}", noun);
  // "own write ignored" is the one name whose noun is not its last word.
  const std::size_t end = std::min(noun.size(), noun.rfind(" ignored"));
  return fmt::format("{} {}s{}", number, noun.substr(0, end), noun.substr(end));
}

std::string count(std::uint64_t number, std::string_view noun) {
  return fmt::format("{} {}{}", number, noun, number == 1 ? "" : "s");
}

std::string title(Kind kind) {
  std::string text = words(kind);
  if (text[0] >= 'a' && text[0] <= 'z') {
    text[0] = static_cast<char>(text[0] - 'a' + 'A');
  }
  return text;
}

}  // namespace awdit
