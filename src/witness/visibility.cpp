#include "witness/visibility.h"

#include <algorithm>
#include <bit>

namespace awdit {
namespace {

// A column may be this many times longer than what is in question.
constexpr std::size_t kGaps = 2;
// A block this small is not worth splitting, however sparse it is.
constexpr std::size_t kSmallBlock = std::size_t{1} << 16;
// A block's table may be this many times larger than its columns' stretches.
constexpr std::size_t kSlack = 4;

}  // namespace

Visibility::Visibility(const History& history, const Attribution& attribution,
                       const Replay& replay, const VisibilityLimits& limits,
                       const Overwritten* overwritten)
    : history_(history),
      attribution_(attribution),
      replay_(replay),
      limits_(limits),
      overwritten_(overwritten),
      last_reader_(replay.order.size(), 0) {}

void Visibility::ask(std::uint32_t seen, std::uint32_t reader) {
  last_reader_[seen - 1] = std::max(last_reader_[seen - 1], reader);
}

void Visibility::make_columns() {
  for (const SessionId session : history_.sessions()) {
    const std::size_t first_column = columns_.size();
    for (const TxnId txn : history_.txns(session)) {
      const std::uint32_t place = replay_.place[txn.v];
      if (place == 0 || last_reader_[place - 1] == 0) continue;
      const std::uint32_t last = last_reader_[place - 1];
      if (columns_.size() > first_column) {
        Column& column = columns_.back();
        const std::uint32_t end = std::max(column.last_place, last);
        const std::uint32_t from = std::max(place, column.last_place + 1);
        const std::uint32_t added = end >= from ? end - from + 1 : 0;
        // Gaps that double the column are cheaper than another column.
        if (end - column.first_place < kGaps * (column.in_question + added) &&
            txn.v - column.first_txn < limits_.column) {
          column.end_txn = txn.v + 1;
          column.last_place = end;
          column.in_question += added;
          continue;
        }
      }
      columns_.push_back({txn.v, txn.v + 1, place, last, last - place + 1});
    }
  }
}

// Long columns with long ones, near ones with near ones.
void Visibility::sort_columns() {
  std::ranges::sort(columns_, [](const Column& a, const Column& b) {
    const auto wa = std::bit_width(a.length());
    const auto wb = std::bit_width(b.length());
    return wa != wb ? wa > wb : a.first_place < b.first_place;
  });
  column_of_ = Array<std::uint32_t>(history_.num_txns(), kNoId);
  for (std::uint32_t c = 0; c < columns_.size(); ++c) {
    for (std::uint32_t t = columns_[c].first_txn; t < columns_[c].end_txn;
         ++t) {
      const std::uint32_t place = replay_.place[t];
      if (place != 0 && last_reader_[place - 1] != 0) column_of_[t] = c;
    }
  }
}

void Visibility::prepare() {
  if (!column_of_.empty()) return;
  make_columns();
  sort_columns();
}

bool Visibility::next_block() {
  prepare();
  block_ += width_;
  width_ = 0;
  first_place_ = kNoId;
  last_place_ = 0;
  std::size_t in_question = 0;
  while (block_ + width_ < columns_.size() && width_ < limits_.width) {
    const Column& column = columns_[block_ + width_];
    const std::uint32_t first = std::min(first_place_, column.first_place);
    const std::uint32_t last = std::max(last_place_, column.last_place);
    const std::size_t cells = (std::size_t{last - first} + 1) * (width_ + 1);
    in_question += column.length();
    if (width_ != 0 && (cells > limits_.cells ||
                        cells > std::max(kSmallBlock, kSlack * in_question))) {
      break;
    }
    ++width_;
    first_place_ = first;
    last_place_ = last;
  }
  if (width_ == 0) return false;
  fill();
  return true;
}

bool Visibility::locate(std::uint32_t place, Cell& cell) const {
  const TxnId txn = replay_.order[place - 1];
  const std::uint32_t column = column_of_[txn.v];
  // kNoId is far beyond any block.
  if (column - block_ >= width_) return false;
  cell.column = column - block_;
  cell.rank = static_cast<std::int16_t>(txn.v - columns_[column].first_txn + 1);
  return true;
}

// What comes before the block's stretch needs no row: nobody asked about it,
// and no path from what is asked about leads through it.
void Visibility::join(std::int16_t* row, TxnId earlier) {
  const std::uint32_t place = replay_.place[earlier.v];
  if (place < first_place_) return;
  const std::int16_t* other = this->row(place);
  for (std::uint32_t c = 0; c < width_; ++c) {
    row[c] = std::max(row[c], other[c]);
  }
  Cell cell{};
  if (locate(place, cell)) {
    row[cell.column] = std::max(row[cell.column], cell.rank);
  }
}

void Visibility::fill() {
  const std::size_t cells =
      (std::size_t{last_place_ - first_place_} + 1) * width_;
  if (table_.size() < cells) {
    table_.reset();
    table_ = Array<std::int16_t>(cells);
  }
  for (std::uint32_t place = first_place_; place <= last_place_; ++place) {
    std::int16_t* row =
        table_.data() + std::size_t{place - first_place_} * width_;
    std::fill(row, row + width_, std::int16_t{0});
    const TxnId txn = replay_.order[place - 1];
    const std::uint32_t start = history_.txns(history_.session(txn)).first;
    for (std::uint32_t before = txn.v; before-- > start;) {
      if (attribution_.counts[before] == 0) continue;
      join(row, TxnId(before));
      break;
    }
    std::uint32_t last = kNoId;
    for (const OpId op : history_.ops(txn)) {
      // kInit and kNone are the two largest values.
      if (attribution_.source[op.v] >= Attribution::kInit) continue;
      const std::uint32_t writer =
          attribution_.op_txn[attribution_.source[op.v]];
      if (writer == last) continue;
      last = writer;
      join(row, TxnId(writer));
    }
    if (overwritten_ == nullptr) continue;
    for (std::uint32_t i = overwritten_->first[place - 1];
         i < overwritten_->first[place]; ++i) {
      join(row, TxnId(overwritten_->writers[i]));
    }
  }
}

}  // namespace awdit
