// Writes down the transactions of a run, in the order asked for, and counts.
// Private to generate/.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "generate/generate.h"
#include "history/builder.h"

namespace awdit {

class Scribe {
 public:
  // The builder must outlive it. Session after session is a shard each; in the
  // order of time a shard is begun every kShard operations, so that the builder
  // has something to share among threads.
  Scribe(Builder& builder, const Parameters& parameters,
         std::uint64_t operations)
      : builder_(builder),
        by_session_(parameters.by_session),
        room_(std::min(operations,
                       kShard + std::uint64_t{parameters.max_txn_ops})) {
    if (!by_session_) {
      begin_shard();
      return;
    }
    for (std::uint32_t i = 0; i < parameters.sessions; ++i) {
      shards_.push_back(&builder.add_shard());
    }
  }

  // Where the next transaction's operations go. Sessions count from 0.
  Builder::Shard& open(std::uint32_t session, Status status) {
    if (!by_session_ && shards_[0]->size() >= kShard) begin_shard();
    Builder::Shard& shard = *shards_[by_session_ ? session : 0];
    shard.select(Atom::integer(std::int64_t{session} + 1), ++last_id_, status);
    return shard;
  }
  // A number for the next write.
  std::uint32_t fresh_value() { return ++last_value_; }

 private:
  static constexpr std::uint64_t kShard = std::uint64_t{1} << 20;

  void begin_shard() {
    shards_.assign(1, &builder_.add_shard());
    shards_[0]->reserve(room_);
  }

  Builder& builder_;
  bool by_session_;
  std::uint64_t room_;                   // of a shard, in operations
  std::vector<Builder::Shard*> shards_;  // [session], or the one being filled
  std::int64_t last_id_ = 0;
  std::uint32_t last_value_ = 0;
};

}  // namespace awdit
