// What a Builder knows, and the steps from shards to columns. Private to
// history/; builder.cpp tells the idea.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "history/builder.h"
#include "history/domain_column.h"
#include "history/key_table.h"

namespace awdit {

struct Builder::State {
  Options options;
  std::deque<Shard> shards;
  TextTable texts;
  std::vector<std::string> warnings, about;
  std::vector<ClockRelation> clock_relations;
  // What Builder::reserve gave to the shards; keys become words in place.
  Array<std::uint32_t> key_room, value_room;

  // What steps 1 and 2 find out about the segments of each shard.
  struct Placed {
    std::uint32_t txn;     // within its session, later global
    std::uint32_t offset;  // operations of the txn before this segment
    bool opens;            // the segment with which the txn first appears
  };
  std::vector<Array<Placed>> placed;                   // [shard][segment]
  std::vector<std::vector<std::uint32_t>> session_of;  // [shard][session]
  std::vector<Atom> sessions;                          // [session] -> label

  // -- builder_txns.cpp
  Texts name_texts(unsigned threads);
  void merge_sessions();
  void place_segments(History& history, unsigned threads);
  void note_shared_labels(History& history);
  void order_by_appearance(History& history);

  // -- builder_ops.cpp
  bool in_input_order(const History& history) const;
  bool in_rooms() const;
  void move_operations(History& history, const KeyTable& keys,
                       unsigned threads);
  void keep_operations(History& history, const KeyTable& keys,
                       unsigned threads);
  void close_gaps(Array<std::uint32_t>& room, WordColumn Shard::*column) const;
  void join_value_kinds(History& history);
  template <typename Body>
  void for_each_stretch(const History& history, std::size_t shard,
                        Body&& body) const;
  void move_keys(History& history, const KeyTable& keys, std::size_t shard,
                 std::uint32_t first_line);
  void move_values(History& history, std::size_t shard);
  void move_lists(History& history, unsigned threads);

  // -- builder_notes.cpp
  void move_notes(History& history);
  Outcome move_clock_domains(History& history);
};

}  // namespace awdit
