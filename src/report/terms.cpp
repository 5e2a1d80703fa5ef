// THE table of terms. A word that a sentence of witness/ or report/ uses and
// that a database engineer might read in two ways has a row here.
#include "report/terms.h"

namespace awdit {
namespace {

constexpr Term kTerms[] = {
    {"comes before",
     "takes effect earlier, in whatever order the database made commits take "
     "effect; it must agree with all sessions and all reads"},
    {"depends on",
     "read from it or follows it in a session, directly or through others in "
     "between"},
    {"commit order",
     "one order of all transactions that would explain every read; a level "
     "holds if there is one that keeps its rule"},
    {"session",
     "one client connection; its transactions run one after another"},
    {"initial", "there before any transaction of the history wrote"},
    {"newer of the two",
     "its write replaced the other one's, so that it comes later"},
    {"overwritten", "replaced by a later write of the same key"},
    {"aborted", "rolled back: none of its writes may ever be seen"},
    {"outcome",
     "whether a transaction committed; unknown if the client never "
     "got the answer"},
    {"appended", "added as a new last element to the list of a key"},
};

}  // namespace

std::span<const Term> terms() { return kTerms; }

}  // namespace awdit
