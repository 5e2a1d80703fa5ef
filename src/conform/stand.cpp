#include "conform/stand.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/table.h"
#include "theory/theory.h"

namespace awdit {

bool Stand::claims(std::string_view level) const {
  const Level* const claimed = find_row(levels(), claims_);
  const Level* const asked = find_row(levels(), level);
  return claimed != nullptr && asked != nullptr && implies(*claimed, *asked);
}

Connection* Stand::session() {
  auto opened = database_.connect(++last_session_, 0);
  if (!opened) {
    fail("a session could not be opened: " + opened.error().message);
    return nullptr;
  }
  sessions_.push_back(std::move(*opened));
  return sessions_.back().get();
}

void Stand::end(Connection* session) {
  std::erase_if(sessions_,
                [=](const auto& other) { return other.get() == session; });
}

WriteId Stand::fresh() {
  // A run and a session whose numbers make the largest values.
  constexpr std::uint64_t kRun = 1022;
  constexpr std::uint64_t kSession = 0xFFFF;
  constexpr std::uint64_t kFirst = 0x7FF'FFFF;
  return kRun << 47 | kSession << 31 | (kFirst - last_write_++);
}

Answer Stand::write(Connection& session, std::string_view key, WriteId id,
                    std::string_view payload) {
  if (whole()) {
    std::vector<WholeStep> steps = {{.kind = WholeStep::Kind::write,
                                     .key = std::string(key),
                                     .id = id,
                                     .payload = std::string(payload)}};
    return session.transact(steps, false);
  }
  Answer answer = session.begin(false);
  if (answer == Answer::done) answer = session.write(key, id, payload);
  if (answer == Answer::done) return session.commit();
  if (answer == Answer::refused) session.rollback();
  return answer;
}

Found Stand::look(Connection& session, std::string_view key) {
  Found found;
  found.answer = session.read(key, found.content);
  return found;
}

Found Stand::read(Connection& session, std::string_view key) {
  Found found;
  if (whole()) {
    std::vector<WholeStep> steps = {
        {.kind = WholeStep::Kind::read, .key = std::string(key)}};
    found.answer = session.transact(steps, true);
    if (found.answer != Answer::done) return found;
    if (!steps[0].exists) found.answer = Answer::absent;
    found.content = {steps[0].id, steps[0].payload};
    return found;
  }
  found.answer = session.begin(true);
  if (found.answer != Answer::done) return found;
  found = look(session, key);
  if (found.answer != Answer::done && found.answer != Answer::absent) {
    if (found.answer == Answer::refused) session.rollback();
    return found;
  }
  const Answer committed = session.commit();
  if (committed != Answer::done) found.answer = committed;
  return found;
}

bool Stand::reset() {
  const Outcome failed = database_.reset([](const PutRow&) {});
  return !failed || fail("reset failed: " + failed->message);
}

bool Stand::fail(std::string words) {
  if (failure_.empty()) failure_ = std::move(words);
  return false;
}

bool Stand::works(Connection& session, Answer answer, std::string_view what) {
  if (answer == Answer::done) return true;
  if (answer == Answer::fatal) {
    hopeless_ = true;
    return fail(session.trouble().text);
  }
  return fail(fmt::format(
      "{} failed, with nobody else in the way: {}", what,
      answer == Answer::absent ? "nothing is there" : reason_of(session)));
}

std::string Stand::failure() { return std::exchange(failure_, ""); }

std::string reason_of(const Connection& session) {
  const Trouble& trouble = session.trouble();
  if (trouble.text.empty() || trouble.text == trouble.code) return trouble.code;
  return fmt::format("{} ({})", trouble.code, trouble.text);
}

}  // namespace awdit
