// The words for operations that objections and explanations share. Part of
// src/witness, for src/tell as well. REQUIRES throughout: the ids exist in the
// history.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>

#include "history/history.h"

namespace awdit {

// "x=3"; a read of a list: "x=[1 2 3]", if it is long as list_text shows it.
std::string quote(const History& history, OpId op,
                  std::initializer_list<std::uint32_t> places = {});

// Why nothing can be said where two transactions that count wrote one value.
std::string describe_twin(const History& history, OpId a, OpId b);

// "t7 read x=3 from t4", "t7 read the initial x=0"; of a list with own elements
// at its end, where `writer` made what comes before them: "t7 read x=[1 7] from
// t4 and itself", "t7 read only its own x=[7]".
std::string describe_read(const History& history, OpId read, TxnId writer);

}  // namespace awdit
