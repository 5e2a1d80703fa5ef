// Which transactions a transaction depends on, in tables of bounded size.
// Private to src/witness.
//
// Happens-before is a clock per transaction and session: how far along the
// session it reaches. A full table has transactions x sessions cells, too many
// when both are 10^6; but few of them are ever looked at. So the questions are
// announced first. A transaction in question matters from its own place in the
// commit order to the place of the last one that asks; where these stretches
// overlap along a session, or nearly so, they make up one *column*: a session
// busy with questions is one column, a quiet one many short ones or none.
// Columns of similar length and place are then put into blocks, and a sweep
// along a block's stretch of the commit order fills its table. A cell is 16
// bits: how far along the column.
//
// Where the order of versions counts as well, a transaction also depends on
// those whose versions it replaced.
//
// Cost: O(sum over sessions of the stretches in question) cells, each touched
// once per read; never more than O(n * sessions).
#pragma once

#include <cstdint>
#include <vector>

#include "base/array.h"
#include "history/history.h"
#include "witness/attribution.h"
#include "witness/replay.h"

namespace awdit {

// Tests make them small.
struct VisibilityLimits {
  std::uint32_t column = 32767;               // transactions in a column
  std::uint32_t width = 512;                  // columns in a block
  std::size_t cells = std::size_t{64} << 20;  // in a block of several columns
};

// Those whose versions a transaction replaced.
struct Overwritten {
  Array<std::uint32_t> first;          // [place] -> entry of writers
  std::vector<std::uint32_t> writers;  // transactions, place by place
};

class Visibility {
 public:
  // `overwritten`: nullptr, or what else a transaction depends on. All of these
  // must outlive it.
  Visibility(const History& history, const Attribution& attribution,
             const Replay& replay, const VisibilityLimits& limits,
             const Overwritten* overwritten = nullptr);

  // Announces questions whether the transaction at place `seen` is visible to
  // transactions up to place `reader`. REQUIRES: before the first next_block().
  void ask(std::uint32_t seen, std::uint32_t reader);

  // Ends the questions; next_block() does so as well.
  void prepare();
  // Where the blocks, one after another, answer about the transaction at that
  // place. REQUIRES: prepared, and it was asked about.
  std::uint32_t column_of(std::uint32_t place) const {
    return column_of_[replay_.order[place - 1].v];
  }

  // Fills the table of the next block of columns; false: there are no more.
  bool next_block();

  // Columns of the current table.
  std::uint32_t width() const { return width_; }
  // The current block answers for these places only.
  std::uint32_t first_place() const { return first_place_; }
  std::uint32_t last_place() const { return last_place_; }

  struct Cell {
    std::uint32_t column;  // of the table
    std::int16_t rank;     // of the transaction in its column, from 1
  };
  // Where the transaction at `place` is found in a row; false: not in this
  // block.
  bool locate(std::uint32_t place, Cell& cell) const;

  // The row of the transaction at `place`: [column] -> rank of the latest
  // transaction in it that happens before, or 0. REQUIRES: the current block
  // answers for it.
  const std::int16_t* row(std::uint32_t place) const {
    return table_.data() + std::size_t{place - first_place_} * width_;
  }

 private:
  struct Column {
    std::uint32_t first_txn;
    std::uint32_t end_txn;
    std::uint32_t first_place;
    std::uint32_t last_place;
    std::uint32_t in_question;  // places, without the gaps
    std::uint32_t length() const { return last_place - first_place + 1; }
  };

  void make_columns();
  void sort_columns();
  void fill();
  void join(std::int16_t* row, TxnId earlier);

  const History& history_;
  const Attribution& attribution_;
  const Replay& replay_;
  const VisibilityLimits limits_;
  const Overwritten* const overwritten_;
  // [place - 1] -> place of the last transaction that asks about it, or 0
  Array<std::uint32_t> last_reader_;
  std::vector<Column> columns_;     // in the order of the blocks
  Array<std::uint32_t> column_of_;  // [txn] -> if in question, otherwise kNoId
  // The current block: columns_[block_, block_ + width_).
  std::uint32_t block_ = 0;
  std::uint32_t width_ = 0;
  std::uint32_t first_place_ = 0;
  std::uint32_t last_place_ = 0;
  Array<std::int16_t> table_;
};

}  // namespace awdit
