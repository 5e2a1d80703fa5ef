// The commands, one file each.
#pragma once

#include "cli/console.h"
#include "cli/plan.h"
#include "witness/witness.h"

namespace awdit::cli {

Exit run_check(const CheckPlan& plan, Output& out);
Exit run_verify(const VerifyPlan& plan, Output& out);
Exit run_retell(const RetellPlan& plan, Output& out);
Exit run_convert(const ConvertPlan& plan, Output& out);
Exit run_shrink(const ShrinkPlan& plan, Output& out);
Exit run_generate(const GeneratePlan& plan, Output& out);
Exit run_record(const RecordPlan& plan, Output& out);
Exit run_test(const TestPlan& plan, Output& out);
Exit run_stats(const StatsPlan& plan, Output& out);
Exit run_explain(const ExplainPlan& plan, Output& out);
Exit run_list(const ListPlan& plan, Output& out);

// The exit code that a check's verdicts deserve.
Exit exit_of(const Report& report);

// The history as the certificate means it: it may leave out session order.
History as_checked(History history, const Certificate& certificate);

// That a certificate speaks of this history at all; both by their names.
Outcome mismatch(const std::string& certificate_name,
                 const std::string& history_name, const History& history,
                 const Certificate& certificate);
Result<Certificate> load_certificate(const std::string& path);

}  // namespace awdit::cli
