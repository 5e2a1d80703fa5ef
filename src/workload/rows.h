// What the table of workloads points to: a function per file. Private to
// workload/.
#pragma once

#include "workload/workload.h"

namespace awdit {

using MakeWorkload = std::unique_ptr<Workload>(const WorkloadOptions& options);

MakeWorkload make_mixed;
MakeWorkload make_fracture;
MakeWorkload make_session;
MakeWorkload make_chain;
MakeWorkload make_list_append;
MakeWorkload make_rw_register;
MakeWorkload make_bank;
MakeWorkload make_long_fork;
MakeWorkload make_write_skew;
MakeWorkload make_c_twitter;
MakeWorkload make_rubis;
MakeWorkload make_tpcc;
MakeWorkload make_blindw;

}  // namespace awdit
