// A session of a database that takes transactions only as a whole.
//
// Its tasks take their steps as everywhere, but nothing is sent before the
// commit: then all of it is, in one request, and what the reads found comes
// back with the outcome. So a task cannot decide by what it reads; the
// workloads that do are refused before there is a session
// (WorkloadKind::decides).
//
// In the file before the request is sent, as everywhere; but there the reads
// are still missing. Writes alone are announced, which is sound, as leaving out
// reads only makes fewer demands; with the answer the announcement is taken
// back and the whole takes its place. Whatever is no yes leaves the writes.
#include "run/worker.h"
#include "run/write_ids.h"

namespace awdit {
namespace {

WholeStep::Kind kind_of(Request::Kind kind) {
  switch (kind) {
    case Request::Kind::write:
      return WholeStep::Kind::write;
    case Request::Kind::append:
      return WholeStep::Kind::append;
    case Request::Kind::read_list:
      return WholeStep::Kind::read_list;
    default:
      return WholeStep::Kind::read;
  }
}

void add_one(std::atomic<std::uint64_t>& counter) {
  // Only this thread writes it.
  counter.store(counter.load(std::memory_order_relaxed) + 1,
                std::memory_order_relaxed);
}

bool writes(const WholeStep& step) {
  return step.kind == WholeStep::Kind::write ||
         step.kind == WholeStep::Kind::append;
}

}  // namespace

void Worker::keep(const Request& step) {
  if (step.kind == Request::Kind::commit) return commit_whole();
  if (step.kind == Request::Kind::rollback) {
    // Nobody has heard of it.
    active_ = false;
    add_one(tally.withdrawn);
    return;
  }
  WholeStep kept{.kind = kind_of(step.kind), .key = std::string(step.key)};
  if (writes(kept)) {
    const std::optional<WriteId> id = next_id();
    if (!id) return give_up(Answer::fatal);
    kept.id = *id;
    kept.payload = step.payload;
    wrote_ = true;
  } else {
    task_->reply() = Row();
  }
  steps_.push_back(std::move(kept));
}

void Worker::commit_whole() {
  pause();
  if (log_) {
    for (const WholeStep& step : steps_) {
      if (!writes(step)) continue;
      log_->write(step.kind == WholeStep::Kind::append, step.key, step.id);
    }
    log_->announce();
  }
  const Answer answer = connection().transact(steps_, !wrote_);
  if (answer != Answer::done) return without_commit(answer);
  if (log_) log_->retract();
  for (const WholeStep& step : steps_) note(step);
  add_one(tally.committed);
  end(Status::committed);
}

void Worker::note(const WholeStep& step) {
  add_one(tally.operations);
  if (writes(step)) {
    if (log_)
      log_->write(step.kind == WholeStep::Kind::append, step.key, step.id);
    return;
  }
  if (step.kind == WholeStep::Kind::read_list) {
    for (const WriteId id : step.elements) {
      if (!ours(step.key, id)) break;
    }
    if (!step.elements.empty()) met(step.elements.back());
    if (log_) log_->read_list(step.key, step.elements);
    return;
  }
  if (step.exists && ours(step.key, step.id)) met(step.id);
  if (log_) {
    log_->read(step.key, step.exists ? std::optional(step.id) : std::nullopt);
  }
}

}  // namespace awdit
