// Where the transactions of a story are drawn. Private to src/report.
//
// A session is a lane, from left to right; a transaction stands to the right of
// those that it follows or reads from. Boxes are as wide as their text; nobody
// needs a layout engine for a dozen of them. Cost: O(boxes * arrows).
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "report/arrows.h"
#include "tell/tell.h"

namespace awdit {

struct Box {
  TxnId txn;                        // perhaps init
  const StoryTxn* shown = nullptr;  // nullptr: init
  std::size_t lane = 0, column = 0;
  std::vector<std::string> rows;  // the operations, made visible
  int x = 0, y = 0, width = 0, height = 0;

  // The middle of an operation's row; of the title if it has none.
  int row_y(OpId op) const;
};

struct Lane {
  std::string label;
  int y = 0, height = 0;
};

struct Lanes {
  std::vector<Lane> lanes;
  std::vector<Box> boxes;
  std::vector<int> column_x, column_width;
  int width = 0, height = 0;
  std::size_t left_out = 0;  // transactions

  const Box* box(TxnId txn) const;
};

inline constexpr int kTitleHeight = 22;
inline constexpr int kRowHeight = 19;

Lanes lay_out(const History& history, const Story& story,
              const std::vector<Arrow>& arrows);

}  // namespace awdit
