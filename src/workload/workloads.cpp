// The table of workloads. To add one: a file, a line in CMakeLists.txt, a row.
#include "workload/rows.h"

namespace awdit {
namespace {

constexpr std::string_view kNoAlias[] = {""};
constexpr std::span<const std::string_view> no_alias() {
  return std::span(kNoAlias).first(0);
}

constexpr Setting kRwRegister[] = {
    {"keys", 10, 1, 1000000, "how many registers"},
    {"longest", 4, 1, 1000, "operations of a transaction at the most"},
};

constexpr WorkloadKind kWorkloads[] = {
    {.name = "rw-register",
     .aliases = no_alias(),
     .summary = "short transactions on a few hot registers",
     .exposes = "every level, given enough of them",
     .settings = kRwRegister,
     .make = make_rw_register},
};

}  // namespace

std::span<const WorkloadKind> workloads() { return kWorkloads; }

}  // namespace awdit
