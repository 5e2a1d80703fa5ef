// Transactions are executed one after the other, each in a random session, so
// the order of execution is a commit order for every level. A transaction that
// shall not take effect is undone at its end; what it read is what a store
// would have told it.
//
// Of lists, a transaction that has appended to a key often reads that key
// again: what stands before own elements is what such lists are read for.
//
// Cost: a few random numbers and one or two places in memory per operation. The
// keys of a transaction are drawn before it is executed, so that their places
// are on the way meanwhile.
#include "generate/serial_run.h"

#include <algorithm>
#include <type_traits>
#include <utility>

#include "base/ids.h"
#include "base/random.h"
#include "generate/key_chooser.h"
#include "generate/planter.h"
#include "generate/scribe.h"
#include "generate/store.h"

namespace awdit {
namespace {

// What is planted and when, as a share of the run.
struct Planting {
  double when;
  const Gadget* gadget;
};

template <typename Store>
class Run {
 public:
  Run(const Parameters& parameters, Builder& builder)
      : parameters_(parameters),
        random_(parameters.seed),
        choose_key_(parameters.distribution, parameters.keys),
        is_read_(parameters.reads),
        is_aborted_(parameters.aborted),
        // Of those that did not abort.
        is_unknown_(
            parameters.aborted < 1
                ? std::min(1.0, parameters.unknown / (1 - parameters.aborted))
                : 0),
        takes_effect_(0.5),
        is_own_read_(0.25),
        fresh_keys_(parameters.keys),
        store_(parameters, random_, fresh_keys_),
        scribe_(builder, parameters, most_operations(parameters)) {
    // What is planted has a source of its own, so that planting changes
    // nothing in the rest of the run.
    Random stage(~parameters.seed);
    for (const Gadget* gadget : parameters.plant) {
      plantings_.push_back({stage.unit(), gadget});
    }
    std::stable_sort(
        plantings_.begin(), plantings_.end(),
        [](const Planting& a, const Planting& b) { return a.when < b.when; });
    casting_ = stage;
  }

  void execute() {
    const std::uint64_t total = parameters_.operations != 0
                                    ? parameters_.operations
                                    : parameters_.transactions;
    std::size_t planted = 0;
    for (std::uint64_t done = 0; done < total;) {
      while (planted < plantings_.size() &&
             plantings_[planted].when * static_cast<double>(total) <=
                 static_cast<double>(done)) {
        plant_next(planted++);
      }
      std::uint64_t size = size_of_next();
      if (parameters_.operations != 0) {
        size = std::min(size, total - done);
        done += size;
      } else {
        ++done;
      }
      next_transaction(static_cast<std::uint32_t>(size));
    }
    while (planted < plantings_.size()) plant_next(planted++);
  }

 private:
  std::uint32_t size_of_next() {
    const std::uint32_t spread =
        parameters_.max_txn_ops - parameters_.min_txn_ops;
    if (spread == 0) return parameters_.min_txn_ops;
    return parameters_.min_txn_ops + random_.below(spread + 1);
  }

  void next_transaction(std::uint32_t size) {
    const std::uint32_t session = random_.below(parameters_.sessions);
    Status status = Status::committed;
    if (!is_aborted_.never() && is_aborted_(random_)) {
      status = Status::aborted;
    } else if (!is_unknown_.never() && is_unknown_(random_)) {
      status = Status::unknown;
    }
    store_.begin(status == Status::committed ||
                 (status == Status::unknown && takes_effect_(random_)));
    Builder::Shard& shard = scribe_.open(session, status);
    std::uint32_t appended = kNoId;  // the key it appended to last
    while (size != 0) {
      const std::uint32_t step = std::min(size, kAhead);
      for (std::uint32_t i = 0; i < step; ++i) {
        const std::uint32_t rank = choose_key_(random_);
        store_.expect(rank);
        ahead_[i] = {rank, is_read_(random_)};
        if constexpr (std::is_same_v<Store, Lists>) {
          if (!ahead_[i].read) {
            appended = rank;
          } else if (appended != kNoId && is_own_read_(random_)) {
            ahead_[i].rank = appended;
          }
        }
      }
      for (std::uint32_t i = 0; i < step; ++i) {
        if (ahead_[i].read) {
          store_.read(shard, ahead_[i].rank);
        } else {
          store_.write(shard, ahead_[i].rank, scribe_.fresh_value());
        }
      }
      size -= step;
    }
    store_.end();
  }

  void plant_next(std::size_t number) {
    const Gadget& gadget = *plantings_[number].gadget;
    const std::vector<std::uint32_t> sessions =
        choose_sessions(gadget, parameters_.sessions, casting_);
    plant(gadget, parameters_.lists, sessions, fresh_keys_, scribe_);
  }

  static constexpr std::uint32_t kAhead = 16;
  struct Next {
    std::uint32_t rank;
    bool read;
  };

  const Parameters& parameters_;
  Random random_;
  Random casting_{0};
  KeyChooser choose_key_;
  Coin is_read_, is_aborted_, is_unknown_, takes_effect_, is_own_read_;
  FreshKeys fresh_keys_;
  Store store_;
  Scribe scribe_;
  std::vector<Planting> plantings_;
  Next ahead_[kAhead];
};

}  // namespace

std::uint64_t most_operations(const Parameters& parameters) {
  if (parameters.operations != 0) return parameters.operations;
  return parameters.transactions * parameters.max_txn_ops;
}

void run_serially(const Parameters& parameters, Builder& builder) {
  if (parameters.lists) {
    Run<Lists>(parameters, builder).execute();
  } else {
    Run<Registers>(parameters, builder).execute();
  }
}

}  // namespace awdit
