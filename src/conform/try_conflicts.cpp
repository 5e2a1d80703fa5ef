// Two sessions, step by step: what a level forbids must not be reported as
// committed. Databases prevent it each in its own way, by a refusal, by waiting
// (which ends with the timeout here, as one thread plays both), or by a
// snapshot: all of that passes. Only if both sessions hear ok to everything,
// something is wrong.
#include <fmt/format.h>

#include "conform/trials.h"

namespace awdit {
namespace {

// A transaction that somebody may refuse at any step.
class Player {
 public:
  Player(Stand& stand, Connection& session) : stand_(stand), session_(session) {
    note(session_.begin(false));
  }
  Found look(std::string_view key) {
    if (!alive_) return {};
    const Found found = Stand::look(session_, key);
    if (found.answer != Answer::absent) note(found.answer);
    return found;
  }
  void write(std::string_view key, WriteId id) {
    if (alive_) note(session_.write(key, id, ""));
  }
  void commit() {
    if (!alive_) return;
    note(session_.commit());
    committed_ = alive_;
  }
  bool committed() const { return committed_; }
  bool alive() const { return alive_; }

 private:
  void note(Answer answer) {
    if (answer == Answer::done) return;
    alive_ = false;
    if (answer == Answer::fatal) stand_.works(session_, answer, "");
    if (answer == Answer::refused) session_.rollback();
  }

  Stand& stand_;
  Connection& session_;
  bool alive_ = true;
  bool committed_ = false;
};

// Two sessions, and x and y with values that both know.
struct Scene {
  Scene(Stand& stand, std::string_view name)
      : a(stand.session()), b(stand.session()) {
    x = fmt::format("try:{}:x", name);
    y = fmt::format("try:{}:y", name);
    first = stand.fresh();
    ready = a != nullptr && b != nullptr &&
            stand.works(*a, stand.write(*a, x, first), "a write") &&
            stand.works(*a, stand.write(*a, y, first), "a write");
  }
  Connection* a;
  Connection* b;
  std::string x, y;
  WriteId first = 0;
  bool ready = false;
};

constexpr std::string_view kNoTransaction =
    "The reads are not in the transaction: is BEGIN sent, with the level that "
    "is claimed?";

}  // namespace

void try_uncommitted(Stand& stand) {
  Scene scene(stand, "uncommitted");
  if (!scene.ready) return;
  Player writer(stand, *scene.a);
  const WriteId id = stand.fresh();
  writer.write(scene.x, id);
  if (!writer.alive()) {
    stand.fail("a write failed, with nobody else in the way");
    return;
  }
  // It may have to wait for the writer, until it is told no.
  if (stand.read(*scene.b, scene.x).is(id)) {
    stand.fail(
        "a session saw what another had written but not committed. Either "
        "autocommit is on and each write takes effect at once (send BEGIN, or "
        "switch autocommit off), or the level lets dirty reads happen, and is "
        "not the one that is claimed.");
  }
}

void try_abandoned(Stand& stand) {
  Scene scene(stand, "abandoned");
  if (!scene.ready) return;
  const WriteId id = stand.fresh();
  if (!stand.works(*scene.a, scene.a->begin(false), "begin") ||
      !stand.works(*scene.a, scene.a->write(scene.x, id, ""), "a write")) {
    return;
  }
  stand.end(scene.a);
  if (stand.read(*scene.b, scene.x).is(id)) {
    stand.fail(
        "a session ended in the middle of a transaction, and what it wrote is "
        "there. Closing must not commit; or autocommit is on.");
  }
}

void try_lost_update(Stand& stand) {
  Scene scene(stand, "update");
  if (!scene.ready) return;
  Player one(stand, *scene.a);
  Player two(stand, *scene.b);
  one.look(scene.x);
  two.look(scene.x);
  const WriteId ones = stand.fresh();
  one.write(scene.x, ones);
  one.commit();
  two.write(scene.x, stand.fresh());
  two.commit();
  if (!one.committed() || !two.committed()) return;
  Connection* const other = stand.session();
  if (other == nullptr) return;
  if (stand.read(*other, scene.x).is(ones)) {
    stand.fail(
        "two transactions read a key and then both wrote it; both were told "
        "that they committed, yet the second one's write is not there. The "
        "database refused it and the driver said ok: look at what COMMIT "
        "answers, and say \"ok\":false,\"outcome\":\"aborted\".");
    return;
  }
  stand.fail(fmt::format(
      "an update is lost: two transactions read a key, then both wrote it, and "
      "both committed. {} Or a refusal of the database is not passed on.",
      kNoTransaction));
}

void try_repeated_read(Stand& stand) {
  Scene scene(stand, "repeated");
  if (!scene.ready) return;
  Player reader(stand, *scene.a);
  const Found before = reader.look(scene.x);
  const WriteId id = stand.fresh();
  Player writer(stand, *scene.b);
  writer.write(scene.x, id);
  writer.commit();
  const Found after = reader.look(scene.x);
  reader.commit();
  if (!reader.committed() || !writer.committed()) return;
  if (before.is(scene.first) && after.is(id)) {
    stand.fail(fmt::format(
        "a transaction read a key twice and saw two values, as another had "
        "committed in between; and then it committed. {}",
        kNoTransaction));
  }
}

void try_fractured_read(Stand& stand) {
  Scene scene(stand, "fractured");
  if (!scene.ready) return;
  Player reader(stand, *scene.a);
  const Found x = reader.look(scene.x);
  const WriteId id = stand.fresh();
  Player writer(stand, *scene.b);
  writer.write(scene.x, id);
  writer.write(scene.y, id);
  writer.commit();
  const Found y = reader.look(scene.y);
  reader.commit();
  if (!reader.committed() || !writer.committed()) return;
  if (x.is(scene.first) && y.is(id)) {
    stand.fail(fmt::format(
        "a transaction saw one of another's two writes and missed the other; "
        "and then it committed. {}",
        kNoTransaction));
  }
}

void try_write_skew(Stand& stand) {
  Scene scene(stand, "skew");
  if (!scene.ready) return;
  Player one(stand, *scene.a);
  Player two(stand, *scene.b);
  const Found seen_by_one = one.look(scene.y);
  const Found seen_by_two = two.look(scene.x);
  one.write(scene.x, stand.fresh());
  two.write(scene.y, stand.fresh());
  one.commit();
  two.commit();
  if (!one.committed() || !two.committed()) return;
  if (seen_by_one.is(scene.first) && seen_by_two.is(scene.first)) {
    stand.fail(
        "two transactions each read what the other then overwrote, and both "
        "committed (write skew). That is no serializable level: is it set for "
        "each transaction, or is the claim too strong?");
  }
}

void try_after_refusal(Stand& stand) {
  Scene scene(stand, "refusal");
  if (!scene.ready) return;
  Player one(stand, *scene.a);
  Player two(stand, *scene.b);
  one.look(scene.x);
  two.look(scene.x);
  one.write(scene.x, stand.fresh());
  one.commit();
  two.write(scene.x, stand.fresh());
  two.commit();
  if (two.committed() || two.alive()) return;  // nothing was refused
  const WriteId id = stand.fresh();
  // A session that did not answer in time is not what this is about.
  if (scene.b->rollback() != Answer::done) return;
  if (!stand.works(*scene.b, stand.write(*scene.b, scene.y, id),
                   "the transaction after one that was refused")) {
    stand.fail(
        "Before it says no, a driver ends the transaction: roll back first.");
    return;
  }
  if (!stand.read(*scene.b, scene.y).is(id)) {
    stand.fail(
        "the transaction after one that was refused does not see its write");
  }
}

}  // namespace awdit
