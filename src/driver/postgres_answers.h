// What an error of PostgreSQL, or of a server of its protocol, says about the
// transaction: the phase decides first, then the SQLSTATE.
//
// Before COMMIT any error is a no, as the server cannot commit what nobody
// asked it to. An ERROR in reply to COMMIT is a no from PostgreSQL, which makes
// an error behind the point of no return a PANIC; the distributed databases
// also report what they do not know themselves, so of those only the classes
// that mean a no are taken for one.
#pragma once

#include <cstdint>
#include <string_view>

#include "driver/driver.h"

namespace awdit {

enum class PostgresProduct : std::uint8_t { postgres, cockroachdb, yugabytedb };

// By what `SELECT version()` says.
PostgresProduct postgres_product(std::string_view version);

// The phase of a request.
enum class Phase : std::uint8_t { body, commit };

// `severity`: "ERROR", "FATAL", "PANIC".
Answer postgres_answer(std::string_view severity, std::string_view sqlstate,
                       Phase phase, PostgresProduct product);

}  // namespace awdit
