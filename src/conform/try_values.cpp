// One session after the other: values, keys, reset, commit and rollback.
#include <fmt/format.h>

#include <chrono>
#include <thread>

#include "base/utf8.h"
#include "conform/trials.h"

namespace awdit {
namespace {

// How a short text is told; of a long one its length.
std::string told(std::string_view text) {
  constexpr std::size_t kShort = 40;
  if (text.size() > kShort) {
    return fmt::format("a text of {} bytes", text.size());
  }
  return fmt::format("'{}'", visible(text));
}

// Whether a read that should find `id` did; says how it failed otherwise.
bool finds(Stand& stand, Connection& session, const Found& found, WriteId id,
           std::string_view what, std::string_view otherwise) {
  if (found.answer == Answer::absent) {
    return stand.fail(fmt::format("{}: nothing is there. {}", what, otherwise));
  }
  if (!stand.works(session, found.answer, what)) return false;
  if (found.content.id == id) return true;
  return stand.fail(
      fmt::format("{}: another value is there. {}", what, otherwise));
}

}  // namespace

void try_absent(Stand& stand) {
  if (!stand.reset()) return;
  Connection* const session = stand.session();
  if (session == nullptr) return;
  const Found found = stand.read(*session, "try:nobody");
  if (found.answer == Answer::absent) return;
  if (!stand.works(*session, found.answer, "reading a key")) return;
  stand.fail(
      "a read of a key that nobody ever wrote returned a value. A key that is "
      "not there is read as null, not as 0 or \"\".");
}

void try_integers(Stand& stand) {
  for (int i = 0; i < 4; ++i) {
    Connection* const session = stand.session();
    if (session == nullptr) return;
    const std::string key = fmt::format("try:integer:{}", i);
    const WriteId id = stand.fresh();
    if (!stand.works(*session, stand.write(*session, key, id),
                     "writing an integer")) {
      return;
    }
    const Found found = stand.read(*session, key);
    if (!stand.works(*session, found.answer,
                     "reading an integer that was just written")) {
      return;
    }
    if (!found.is(id)) {
      stand.fail(
          "an integer close to 2^53 (9007199254740991) came back as another "
          "one: integers are rounded on the way, by a floating point column or "
          "by a language whose numbers are doubles when they are formatted. "
          "Keep them as 64-bit integers or as texts.");
      return;
    }
  }
}

void try_texts(Stand& stand) {
  const std::string_view kTexts[] = {
      "plain",
      "ends with blanks  ",
      "007",
      "null",
      "'single' \"double\"",
      "back\\slash %s ? $1 {}",
      "Gr\xC3\xBC\xC3\x9F"
      "e \xE6\x97\xA5\xE6\x9C\xAC \xF0\x9F\xA6\x86",
      "two\nlines and a\ttab"};
  std::vector<std::string> texts(std::begin(kTexts), std::end(kTexts));
  texts.push_back(std::string(4000, 'x'));
  Connection* const session = stand.session();
  if (session == nullptr) return;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const std::string key = fmt::format("try:text:{}", i);
    const WriteId id = stand.fresh();
    if (!stand.works(*session, stand.write(*session, key, id, texts[i]),
                     "writing " + told(texts[i]))) {
      return;
    }
    const Found found = stand.read(*session, key);
    if (!stand.works(*session, found.answer, "reading " + told(texts[i]))) {
      return;
    }
    if (found.content.payload == texts[i] && found.is(id)) continue;
    stand.fail(fmt::format(
        "{} came back as {}: values are changed on the way. A column may be "
        "too "
        "narrow, trim blanks, or have another character set; JSON must be read "
        "and written by a library.",
        told(texts[i]), told(found.content.payload)));
    return;
  }
}

void try_keys(Stand& stand) {
  const std::string keys[] = {"try:key",
                              "try:KEY",
                              "try:key ",
                              "try:key'\"%_\\;--/?#\xC3\xA9",
                              "try:" + std::string(kMaxKey - 5, 'k') + "1",
                              "try:" + std::string(kMaxKey - 5, 'k') + "2"};
  Connection* const session = stand.session();
  if (session == nullptr) return;
  std::vector<WriteId> ids;
  for (const std::string& key : keys) {
    ids.push_back(stand.fresh());
    if (!stand.works(*session, stand.write(*session, key, ids.back()),
                     "writing the key " + told(key))) {
      return;
    }
  }
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const Found found = stand.read(*session, keys[i]);
    if (found.is(ids[i])) continue;
    if (found.answer != Answer::absent &&
        !stand.works(*session, found.answer,
                     "reading the key " + told(keys[i]))) {
      return;
    }
    stand.fail(fmt::format(
        "the key {} does not hold what was written to it: keys that differ in "
        "case, in blanks at their end or behind their first bytes must stay "
        "apart. Is there a collation, or a narrow column?",
        told(keys[i])));
    return;
  }
}

void try_reset(Stand& stand) {
  Connection* const session = stand.session();
  if (session == nullptr) return;
  const WriteId id = stand.fresh();
  if (!stand.works(*session, stand.write(*session, "try:reset", id),
                   "writing a key")) {
    return;
  }
  stand.end_sessions();
  if (!stand.reset()) return;
  Connection* const other = stand.session();
  if (other == nullptr) return;
  if (stand.read(*other, "try:reset").is(id)) {
    stand.fail(
        "a key is still there after reset. A run would take what an earlier "
        "one left for values of nobody: delete everything, or drop and create "
        "the table, and commit that.");
  }
}

void try_loaded(Stand& stand) {
  constexpr int kRows = 250;
  stand.end_sessions();
  const Outcome failed = stand.database().reset([](const PutRow& put) {
    for (int i = 0; i < kRows; ++i) {
      put(fmt::format("try:row:{}", i), i == 0 ? "" : "row");
    }
  });
  if (failed) {
    stand.fail(failed->message);
    return;
  }
  Connection* const session = stand.session();
  if (session == nullptr) return;
  for (const int i : {0, 1, kRows - 1}) {
    if (!finds(stand, *session,
               stand.read(*session, fmt::format("try:row:{}", i)), 0,
               fmt::format("row {} of {} that were loaded", i + 1, kRows),
               "What is written before a run must be there when it begins.")) {
      return;
    }
  }
}

void try_own_writes(Stand& stand) {
  Connection* const session = stand.session();
  if (session == nullptr) return;
  const WriteId id = stand.fresh();
  if (!stand.works(*session, session->begin(false), "begin") ||
      !stand.works(*session, session->write("try:own", id, ""), "a write")) {
    return;
  }
  constexpr std::string_view kWhy =
      "Reads of a transaction see its own writes: send each write at once "
      "instead of gathering them until the commit, or look them up first.";
  if (!finds(stand, *session, Stand::look(*session, "try:own"), id,
             "a transaction read what it had just written", kWhy)) {
    return;
  }
  const WriteId later = stand.fresh();
  if (!stand.works(*session, session->write("try:own", later, ""),
                   "a second write to a key") ||
      !finds(stand, *session, Stand::look(*session, "try:own"), later,
             "a transaction read what it had written twice", kWhy)) {
    return;
  }
  stand.works(*session, session->commit(), "commit");
}

void try_commit(Stand& stand) {
  Connection* const writer = stand.session();
  if (writer == nullptr) return;
  const WriteId id = stand.fresh();
  if (!stand.works(*writer, stand.write(*writer, "try:commit", id),
                   "a transaction that writes")) {
    return;
  }
  // Not every store shows at once what is committed.
  constexpr std::chrono::seconds kPatience{3};
  const auto deadline = std::chrono::steady_clock::now() + kPatience;
  while (std::chrono::steady_clock::now() < deadline) {
    Connection* const reader = stand.session();
    if (reader == nullptr) return;
    const Found found = stand.read(*reader, "try:commit");
    if (found.is(id)) return;
    if (found.answer != Answer::absent &&
        !stand.works(*reader, found.answer, "a transaction that reads")) {
      return;
    }
    stand.end(reader);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  stand.fail(
      "a commit was answered with ok, but another session does not see what it "
      "wrote, even after 3 s. Is COMMIT sent, and is its answer looked at?");
}

void try_rollback(Stand& stand) {
  Connection* const session = stand.session();
  if (session == nullptr) return;
  const WriteId kept = stand.fresh();
  const WriteId gone = stand.fresh();
  if (!stand.works(*session, stand.write(*session, "try:rolled", kept),
                   "a transaction that writes") ||
      !stand.works(*session, session->begin(false), "begin") ||
      !stand.works(*session, session->write("try:rolled", gone, ""),
                   "a write") ||
      !stand.works(*session, session->rollback(), "rollback")) {
    return;
  }
  const Found found = stand.read(*session, "try:rolled");
  if (found.is(gone)) {
    stand.fail(
        "what a transaction wrote is there although it was rolled back. Either "
        "rollback does nothing, or autocommit is on and each write was "
        "committed at once: send BEGIN, or switch autocommit off.");
    return;
  }
  finds(stand, *session, found, kept,
        "after a rollback a read of the old value",
        "A rollback takes back its own transaction, and nothing else.");
}

namespace {

// Appends and reads in one transaction; `elements` is what the list should be.
bool appends(Stand& stand, Connection& session, WriteId id,
             std::vector<WriteId>& elements) {
  elements.push_back(id);
  std::vector<WriteId> seen;
  if (stand.whole()) {
    std::vector<WholeStep> steps = {
        {.kind = WholeStep::Kind::append, .key = "try:list", .id = id},
        {.kind = WholeStep::Kind::read_list, .key = "try:list"}};
    if (!stand.works(session, session.transact(steps, false), "an append")) {
      return false;
    }
    seen = steps[1].elements;
  } else if (!stand.works(session, session.begin(false), "begin") ||
             !stand.works(session, session.append("try:list", id),
                          "an append") ||
             !stand.works(session, session.read_list("try:list", seen),
                          "a read of a list") ||
             !stand.works(session, session.commit(), "commit")) {
    return false;
  }
  if (seen == elements) return true;
  return stand.fail(fmt::format(
      "a list of {} elements came back with {}, not in the order in which they "
      "were appended, or without the transaction's own",
      elements.size(), seen.size()));
}

}  // namespace

void try_lists(Stand& stand) {
  Connection* const session = stand.session();
  if (session == nullptr) return;
  if (!stand.whole()) {
    std::vector<WriteId> nothing;
    if (!stand.works(*session, session->begin(true), "begin")) return;
    const Answer answer = session->read_list("try:list", nothing);
    if (answer != Answer::absent &&
        !stand.works(*session, answer, "reading a list that is not there")) {
      return;
    }
    if (!nothing.empty()) {
      stand.fail("a list that nobody ever wrote has elements");
      return;
    }
    if (!stand.works(*session, session->commit(), "commit")) return;
  }
  std::vector<WriteId> elements;
  for (int i = 0; i < 12; ++i) {
    if (!appends(stand, *session, stand.fresh(), elements)) return;
  }
}

}  // namespace awdit
