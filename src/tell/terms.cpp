// THE table of terms. A word that a sentence of witness/ or tell/ uses and
// that a database engineer might read in two ways has a row here.
#include "tell/terms.h"

namespace awdit {
namespace {

// A meaning fits on one line beside its word.
constexpr Word kTerms[] = {
    {"comes before", "must take effect earlier, in whatever order commits did"},
    {"depends on",
     "read from it, follows it in a session, or a chain of these"},
    {"builds on",
     "read from it, overwrote it, follows it in a session, or a chain"},
    {"snapshot", "the moment whose state a transaction reads"},
    {"missed", "read an older version of the key"},
    {"serial order", "one transaction after the other, as if alone"},
    {"commit order",
     "one order of all transactions that keeps the level's rule"},
    {"session", "a client connection: one transaction after another"},
    {"initial", "there before any transaction wrote"},
    {"newer of the two", "its write replaced the other one's"},
    {"overwritten", "replaced by a later write of the same key"},
    {"aborted", "rolled back: its writes must never be seen"},
    {"outcome", "whether it committed; unknown if no answer came"},
    {"appended", "added as the last element of the key's list"},
};

}  // namespace

std::span<const Word> terms() { return kTerms; }

}  // namespace awdit
