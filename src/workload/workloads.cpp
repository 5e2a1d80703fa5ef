// The table of workloads. To add one: a file, a line in CMakeLists.txt, a row,
// and a page in docs/workloads/.
//
// Pauses are for databases that answer faster than sessions can meet: a few
// hundred microseconds make their transactions overlap.
#include "workload/rows.h"

namespace awdit {
namespace {

constexpr std::string_view kDistributions =
    "0 uniform, 1 zipf, 2 hotspot (four fifths on a fifth), 3 exponential";
constexpr std::string_view kTheta = "skew of zipf, in percent";
constexpr std::string_view kRotation =
    "replace a key after at most this many writes; 0: never";
constexpr std::string_view kOrdered =
    "percent of transactions that write keys in a fixed order, without "
    "deadlocks";
constexpr std::string_view kReadShare = "percent of operations that read";

// -- for the weak levels ------------------------------------------------------

constexpr Setting kMixed[] = {
    {"keys", 100, 1, 1000000, "how many keys there are at a time"},
    {"size", 6, 1, 500, "operations per transaction, on average"},
    {"reads", 50, 0, 100, kReadShare},
    {"distribution", 1, 0, 3, kDistributions},
    {"theta", 70, 1, 300, kTheta},
    {"writes-per-key", 0, 0, 1000000, kRotation},
    {"rewrites", 10, 0, 100, "percent of operations that write a key again"},
    {"own-reads", 10, 0, 100,
     "percent of operations that read the transaction's own write"},
    {"aborts", 8, 0, 100, "percent of writing transactions that roll back"},
    {"ordered", 100, 0, 100, kOrdered},
};
constexpr Setting kFracture[] = {
    {"groups", 8, 1, 100000, "how many groups of keys"},
    {"size", 4, 1, 1000, "keys per group"},
    {"reads", 50, 0, 100, "percent of transactions that read"},
    {"twice", 50, 0, 100, "percent of readers that read a key again"},
    {"locks", 0, 0, 100,
     "percent of reads that lock, as SELECT ... FOR UPDATE"},
};
constexpr Setting kSession[] = {
    {"keys", 4, 1, 10000, "of each session, and shared ones"},
    {"reads", 2, 1, 100, "transactions that read after one that writes"},
    {"shared", 50, 0, 100, "percent of writes that go to a shared key"},
};
constexpr Setting kChain[] = {
    {"chains", 4, 1, 100000, "how many chains of keys"},
    {"hops", 2, 2, 8, "keys of a chain: hops from the cause to whoever looks"},
    {"cause-first", 50, 0, 100, "percent of looks that begin at the cause"},
};

// -- of Jepsen ----------------------------------------------------------------

constexpr std::string_view kAppendAlias[] = {"append"};
constexpr std::string_view kRegisterAlias[] = {"register", "rw"};
constexpr Setting kElle[] = {
    {"keys", 10, 1, 1000000, "how many keys there are at a time"},
    {"longest", 4, 1, 1000, "most operations per transaction"},
    {"reads", 50, 0, 100, kReadShare},
    {"distribution", 3, 0, 3, kDistributions},
    {"theta", 99, 1, 300, kTheta},
    {"writes-per-key", 256, 0, 1000000, kRotation},
    {"ordered", 100, 0, 100, kOrdered},
};
constexpr Setting kListAppend[] = {
    {"keys", 10, 1, 1000000, "how many keys there are at a time"},
    {"longest", 4, 1, 1000, "most operations per transaction"},
    {"reads", 50, 0, 100, kReadShare},
    {"own-reads", 25, 0, 100,
     "percent of reads after an append that read its list"},
    {"distribution", 3, 0, 3, kDistributions},
    {"theta", 99, 1, 300, kTheta},
    {"writes-per-key", 256, 0, 1000000, kRotation},
    {"ordered", 100, 0, 100, kOrdered},
};
constexpr Setting kBank[] = {
    {"accounts", 8, 2, 10000, "how many accounts"},
    {"total", 100, 0, 1000000000, "money in all of them together"},
    {"largest", 5, 1, 1000000, "largest amount of a transfer"},
    {"reads", 50, 0, 100, "percent of transactions that read all accounts"},
    {"ordered", 100, 0, 100, kOrdered},
};
constexpr Setting kLongFork[] = {
    {"group", 2, 2, 1000, "keys that are read together"},
    {"watches", 50, 0, 100, "percent of tasks that only read others' keys"},
};
constexpr std::string_view kSkewAlias[] = {"g2"};
constexpr Setting kWriteSkew[] = {
    {"attempts", 2, 2, 1000, "transactions that try to claim a pair"},
};

// -- of Cobra, as in the AWDIT paper ------------------------------------------

constexpr std::string_view kTwitterAlias[] = {"twitter"};
constexpr Setting kTwitter[] = {
    {"users", 1000, 1, 16000, "how many users"},
};
constexpr std::string_view kRubisAlias[] = {"c-rubis"};
constexpr Setting kRubis[] = {
    {"users", 1000, 1, 1000000, "how many users at the start"},
};
constexpr std::string_view kTpccAlias[] = {"tpc-c"};
constexpr Setting kTpcc[] = {
    {"warehouses", 1, 1, 10000, "how many warehouses, of ten districts each"},
    {"items", 100000, 100, 100000, "how many items, and stocks a warehouse"},
    {"customers", 3000, 10, 3000, "customers per district"},
    {"orders", 3000, 20, 3000, "orders per district at the start"},
};
constexpr std::string_view kBlindwAlias[] = {"custom", "cheng"};
constexpr Setting kBlindw[] = {
    {"size", 8, 1, 10000, "operations per transaction"},
    {"keys", 1000, 1, 10000000,
     "how many at the start; made a multiple of the size"},
    {"read", 50, 0, 1000, "weight of transactions that only read"},
    {"update", 50, 0, 1000, "weight of those that write without reading"},
    {"rmw", 0, 0, 1000, "weight of those that read and write each key"},
    {"insert", 0, 0, 1000, "weight of those that write new keys"},
};

constexpr WorkloadKind kWorkloads[] = {
    {.name = "mixed",
     .summary = "random transactions that rewrite keys, read their own writes "
                "and roll back",
     .exposes = "aborted, intermediate and future reads (read-committed), and "
                "everything above",
     .settings = kMixed,
     .pause = 100,
     .make = make_mixed},
    {.name = "fracture",
     .summary = "groups of keys, written and read as a whole",
     .exposes = "fractured and non-repeatable reads (read-atomic)",
     .settings = kFracture,
     .pause = 300,
     .make = make_fracture},
    {.name = "session",
     .summary = "a write, then reads by the same session, also from a standby",
     .exposes = "stale reads: read your writes, monotonic reads (read-atomic, "
                "causal)",
     .settings = kSession,
     .pause = 300,
     .make = make_session},
    {.name = "chain",
     .summary = "causes that travel through several sessions",
     .exposes = "consequences without their causes (causal)",
     .settings = kChain,
     .pause = 300,
     .make = make_chain},
    {.name = "list-append",
     .aliases = kAppendAlias,
     .summary = "short transactions on a few hot lists, as Elle makes them",
     .exposes = "every level: a list tells the order of its writes",
     .settings = kListAppend,
     .lists = true,
     .pause = 100,
     .make = make_list_append},
    {.name = "rw-register",
     .aliases = kRegisterAlias,
     .summary = "short transactions on a few hot registers, as Elle makes them",
     .exposes = "every level, given enough of them",
     .settings = kElle,
     .pause = 100,
     .make = make_rw_register},
    {.name = "bank",
     .summary = "money moves between accounts; the total must not",
     .exposes = "read skew (read-atomic) and lost updates "
                "(parallel-snapshot-isolation)",
     .settings = kBank,
     .decides = true,
     .pause = 300,
     .make = make_bank},
    {.name = "long-fork",
     .summary = "keys that are written once, read in groups",
     .exposes = "long forks (prefix); parallel-snapshot-isolation allows them",
     .settings = kLongFork,
     .pause = 300,
     .make = make_long_fork},
    {.name = "write-skew",
     .aliases = kSkewAlias,
     .summary = "pairs of keys, of which at most one should be written",
     .exposes = "write skew (serializable); snapshot-isolation allows it",
     .settings = kWriteSkew,
     .decides = true,
     .pause = 300,
     .make = make_write_skew},
    {.name = "c-twitter",
     .aliases = kTwitterAlias,
     .summary = "tweets, follows and timelines",
     .exposes = "what an application would see; the paper's benchmark",
     .settings = kTwitter,
     .decides = true,
     .make = make_c_twitter},
    {.name = "rubis",
     .aliases = kRubisAlias,
     .summary = "users, items, comments and purchases of an auction site",
     .exposes = "what an application would see; the paper's benchmark",
     .settings = kRubis,
     .decides = true,
     .make = make_rubis},
    {.name = "tpcc",
     .aliases = kTpccAlias,
     .summary = "orders, payments and deliveries of a wholesaler",
     .exposes = "what an application would see; the paper's benchmark",
     .settings = kTpcc,
     .decides = true,
     .make = make_tpcc},
    {.name = "blindw",
     .aliases = kBlindwAlias,
     .summary = "transactions that only read or only write, of one size",
     .exposes = "fractured reads; the paper's custom benchmark",
     .settings = kBlindw,
     .make = make_blindw},
};

}  // namespace

std::span<const WorkloadKind> workloads() { return kWorkloads; }

}  // namespace awdit
