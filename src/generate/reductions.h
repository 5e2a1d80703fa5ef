// The paper's hard instances. Private to generate/. See reductions.cpp.
#pragma once

#include <cstdint>

#include "generate/generate.h"
#include "history/builder.h"

namespace awdit {

std::uint64_t edges_of(const Graph& graph);
std::uint64_t operations_of(const Reduction& reduction, const Graph& graph);

// REQUIRES: the parameters are valid and name a reduction.
void reduce(const Parameters& parameters, Builder& builder);

}  // namespace awdit
