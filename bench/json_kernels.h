// Two ways to read JSON, compared. See json_kernels.cpp.
#pragma once

namespace awdit::bench {

void declare_json();

}  // namespace awdit::bench
