#include "cli/isolation.h"

#include "cli/values.h"

namespace awdit::cli {

void Isolation::add(Grammar& grammar, const std::string& text) {
  grammar.options("-i,--isolation", "LEVEL", text, lists_, names_of(levels()));
  grammar.flag("--no-session-order",
               "Ignore the order of transactions within a session: levels\nas "
               "Adya and Elle define them",
               no_session_order_);
}

Wrong Isolation::settle(const Level* claim) {
  if (auto wrong = wanted_.choose(lists_, claim)) {
    return Misuse{std::move(wrong->message), std::move(wrong->details)};
  }
  return std::nullopt;
}

void Isolation::use_claim(const Level& claim) {
  // Nothing can be wrong with names if there are none.
  if (lists_.empty()) wanted_.choose({}, &claim);
}

History Isolation::applied_to(History history) const {
  return no_session_order_ ? std::move(history).without_session_order()
                           : std::move(history);
}

}  // namespace awdit::cli
