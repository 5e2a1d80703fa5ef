// Writes down the transactions of a run, in the order asked for, and counts.
// Private to generate/.
#pragma once

#include <cstdint>
#include <vector>

#include "generate/generate.h"
#include "history/builder.h"

namespace awdit {

class Scribe {
 public:
  // The builder must outlive it. Session after session is a shard each.
  Scribe(Builder& builder, const Parameters& parameters,
         std::uint64_t operations) {
    const std::uint32_t shards =
        parameters.by_session ? parameters.sessions : 1;
    for (std::uint32_t i = 0; i < shards; ++i) {
      shards_.push_back(&builder.add_shard());
    }
    if (shards == 1) shards_[0]->reserve(operations);
  }

  // Where the next transaction's operations go. Sessions count from 0.
  Builder::Shard& open(std::uint32_t session, Status status) {
    Builder::Shard& shard = *shards_[shards_.size() == 1 ? 0 : session];
    shard.select(Atom::integer(std::int64_t{session} + 1), ++last_id_, status);
    return shard;
  }
  // A number for the next write.
  std::uint32_t fresh_value() { return ++last_value_; }

 private:
  std::vector<Builder::Shard*> shards_;  // [session], or only one
  std::int64_t last_id_ = 0;
  std::uint32_t last_value_ = 0;
};

}  // namespace awdit
