// Examples that cannot be untrue: histories in the notation of tests that are
// checked and told here and now. Part of tell/tell.h.
#pragma once

#include <memory>
#include <string_view>

#include "history/history.h"
#include "tell/stories.h"
#include "theory/theory.h"

namespace awdit {

struct Example {
  History history;
  Report report;
  Story story;
};

// What is told of `notation`: the story of this kind, or the first. nullptr: it
// is no history, or nothing is wrong with it.
std::unique_ptr<const Example> example_of(std::string_view notation,
                                          const Kind* kind = nullptr);

}  // namespace awdit
