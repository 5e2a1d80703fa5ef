#include "run/disturber.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/json.h"

namespace awdit {

Disturber::Disturber(RunShared& shared, Note note)
    : shared_(shared),
      note_(std::move(note)),
      random_(shared.options.seed ^ 0xA0761D6478BD642Fu) {}

Disturber::~Disturber() { stop(); }

void Disturber::start() {
  if (shared_.options.faults.kinds.empty()) return;
  thread_ = std::thread([this] { run(); });
}

void Disturber::stop() {
  {
    const std::scoped_lock lock(mutex_);
    stopped_ = true;
  }
  wake_.notify_all();
  if (thread_.joinable()) thread_.join();
}

std::string Disturber::lasting() const {
  const std::scoped_lock lock(mutex_);
  return lasting_;
}

std::uint32_t Disturber::begun() const {
  const std::scoped_lock lock(mutex_);
  return begun_;
}

// Between half and one and a half times as long.
bool Disturber::sleep(std::chrono::milliseconds about) {
  const auto length = std::chrono::duration_cast<std::chrono::microseconds>(
      about * (0.5 + random_.unit()));
  std::unique_lock lock(mutex_);
  wake_.wait_for(lock, length, [this] { return stopped_; });
  return !stopped_;
}

void Disturber::run() {
  const FaultPlan& plan = shared_.options.faults;
  std::vector<const FaultKind*> kinds;
  for (const FaultKind& kind : faults()) {
    if (std::find(plan.kinds.begin(), plan.kinds.end(), kind.fault) !=
        plan.kinds.end()) {
      kinds.push_back(&kind);
    }
  }
  while (sleep(plan.calm)) {
    disturb(*kinds[random_.below(static_cast<std::uint32_t>(kinds.size()))]);
  }
}

void Disturber::disturb(const FaultKind& kind) {
  const std::int64_t begin = shared_.now();
  {
    const std::scoped_lock lock(mutex_);
    lasting_ = kind.name;
    ++begun_;
  }
  Outcome failed = shared_.database.begin_fault(kind.fault, random_);
  sleep(shared_.options.faults.trouble);
  if (Outcome worse = shared_.database.end_fault(kind.fault);
      worse && !failed) {
    failed = std::move(worse);
  }
  std::string json;
  {
    Sink sink(json);
    JsonWriter writer(sink);
    writer.begin_object();
    writer.field("fault", kind.name);
    writer.field("begin", begin);
    writer.field("end", shared_.now());
    if (failed) writer.field("error", failed->message);
    writer.end_object();
  }
  note_(json);
  if (failed) shared_.fail(std::move(*failed));
  const std::scoped_lock lock(mutex_);
  lasting_.clear();
}

}  // namespace awdit
