#include "tell/stories.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/budget.h"
#include "base/counted.h"
#include "base/make_set.h"
#include "tell/phrases.h"
#include "tell/sentences.h"
#include "tell/story_parts.h"

namespace awdit {
namespace {

std::string title_of(const History& history, const Violation& violation,
                     const std::vector<KeyId>& keys) {
  std::string text = title(violation.kind);
  if (keys.size() > 3) {
    return text + fmt::format(" on {} keys", keys.size());
  }
  if (keys.empty()) return text;
  std::vector<std::string> labels;
  for (const KeyId key : keys) labels.push_back(history.key_label(key));
  return text + (keys.size() == 1 ? " on key " : " on keys ") + listed(labels);
}

void add_terms(Story& story) {
  std::string all = story.headline + " " + story.proof.contradiction;
  // Later steps use no other words.
  constexpr std::size_t kLooked = 50;
  for (std::size_t i = 0; i < story.proof.steps.size() && i < kLooked; ++i) {
    all += " " + story.proof.steps[i].claim + " " + story.proof.steps[i].reason;
  }
  for (const Word& term : terms()) {
    if (all.find(term.word) != std::string::npos) story.terms.push_back(&term);
  }
}

Story tell(const History& history, const Report& report, const Group& group,
           const Budget& budget, Shrunk smallest) {
  Story story;
  if (smallest.violation.kind != group.speaker->kind) {
    smallest.violation = *group.speaker;
    smallest.stands_alone = false;
  }
  story.txns = story_txns(history, smallest);
  if (smallest.stands_alone) {
    story.ops = std::move(smallest.ops);
    story.silent = std::move(smallest.silent);
  }
  story.violation = std::move(smallest.violation);
  story.level = report.levels[group.level].level;
  story.count = group.count;
  story.keys = keys_of(history, story.violation);
  story.sessions = sessions_of(history, story.violation);
  story.title = title_of(history, story.violation, story.keys);
  story.headline = headline(history, story.violation);
  find_broken_levels(history, report, budget.seconds_left(), story);
  story.proof = proof_of(history, *story.level, story.violation);
  add_terms(story);
  return story;
}

}  // namespace

void Untold::add(const OfKind& more) {
  const auto at = std::ranges::lower_bound(list_, more.kind, {}, &OfKind::kind);
  if (at == list_.end() || at->kind != more.kind) {
    list_.insert(at, more);
    return;
  }
  at->groups += more.groups;
  at->violations += more.violations;
}

Stories stories(const History& history, const Report& report,
                std::uint32_t most) {
  Stories result{history, report};
  if (most == 0) return result;
  result.digests = digest(report);
  const std::vector<Group> groups = groups_of(history, result.digests);
  result.groups = groups.size();
  std::vector<const Group*> chosen;
  std::vector<std::uint32_t> turns;                        // [chosen]
  std::vector<std::uint32_t> told(anomalies().size(), 0);  // [kind]
  for (const Group& group : groups) {
    const Kind kind = group.speaker->kind;
    std::uint32_t& turn = told[static_cast<std::size_t>(kind)];
    if (turn == most) {
      result.untold.add({kind, 1, group.count});
      continue;
    }
    chosen.push_back(&group);
    turns.push_back(turn++);
  }
  // The first of each kind, then the second of each ...: should the time not be
  // enough for all, what shorter reports show has had its share.
  std::vector<std::size_t> order(chosen.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return turns[i]; });
  std::vector<Claim> claims;
  for (const std::size_t i : order) {
    claims.push_back(
        {report.levels[chosen[i]->level].level, chosen[i]->speaker});
  }
  std::vector<Shrunk> smallest = shrink(history, claims, report.time_limit);
  const Budget budget(report.time_limit / 10, 0, 0);  // of all that is left
  result.told.resize(chosen.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    Story& story = result.told[order[i]];
    story = tell(history, report, *chosen[order[i]], budget,
                 std::move(smallest[i]));
    story.turn = turns[order[i]];
  }
  return result;
}

Excerpt excerpt(const Stories& all, std::uint32_t most) {
  Excerpt part{all};
  part.untold = all.untold;
  for (const Story& story : all.told) {
    if (story.turn < most) {
      part.told.push_back(&story);
    } else {
      part.untold.add({story.violation.kind, 1, story.count});
    }
  }
  return part;
}

std::vector<const Word*> terms_of(const Excerpt& shown) {
  std::vector<const Word*> used;
  for (const Story* story : shown.told) {
    used.insert(used.end(), story->terms.begin(), story->terms.end());
  }
  make_set(used);  // all of one table
  return used;
}

}  // namespace awdit
