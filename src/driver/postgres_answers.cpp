#include "driver/postgres_answers.h"

#include <algorithm>

namespace awdit {
namespace {

bool is_one_of(std::string_view word,
               std::initializer_list<std::string_view> words) {
  return std::ranges::find(words, word) != words.end();
}

// No other transaction would fare better.
bool is_hopeless(std::string_view sqlstate) {
  return is_one_of(sqlstate.substr(0, 2),
                   {"42",                 // a wrong table, no privilege
                    "3D",                 // no such database
                    "58"}) ||             // the server's disk does not work
         is_one_of(sqlstate, {"26000",    // somebody dropped our statements
                              "53100",    // disk full
                              "XX001",    // a corrupted table
                              "XX002"});  // a corrupted index
}

}  // namespace

PostgresProduct postgres_product(std::string_view version) {
  if (version.find("CockroachDB") != std::string_view::npos) {
    return PostgresProduct::cockroachdb;
  }
  if (version.find("-YB-") != std::string_view::npos) {
    return PostgresProduct::yugabytedb;
  }
  return PostgresProduct::postgres;
}

Answer postgres_answer(std::string_view severity, std::string_view sqlstate,
                       Phase phase, PostgresProduct product) {
  // The server closes the connection behind these. It may say so even while it
  // commits.
  if (severity == "FATAL" || severity == "PANIC") return Answer::lost;
  if (phase == Phase::body) {
    return is_hopeless(sqlstate) ? Answer::fatal : Answer::refused;
  }
  // statement_completion_unknown, transaction_resolution_unknown
  if (is_one_of(sqlstate, {"40003", "08007"})) return Answer::ambiguous;
  if (product == PostgresProduct::postgres) return Answer::refused;
  // Rolled back; a constraint; no such transaction, or a failed one.
  return is_one_of(sqlstate.substr(0, 2), {"40", "23", "25"})
             ? Answer::refused
             : Answer::ambiguous;
}

}  // namespace awdit
