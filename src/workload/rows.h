// What the table of workloads points to: a function per file. Private to
// workload/.
#pragma once

#include "workload/workload.h"

namespace awdit {

using MakeWorkload = std::unique_ptr<Workload>(const WorkloadOptions& options);

MakeWorkload make_rw_register;

}  // namespace awdit
