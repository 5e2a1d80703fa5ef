// What clients do to a database under test. Front door.
//
// A workload is one row of the table in workloads.cpp and one file. It says
// which rows are there at the beginning and what each session does: a client
// per session, which makes one task (task.h) after the other from random
// numbers of its own. So what a session asks for is the same in every run with
// the same seed, as far as it does not depend on what it read, nor on fresh
// keys, which some workloads hand out in the order in which sessions ask.
//
// Workloads know neither databases nor histories nor ids of writes.
// Threads: clients of one workload run at the same time; a client is one
// thread's.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.h"
#include "base/result.h"
#include "workload/task.h"

namespace awdit {

// What one session does.
class Client {
 public:
  virtual ~Client() = default;
  // Its next task. Equal random numbers give equal inputs, but for fresh keys
  // and ids: a retry is the same task made anew. The client outlives its tasks.
  virtual Task task(Random random) = 0;
};

using PutInitial =
    std::function<void(std::string_view key, std::string_view payload)>;

class Workload {
 public:
  virtual ~Workload() = default;
  // Calls `put` for each row that is there at the beginning, each key once.
  virtual void load(const PutInitial& put) const;
  // `session` counts from 0.
  virtual std::unique_ptr<Client> client(std::uint32_t session) = 0;
  // Reads what should be read when everybody has finished; empty: nothing. The
  // workload outlives it.
  virtual std::optional<Task> finale();
};

// A number that can be set, name=value.
struct Setting {
  std::string_view name;  // kebab-case
  std::uint64_t value;    // unless set
  std::uint64_t least;
  std::uint64_t most;
  std::string_view summary;
};

struct WorkloadKind;

// The values of a kind's settings.
class Settings {
 public:
  explicit Settings(const WorkloadKind& kind);
  // A message if there is no such setting, or the value is out of range.
  Outcome set(std::string_view name, std::uint64_t value);
  // REQUIRES: the kind has it.
  std::uint64_t operator[](std::string_view name) const;
  std::uint32_t number(std::string_view name) const {
    return static_cast<std::uint32_t>((*this)[name]);
  }
  // A setting that counts percent, as a probability.
  double share(std::string_view name) const {
    return static_cast<double>((*this)[name]) / 100;
  }
  const WorkloadKind& kind() const { return *kind_; }

 private:
  const WorkloadKind* kind_;
  std::vector<std::uint64_t> values_;
};

struct WorkloadOptions {
  const Settings& settings;
  std::uint64_t seed = 1;
  std::uint32_t sessions = 1;
};

struct WorkloadKind {
  std::string_view name;
  std::span<const std::string_view> aliases = {};
  std::string_view summary;
  // What it can show, for people: levels and anomalies.
  std::string_view exposes;
  std::span<const Setting> settings;
  bool lists = false;  // appends to lists, and reads them
  // What it asks for depends on what it has read in the same transaction.
  bool decides = false;
  // Pauses between operations that make overlaps likely, in microseconds at the
  // most; 0: none are needed.
  std::uint32_t pause = 0;
  std::unique_ptr<Workload> (*make)(const WorkloadOptions& options);
};

std::span<const WorkloadKind> workloads();

}  // namespace awdit
