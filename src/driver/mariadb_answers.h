// What an error of MariaDB, or of its client library, means for a transaction.
//
// Error numbers are those of the server (1000 and up) and of the client
// library (2000 to 2999, and 5000 to 5999).
#pragma once

#include "driver/driver.h"

namespace awdit {

// `committing`: it answers a COMMIT; then what is not known to be a refusal
// leaves the outcome open.
Answer answer_of_mariadb(unsigned error, bool committing);

}  // namespace awdit
