// What several calls understand alike. Private to abi/.
#pragma once

#include "abi/failure.h"
#include "abi/handles.h"
#include "library/library.h"

namespace awdit::abi {

// "rc,ra", "all"; NULL: every level.
Trouble choose_levels(const char* names, WantedLevels& wanted);
// The history as the levels are to read it.
Shared as_asked(const Shared& held, const awdit_options& options);
// The report of this name.
Trouble find_report(const char* name, const ReportFormat*& row);
// The format of this name; nullptr for NULL: by looking at the bytes.
Trouble find_format(const char* name, const Format*& format);

}  // namespace awdit::abi
