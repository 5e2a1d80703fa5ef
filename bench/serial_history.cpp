#include "serial_history.h"

#include <fmt/compile.h>

#include <iterator>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "random.h"

namespace awdit::bench {
namespace {

struct Op {
  bool is_write;
  std::uint32_t key;
  std::uint64_t value;
};

struct Txn {
  std::uint32_t session;
  std::uint64_t id;
  std::vector<Op> ops;
};

// Appends "r(key,value,session,txn)\n".
void append_line(std::string& text, const Op& op, std::uint32_t session,
                 std::uint64_t txn) {
  fmt::format_to(std::back_inserter(text), FMT_COMPILE("{}({},{},{},{})\n"),
                 op.is_write ? 'w' : 'r', op.key, op.value, session, txn);
}

// Executes transactions in commit order.
class Database {
 public:
  explicit Database(const Shape& shape)
      : shape_(shape),
        random_(shape.seed),
        zipf_(shape.keys, shape.theta),
        name_(shape.keys),
        stored_(shape.keys, 0),
        written_(shape.values_per_key ? shape.keys : 1, 0) {
    // Popular keys are not neighbours: rank -> key is a random permutation.
    std::iota(name_.begin(), name_.end(), 0u);
    for (std::uint32_t i = shape.keys; i > 1; --i) {
      std::swap(name_[i - 1], name_[random_.below(i)]);
    }
  }

  // The next transaction; `txn` is only passed to reuse its memory.
  void next(Txn& txn) {
    txn.session = random_.below(shape_.sessions);
    txn.id = ++last_id_;
    txn.ops.clear();
    for (std::uint32_t i = 0; i < shape_.operations_per_transaction; ++i) {
      const std::uint32_t key = name_[zipf_(random_)];
      const bool is_write = random_.unit() >= shape_.read_ratio;
      if (is_write) {
        stored_[key] = ++written_[shape_.values_per_key ? key : 0];
      }
      txn.ops.push_back({is_write, key, stored_[key]});
    }
  }

  // One of the three transactions of the planted fractured read.
  void plant(Txn& txn, int which) {
    const std::uint32_t a = shape_.keys, b = shape_.keys + 1;
    txn.session = which == 2 ? 1 : 0;
    txn.id = ++last_id_;
    if (which == 0) txn.ops = {{true, a, 1}, {true, b, 1}};
    if (which == 1) txn.ops = {{true, a, 2}, {true, b, 2}};
    if (which == 2) txn.ops = {{false, b, 1}, {false, a, 2}};
  }

 private:
  const Shape& shape_;
  Random random_;
  Zipf zipf_;
  std::vector<std::uint32_t> name_;     // [rank] -> key
  std::vector<std::uint64_t> stored_;   // [key] -> latest value
  std::vector<std::uint64_t> written_;  // [key] -> last counter, or just one
  std::uint64_t last_id_ = 0;
};

// Puts the lines of transactions into one of the orders.
class Writer {
 public:
  Writer(const Shape& shape, const std::function<void(std::string_view)>& sink)
      : order_(shape.order),
        random_(~shape.seed),
        sink_(sink),
        by_session_(order_ == Order::session ? shape.sessions : 0),
        open_(order_ == Order::interleaved ? shape.sessions : 0) {}

  void add(const Txn& txn) {
    if (order_ == Order::interleaved) {
      interleave(txn);
      return;
    }
    std::string& text =
        order_ == Order::session ? by_session_[txn.session] : text_;
    for (const Op& op : txn.ops) append_line(text, op, txn.session, txn.id);
    flush(kPiece);
  }

  void finish() {
    while (!order_of_opening_.empty()) emit(order_of_opening_.size() - 1);
    flush(0);
    for (const std::string& text : by_session_) sink_(text);
  }

 private:
  static constexpr std::size_t kPiece = 1 << 20;
  static constexpr std::size_t kOpenAtOnce = 8;

  struct Open {
    Txn txn;
    std::size_t written = 0;
  };

  // Up to kOpenAtOnce transactions are open, at most one per session. A new one
  // waits until its session's is done, and until there is room.
  void interleave(const Txn& txn) {
    Open& mine = open_[txn.session];
    while (mine.written < mine.txn.ops.size() ||
           order_of_opening_.size() >= kOpenAtOnce) {
      const auto open = static_cast<std::uint32_t>(order_of_opening_.size());
      emit(random_.below(open));
    }
    mine = {txn, 0};
    order_of_opening_.push_back(txn.session);
    flush(kPiece);
  }

  // Writes one line of the open transaction at `slot`.
  void emit(std::size_t slot) {
    Open& open = open_[order_of_opening_[slot]];
    append_line(text_, open.txn.ops[open.written++], open.txn.session,
                open.txn.id);
    if (open.written == open.txn.ops.size()) {
      order_of_opening_[slot] = order_of_opening_.back();
      order_of_opening_.pop_back();
    }
  }

  void flush(std::size_t limit) {
    if (text_.size() < limit) return;
    sink_(text_);
    text_.clear();
  }

  Order order_;
  Random random_;
  const std::function<void(std::string_view)>& sink_;
  std::string text_;
  std::vector<std::string> by_session_;          // [session], order session
  std::vector<Open> open_;                       // [session], interleaved
  std::vector<std::uint32_t> order_of_opening_;  // sessions with an open txn
};

}  // namespace

void write_serial_history(const Shape& shape,
                          const std::function<void(std::string_view)>& sink) {
  const std::uint64_t per_txn = shape.operations_per_transaction;
  const std::uint64_t txns = (shape.operations + per_txn - 1) / per_txn;
  Database database(shape);
  Writer writer(shape, sink);
  Txn txn;
  for (std::uint64_t i = 0; i < txns; ++i) {
    database.next(txn);
    writer.add(txn);
    if (shape.violate && i == txns * 9 / 10) {
      for (int which = 0; which < 3; ++which) {
        database.plant(txn, which);
        writer.add(txn);
      }
    }
  }
  writer.finish();
}

}  // namespace awdit::bench
