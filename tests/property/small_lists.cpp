// Transactions append to a few keys, several times to the same, and like to
// read what they have just appended to; or they look at two keys and append to
// one, which is what it takes to tell the strong levels apart. They commit one
// after another, now and then in another order than they were begun. What a
// read returns is decided by the store, of which there are six:
//
//   serial          all that committed before
//   isolated        a snapshot, no older than the last append to a key to which
//                   the reader appends as well
//   snapshots       any snapshot
//   monotonic       each read sees no less than the one before
//   forked          each key has snapshots of its own, which sessions respect
//   torn            each read sees what it likes
//
// Reads after own appends see the newest version below them, mostly. Every
// third history is then changed in one place: a list, a session, an outcome, an
// operation. Some have lists of any elements instead.
#include "property/small_lists.h"

#include <algorithm>
#include <map>

#include "property/shapes.h"

namespace awdit::property {
namespace {

using List = std::vector<std::int64_t>;

enum class Store { serial, isolated, snapshots, monotonic, forked, torn };

class Maker {
 public:
  explicit Maker(Random& random) : random_(random) {}

  Script run(int txns) {
    script_.lists = true;
    script_.session_order = below(3) != 0;
    below(2) == 0 ? lay_out(txns) : lay_out_over_two_keys(txns);
    if (below(12) == 0) {
      fill_wildly();
    } else {
      commit_in_some_order();
      fill();
      if (below(3) == 0) change_something();
    }
    add_times(script_, random_);
    return std::move(script_);
  }

 private:
  std::size_t below(std::size_t n) { return random_() % n; }
  bool chance(std::size_t percent) { return below(100) < percent; }

  void lay_out(int txns) {
    const std::size_t sessions = 1 + below(4);
    const std::size_t keys = 1 + below(3);
    const std::size_t most_ops = 2 + below(3);
    const bool faults = chance(35);
    const std::size_t appends = 15 + below(50);
    for (int t = 0; t < txns; ++t) {
      ScriptTxn txn;
      txn.session = static_cast<int>(below(sessions));
      if (faults && chance(20)) txn.status = Status::aborted;
      if (faults && chance(30)) txn.status = Status::unknown;
      const std::size_t ops = 1 + below(most_ops);
      for (std::size_t i = 0; i < ops; ++i) {
        ScriptOp op{.write = chance(appends),
                    .key = static_cast<int>(below(keys))};
        if (op.write) op.value = fresh(op.key);
        txn.ops.push_back(op);
        if (op.write && chance(25)) {
          op.value = fresh(op.key);
          txn.ops.push_back(op);
        }
        if (op.write && chance(40)) txn.ops.push_back({.key = op.key});
      }
      script_.txns.push_back(std::move(txn));
    }
  }

  void lay_out_over_two_keys(int txns) {
    const std::size_t sessions = 1 + below(6);
    const std::size_t appends = 30 + below(50);
    // Two append, all others look on.
    const bool audience = chance(25);
    for (int t = 0; t < txns; ++t) {
      ScriptTxn txn;
      txn.session = static_cast<int>(below(sessions));
      if (audience && t < 2) {
        txn.ops.push_back({.write = true, .key = t, .value = fresh(t)});
      } else if (audience) {
        txn.ops = {{.key = t % 2}, {.key = 1 - t % 2}};
      }
      if (audience) {
        script_.txns.push_back(std::move(txn));
        continue;
      }
      for (int key : {0, 1}) {
        if (chance(70)) txn.ops.push_back({.key = key});
      }
      if (chance(50)) std::reverse(txn.ops.begin(), txn.ops.end());
      const int key = static_cast<int>(below(2));
      if (txn.ops.empty() || chance(appends)) {
        txn.ops.push_back({.write = true, .key = key, .value = fresh(key)});
        if (chance(20)) txn.ops.push_back({.key = key});
        if (chance(15)) std::swap(txn.ops.front(), txn.ops.back());
      }
      script_.txns.push_back(std::move(txn));
    }
  }

  std::int64_t fresh(int key) {
    std::int64_t& newest = appended_[key];
    return newest > 0 && below(300) == 0 ? newest : ++newest;
  }

  // Mostly as they stand; otherwise sessions overtake each other, or anybody
  // anybody.
  void commit_in_some_order() {
    for (std::size_t t = 0; t < script_.txns.size(); ++t) order_.push_back(t);
    const std::size_t lot = below(20);
    if (lot > 5) return;
    std::shuffle(order_.begin(), order_.end(), random_);
    if (lot == 0) return;
    // The places of a session are taken by its transactions as they stand.
    std::map<int, std::vector<std::size_t>> turns;
    for (std::size_t t = 0; t < script_.txns.size(); ++t) {
      turns[script_.txns[t].session].push_back(t);
    }
    std::map<int, std::size_t> next;
    for (std::size_t& t : order_) {
      const int session = script_.txns[t].session;
      t = turns[session][next[session]++];
    }
  }

  bool takes_effect(std::size_t t) {
    switch (script_.txns[t].status) {
      case Status::committed:
        return true;
      case Status::unknown:
        return t % 2 == 0;
      case Status::aborted:
        return t % 5 == 4;
    }
    return true;
  }

  void fill() {
    const std::size_t lot = below(8);
    const Store store = lot < 6 ? static_cast<Store>(lot) : Store::forked;
    const bool forgetful = chance(10);  // sessions do not see themselves
    std::vector<std::map<int, List>> states{{}};  // after so many commits
    std::map<int, std::size_t> last_of_session, last_append;
    std::map<std::pair<int, int>, std::size_t> last_seen;  // session, key
    for (std::size_t i = 0; i < order_.size(); ++i) {
      ScriptTxn& txn = script_.txns[order_[i]];
      std::size_t least = forgetful ? 0 : last_of_session[txn.session];
      if (store == Store::isolated) {
        for (const ScriptOp& op : txn.ops) {
          if (op.write) least = std::max(least, last_append[op.key]);
        }
      }
      const auto some = [&](std::size_t from) {
        return chance(30) ? i : from + below(i - from + 1);
      };
      std::size_t seen = store == Store::serial ? i : some(least);
      std::map<int, std::size_t> forked;  // key -> snapshot
      std::map<int, List> own;
      for (ScriptOp& op : txn.ops) {
        if (op.write) {
          own[op.key].push_back(op.value);
          continue;
        }
        if (store == Store::forked) {
          std::size_t& last = last_seen[{txn.session, op.key}];
          if (!forked.contains(op.key)) last = forked[op.key] = some(last);
          seen = forked[op.key];
        }
        if (store == Store::monotonic) seen = some(seen);
        if (store == Store::torn) seen = some(0);
        const bool newest = !own[op.key].empty() && chance(90);
        op.list = states[newest ? i : seen][op.key];
        op.list.insert(op.list.end(), own[op.key].begin(), own[op.key].end());
      }
      states.push_back(states.back());
      last_of_session[txn.session] = i + 1;
      if (!takes_effect(order_[i])) continue;
      for (const auto& [key, block] : own) {
        List& list = states.back()[key];
        list.insert(list.end(), block.begin(), block.end());
        if (!block.empty()) last_append[key] = i + 1;
      }
    }
  }

  std::int64_t any_element(int key) {
    return 1 + static_cast<std::int64_t>(
                   below(static_cast<std::size_t>(appended_[key]) + 1));
  }

  void fill_wildly() {
    for (ScriptTxn& txn : script_.txns) {
      for (ScriptOp& op : txn.ops) {
        if (op.write) continue;
        const std::size_t size = below(4);
        for (std::size_t i = 0; i < size; ++i) {
          const std::int64_t element = any_element(op.key);
          if (element <= appended_[op.key] || chance(10)) {
            op.list.push_back(element);
          }
        }
      }
    }
  }

  void change_something() {
    ScriptTxn& txn = script_.txns[below(script_.txns.size())];
    switch (below(12)) {
      case 0:
        txn.session = static_cast<int>(below(4));
        return;
      case 1:
        txn.status = Status(below(3));
        return;
      case 2:
        std::swap(txn.ops[below(txn.ops.size())], txn.ops.front());
        return;
      case 3:
        if (txn.ops.size() > 1) txn.ops.erase(txn.ops.begin());
        return;
      case 4: {
        const int key = txn.ops.front().key;
        txn.ops.insert(txn.ops.begin() + static_cast<long>(below(2)),
                       {.write = true, .key = key, .value = fresh(key)});
        return;
      }
      default:
        break;
    }
    std::vector<ScriptOp*> reads;
    for (ScriptTxn& any : script_.txns) {
      for (ScriptOp& op : any.ops) {
        if (!op.write) reads.push_back(&op);
      }
    }
    if (!reads.empty()) change(*reads[below(reads.size())]);
  }

  void change(ScriptOp& read) {
    List& list = read.list;
    const auto place = [&](std::size_t extra) {
      return list.begin() + static_cast<long>(below(list.size() + extra));
    };
    switch (below(list.empty() ? 1 : 8)) {
      case 0:
        list.insert(place(1), any_element(read.key));
        break;
      case 1:
      case 2:
        std::iter_swap(place(0), place(0));
        break;
      case 3:
        list.erase(place(0));
        break;
      case 4: {
        const std::int64_t copy = *place(0);
        list.insert(place(1), copy);
        break;
      }
      case 5:
      case 6:
        list.erase(place(0), list.end());
        break;
      case 7:
        std::rotate(list.begin(), place(0), list.end());
        break;
    }
  }

  Random& random_;
  Script script_;
  std::map<int, std::int64_t> appended_;  // [key] -> elements 1 ... so many
  std::vector<std::size_t> order_;        // of commits
};

}  // namespace

Script small_list_history(int txns, Random& random) {
  return Maker(random).run(txns);
}

}  // namespace awdit::property
