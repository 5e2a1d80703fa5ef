// What a drawing of a story shows besides its transactions. Private to
// src/report.
//
// Every arrow ends at the operations that justify it and carries the number of
// a step of the proof that uses it, so that a reader can go back and forth
// between drawing and text. Cost is that of the evidence.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "history/history.h"
#include "tell/tell.h"

namespace awdit {

struct Arrow {
  enum class Kind : std::uint8_t {
    session,   // `to` follows `from` in its session
    read,      // `to` read what `from` wrote
    time,      // `from` had ended before `to` began
    inferred,  // the level demands that `from` comes before `to`
    missed,    // `from` read an older version than the one of `to`
    contrast,  // what the read should have returned, or contradicts it
  };
  TxnId from, to;       // perhaps init
  OpId at_from, at_to;  // where it is attached; invalid: the transaction itself
  KeyId key;            // that it is about; invalid: none
  Kind kind = Kind::session;
  std::uint32_t step = 0;  // of the proof, from 1; 0: none
};

// Each arrow once, in the order of the proof, with the first step that uses it;
// where there is but one read to be looked at, without.
std::vector<Arrow> arrows_of(const History& history, const Story& story);

// Whether it is the read, or one of the reads, that the violation is about: it
// returned what it must not, or missed what it must have seen.
bool is_contested(const Story& story, OpId op);

// Whether the initial state takes part.
bool has_init(const History& history, const std::vector<Arrow>& arrows);

// What the page draws, and which step of the proof rests on it: every arrow
// once, however many steps use it.
struct PageArrows {
  std::vector<Arrow> arrows;  // with a step: that one states it
  // [step of the proof, from 0] -> the arrows it rests on, in the order told;
  // that of its conclusion, if it is inferred, comes last.
  std::vector<std::vector<std::uint32_t>> of_step;
};

// Arrows whose ends are both among `wanted` (ascending; may hold init).
PageArrows page_arrows(const History& history, const Story& story,
                       std::span<const TxnId> wanted);

// A row per kind: colour for a light and for a dark ground, and what it means.
struct ArrowStyle {
  Arrow::Kind kind;
  std::string_view name;          // "read"
  std::string_view name_on_page;  // docs/page.schema.json
  std::string_view light, dark;
  std::string_view dash;  // SVG's stroke-dasharray; empty: a line
  std::string_view meaning;
};
const ArrowStyle& style_of(Arrow::Kind kind);

}  // namespace awdit
