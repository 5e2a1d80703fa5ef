// What drivers need not say.
#include "database/database.h"

#include "base/assert.h"

namespace awdit {

// Callers look at the row, or ask `can`, first.
Answer Connection::append(std::string_view, WriteId) {
  AWDIT_ASSERT(false);
  return Answer::fatal;
}

Answer Connection::read_list(std::string_view, std::vector<WriteId>&) {
  AWDIT_ASSERT(false);
  return Answer::fatal;
}

Answer Connection::transact(std::vector<WholeStep>&, bool) {
  AWDIT_ASSERT(false);
  return Answer::fatal;
}

std::size_t Database::place(unsigned, unsigned node) const { return node; }

Outcome Database::drop() { return std::nullopt; }

Outcome Database::begin_fault(Fault, Random&) {
  AWDIT_ASSERT(false);
  return Error{.message = "this database cannot suffer this fault"};
}

Outcome Database::end_fault(Fault) { return std::nullopt; }

}  // namespace awdit
