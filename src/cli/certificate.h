// A certificate and the history that it was made for, as `awdit verify` and
// `awdit report` read them.
#pragma once

#include <string>

#include "base/result.h"
#include "library/library.h"
#include "witness/witness.h"

namespace awdit::cli {

// HISTORY CERTIFICATE is the order of what is typed; whoever mixes them up, or
// remembers the order that `awdit report` once had, is understood as long as
// the files tell them apart.
void put_in_order(std::string& history, std::string& certificate);

Result<Certificate> load_certificate(const std::string& path);

}  // namespace awdit::cli
