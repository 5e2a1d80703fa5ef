// THE table of terms. A word that a sentence of witness/ or report/ uses and
// that a database engineer might read in two ways has a row here.
#include "report/terms.h"

namespace awdit {
namespace {

// A meaning fits on one line beside its word.
constexpr Term kTerms[] = {
    {"comes before", "takes effect earlier; fits all sessions and all reads"},
    {"depends on", "read from it or follows it in a session, or via others"},
    {"commit order", "an order of all transactions that explains every read"},
    {"session", "a client connection: one transaction after another"},
    {"initial", "there before any transaction wrote"},
    {"newer of the two", "its write replaced the other one's"},
    {"overwritten", "replaced by a later write of the same key"},
    {"aborted", "rolled back: its writes must never be seen"},
    {"outcome", "whether it committed; unknown if no answer came"},
    {"appended", "added as the last element of the key's list"},
};

}  // namespace

std::span<const Term> terms() { return kTerms; }

}  // namespace awdit
