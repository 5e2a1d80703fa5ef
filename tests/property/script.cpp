#include "property/script.h"

#include <algorithm>
#include <map>

#include "base/assert.h"
#include "history/builder.h"

namespace awdit::property {
namespace {

std::optional<Atom> initial_value(const Script& script) {
  if (!script.has_init) return std::nullopt;
  return script.lists ? Atom::nil() : Atom::integer(0);
}

// Adds an operation under another key and with its values multiplied.
void add(Builder::Shard& shard, const Script& script, const ScriptOp& op,
         Atom key, std::int64_t factor) {
  const auto atom = [&](std::int64_t value) {
    if (script.lists && value == 0) return Atom::nil();
    return Atom::integer(value * factor);
  };
  if (!script.lists) {
    op.write ? shard.write(key, atom(op.value))
             : shard.read(key, atom(op.value));
  } else if (op.write) {
    shard.append(key, atom(op.value));
  } else {
    std::vector<Atom> elements;
    for (std::int64_t element : op.list) elements.push_back(atom(element));
    shard.read_list(key, elements);
  }
}

std::string notation(const Script& script, const ScriptOp& op) {
  const auto text = [&](std::int64_t value) {
    return script.lists && value == 0 ? "nil" : std::to_string(value);
  };
  std::string values = text(op.value);
  if (script.lists && !op.write) {
    values = "[";
    for (std::int64_t element : op.list) {
      if (values.size() > 1) values += " ";
      values += text(element);
    }
    values += "]";
  }
  const std::string kind = !op.write ? "R" : script.lists ? "A" : "W";
  return kind + "(" + std::to_string(op.key) + "," + values + ")";
}

History finish(Builder& builder, const Script& script, unsigned threads) {
  Result<History> history = builder.finish(threads);
  AWDIT_ASSERT(history.has_value());
  if (script.session_order) return std::move(*history);
  return std::move(*history).without_session_order();
}

// Random ranks for 0 ... n-1.
std::vector<int> permutation(std::size_t n, Random& random) {
  std::vector<int> ranks(n);
  for (std::size_t i = 0; i < n; ++i) ranks[i] = static_cast<int>(i);
  std::shuffle(ranks.begin(), ranks.end(), random);
  return ranks;
}

// Deals the transactions anew: which session comes next is drawn by lot.
std::vector<const ScriptTxn*> interleave(const Script& script, Random& random) {
  if (script.lists) {
    std::vector<const ScriptTxn*> order;
    for (const ScriptTxn& txn : script.txns) order.push_back(&txn);
    return order;
  }
  std::map<int, std::vector<const ScriptTxn*>> sessions;
  std::vector<int> draws;
  for (const ScriptTxn& txn : script.txns) {
    sessions[txn.session].push_back(&txn);
    draws.push_back(txn.session);
  }
  std::shuffle(draws.begin(), draws.end(), random);
  std::map<int, std::size_t> next;
  std::vector<const ScriptTxn*> order;
  for (int session : draws) {
    order.push_back(sessions[session][next[session]++]);
  }
  return order;
}

}  // namespace

namespace {

std::string clock_name(int clock) { return "c" + std::to_string(clock); }

// `stretch`: times are so many times as far apart.
void add_clocks(const Script& script, Builder& builder, std::int64_t stretch) {
  for (const ScriptRelation& relation : script.relations) {
    builder.relate_clocks(clock_name(relation.from), clock_name(relation.to),
                          relation.offset * stretch, relation.error * stretch);
  }
}

void add_clock(const Script& script, const ScriptTxn& txn, Builder& builder,
               Builder::Shard& shard) {
  if (!script.timed || script.clocks == 1) return;
  shard.clock_domain(builder.string(clock_name(txn.clock)));
}

}  // namespace

History to_history(const Script& script, unsigned threads) {
  Builder builder({.initial_value = initial_value(script),
                   .clock = script.timed ? Clock::events : Clock::none});
  Builder::Shard& shard = builder.add_shard();
  if (script.timed) add_clocks(script, builder, 1);
  std::int64_t label = 0;
  for (const ScriptTxn& txn : script.txns) {
    shard.select(Atom::integer(txn.session), ++label, txn.status);
    add_clock(script, txn, builder, shard);
    if (script.timed) shard.times(txn.times.begin, txn.times.end);
    for (const ScriptOp& op : txn.ops) {
      add(shard, script, op, Atom::integer(op.key), 1);
    }
  }
  return finish(builder, script, threads);
}

std::string to_notation(const Script& script) {
  std::string text;
  if (!script.has_init) text += "# without an initial value\n";
  if (!script.session_order) text += "# without session order\n";
  for (const ScriptRelation& relation : script.relations) {
    text += "# " + clock_name(relation.to) + " is " +
            std::to_string(relation.offset) + " ahead of " +
            clock_name(relation.from) + ", give or take " +
            std::to_string(relation.error) + "\n";
  }
  for (const ScriptTxn& txn : script.txns) {
    text += "s";
    text += std::to_string(txn.session) + ":";
    for (const ScriptOp& op : txn.ops) text += " " + notation(script, op);
    const auto time = [](std::int64_t at) {
      return at == kNoTime ? std::string() : std::to_string(at);
    };
    if (script.timed) {
      text += " @" + (script.clocks == 1 ? "" : clock_name(txn.clock) + ":") +
              time(txn.times.begin) + "-" + time(txn.times.end);
    }
    if (txn.status == Status::aborted) text += "!";
    if (txn.status == Status::unknown) text += "?";
    text += "\n";
  }
  return text;
}

History renamed(const Script& script, Random& random) {
  int keys = 0, sessions = 0;
  for (const ScriptTxn& txn : script.txns) {
    sessions = std::max(sessions, txn.session + 1);
    for (const ScriptOp& op : txn.ops) keys = std::max(keys, op.key + 1);
  }
  const std::vector<int> key_rank =
      permutation(static_cast<std::size_t>(keys), random);
  const std::vector<int> session_rank =
      permutation(static_cast<std::size_t>(sessions), random);
  const bool named = random() % 2 == 0;
  const std::int64_t factor = random() % 2 == 0 ? -7 : 1'000'003;

  Builder builder({.initial_value = initial_value(script),
                   .clock = script.timed ? Clock::events : Clock::none});
  Builder::Shard& shard = builder.add_shard();
  // Another clock, which keeps the order.
  const auto later = [](std::int64_t at) {
    return at == kNoTime ? at : at * 3 + 70;
  };
  const auto key_atom = [&](int key) {
    const int rank = key_rank[static_cast<std::size_t>(key)];
    // Numbers stay among the names, so that both kinds meet in one history.
    if (named && rank % 3 != 0) {
      return builder.string("key-" + std::to_string(rank));
    }
    return Atom::integer(std::int64_t{rank} * 1000 - 500);
  };
  if (script.timed) add_clocks(script, builder, 3);
  std::int64_t label = 0;
  for (const ScriptTxn* txn : interleave(script, random)) {
    const int rank = session_rank[static_cast<std::size_t>(txn->session)];
    shard.select(Atom::integer(rank + 50), --label, txn->status);
    add_clock(script, *txn, builder, shard);
    if (script.timed) {
      shard.times(later(txn->times.begin), later(txn->times.end));
    }
    for (const ScriptOp& op : txn->ops) {
      add(shard, script, op, key_atom(op.key), factor);
    }
  }
  return finish(builder, script, 1);
}

Script shrink(Script script, const std::function<bool(const Script&)>& fails) {
  const auto keep_if_failing = [&](Script smaller) {
    if (!fails(smaller)) return false;
    script = std::move(smaller);
    return true;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t t = script.txns.size(); t-- > 0;) {
      Script smaller = script;
      smaller.txns.erase(smaller.txns.begin() + static_cast<long>(t));
      changed |= keep_if_failing(std::move(smaller));
    }
    if (!script.session_order) {
      Script smaller = script;
      smaller.session_order = true;
      changed |= keep_if_failing(std::move(smaller));
    }
    if (script.timed) {
      Script smaller = script;
      smaller.timed = false;
      changed |= keep_if_failing(std::move(smaller));
    }
    if (script.clocks > 1) {
      Script smaller = script;
      smaller.clocks = 1;
      smaller.relations.clear();
      changed |= keep_if_failing(std::move(smaller));
    }
    for (std::size_t r = script.relations.size(); r-- > 0;) {
      Script smaller = script;
      smaller.relations.erase(smaller.relations.begin() + static_cast<long>(r));
      changed |= keep_if_failing(std::move(smaller));
    }
    for (std::size_t t = script.txns.size(); t-- > 0;) {
      for (std::size_t o = script.txns[t].ops.size(); o-- > 0;) {
        Script smaller = script;
        auto& ops = smaller.txns[t].ops;
        ops.erase(ops.begin() + static_cast<long>(o));
        changed |= keep_if_failing(std::move(smaller));
      }
      for (std::size_t o = 0; o < script.txns[t].ops.size(); ++o) {
        for (std::size_t e = script.txns[t].ops[o].list.size(); e-- > 0;) {
          Script smaller = script;
          auto& list = smaller.txns[t].ops[o].list;
          list.erase(list.begin() + static_cast<long>(e));
          changed |= keep_if_failing(std::move(smaller));
        }
      }
      for (std::int64_t History::Times::*at :
           {&History::Times::begin, &History::Times::end}) {
        if (!script.timed || script.txns[t].times.*at == kNoTime) continue;
        Script smaller = script;
        smaller.txns[t].times.*at = kNoTime;
        changed |= keep_if_failing(std::move(smaller));
      }
      if (script.txns[t].status != Status::committed) {
        Script smaller = script;
        smaller.txns[t].status = Status::committed;
        changed |= keep_if_failing(std::move(smaller));
      }
    }
  }
  return script;
}

}  // namespace awdit::property
