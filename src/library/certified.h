// A certificate and the history that it was made for. Part of
// library/library.h.
#pragma once

#include <string>

#include "base/result.h"
#include "history/history.h"
#include "witness/witness.h"

namespace awdit {

// The history as the certificate means it: it may leave out session order.
History as_checked(History history, const Certificate& certificate);

// That a certificate speaks of this history at all; both by their names.
Outcome mismatch(const std::string& certificate_name,
                 const std::string& history_name, const History& history,
                 const Certificate& certificate);

}  // namespace awdit
