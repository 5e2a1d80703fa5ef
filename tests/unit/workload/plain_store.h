// A store of one map, and clients that take turns on it, one whole task each:
// what workloads do where nothing goes wrong. Every transaction is held against
// what a recorder relies on while it happens.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/table.h"
#include "workload/workload.h"

namespace awdit {

struct PlayedStep {
  Request::Kind kind;
  std::string key;
  std::string payload;  // written, or what a read returned
  bool existed = true;  // of a read
  bool locks = false;   // of a read
  bool operator==(const PlayedStep&) const = default;
};

struct PlayedTransaction {
  std::string label;
  bool read_only = false;
  bool committed = false;
  std::vector<PlayedStep> steps;  // without begin and commit
  bool operator==(const PlayedTransaction&) const = default;

  std::size_t count(Request::Kind kind) const {
    std::size_t found = 0;
    for (const PlayedStep& step : steps) found += step.kind == kind ? 1 : 0;
    return found;
  }
};

class PlainStore {
 public:
  // Answers reads in the store's stead, if set.
  std::function<Row(std::string_view key)> answer;

  std::unordered_map<std::string, std::string> rows;

  void load(const Workload& workload) {
    workload.load([this](std::string_view key, std::string_view payload) {
      check_key(key);
      EXPECT_TRUE(rows.emplace(key, payload).second) << key << " again";
    });
  }

  // Runs a task to its end; returns its transactions.
  std::vector<PlayedTransaction> play(Task task) {
    std::vector<PlayedTransaction> played;
    bool open = false;
    while (const Request* step = task.next()) {
      if (open == (step->kind == Request::Kind::begin)) {
        ADD_FAILURE() << "a step outside of its transaction";
        return played;
      }
      if (step->kind == Request::Kind::begin) {
        EXPECT_FALSE(step->label.empty());
        played.push_back({.label = std::string(step->label),
                          .read_only = step->read_only,
                          .committed = false,
                          .steps = {}});
        pending_.clear();
        open = true;
        continue;
      }
      PlayedTransaction& transaction = played.back();
      switch (step->kind) {
        case Request::Kind::commit:
          for (auto& [key, payload] : pending_) rows[key] = payload;
          transaction.committed = true;
          open = false;
          break;
        case Request::Kind::rollback:
          open = false;
          break;
        default:
          transaction.steps.push_back(carry_out(*step, task));
          EXPECT_TRUE(!transaction.read_only ||
                      step->kind == Request::Kind::read ||
                      step->kind == Request::Kind::read_list)
              << transaction.label << " writes";
          // A standby takes no locks.
          EXPECT_FALSE(transaction.read_only && step->locks);
      }
    }
    EXPECT_FALSE(open) << "a transaction without an end";
    return played;
  }

 private:
  static void check_key(std::string_view key) {
    EXPECT_FALSE(key.empty());
    EXPECT_LE(key.size(), 250u);
    EXPECT_EQ(key.find('\0'), key.npos);
  }

  PlayedStep carry_out(const Request& step, Task& task) {
    check_key(step.key);
    PlayedStep played{.kind = step.kind,
                      .key = std::string(step.key),
                      .payload = std::string(step.payload),
                      .existed = true,
                      .locks = step.locks};
    if (step.kind == Request::Kind::write) {
      pending_[played.key] = played.payload;
    } else if (step.kind == Request::Kind::read) {
      Row& row = task.reply();
      row = answer ? answer(step.key) : find(played.key);
      played.payload = row.payload;
      played.existed = row.exists;
    }
    return played;
  }

  Row find(const std::string& key) const {
    const auto own = pending_.find(key);
    if (own != pending_.end()) return {.exists = true, .payload = own->second};
    const auto row = rows.find(key);
    if (row == rows.end()) return {};
    return {.exists = true, .payload = row->second};
  }

  std::unordered_map<std::string, std::string> pending_;
};

using SettingValues = std::vector<std::pair<std::string_view, std::uint64_t>>;

// A workload and its clients, which take turns.
class Play {
 public:
  PlainStore store;

  Play(std::string_view name, std::uint32_t sessions,
       const SettingValues& values = {}, std::uint64_t seed = 1)
      : kind_(find_row(workloads(), name)), random_(seed) {
    if (kind_ == nullptr) {
      ADD_FAILURE() << "no workload " << name;
      return;
    }
    settings_.emplace(*kind_);
    for (const auto& [setting, value] : values) {
      const Outcome outcome = settings_->set(setting, value);
      EXPECT_FALSE(outcome) << outcome->message;
    }
    workload_ = kind_->make(
        {.settings = *settings_, .seed = seed, .sessions = sessions});
    for (std::uint32_t i = 0; i < sessions; ++i) {
      clients_.push_back(workload_->client(i));
    }
  }

  Workload& workload() { return *workload_; }
  void load() { store.load(*workload_); }

  // The next client's next task.
  std::vector<PlayedTransaction> next() {
    Client& client = *clients_[turn_++ % clients_.size()];
    return store.play(client.task(Random(random_.next())));
  }
  // All transactions of so many tasks.
  std::vector<PlayedTransaction> tasks(std::size_t count) {
    std::vector<PlayedTransaction> all;
    for (std::size_t i = 0; i < count; ++i) {
      for (PlayedTransaction& one : next()) all.push_back(std::move(one));
    }
    return all;
  }
  std::vector<PlayedTransaction> finale() {
    std::optional<Task> task = workload_->finale();
    if (!task) return {};
    return store.play(std::move(*task));
  }

 private:
  const WorkloadKind* kind_;
  std::optional<Settings> settings_;
  std::unique_ptr<Workload> workload_;
  std::vector<std::unique_ptr<Client>> clients_;
  Random random_;
  std::size_t turn_ = 0;
};

}  // namespace awdit
