// Work that somebody may watch and cancel. Private to abi/.
//
// Idea: whoever wants to hear of progress is called by the thread that called
// us, which has nothing else to do: the work itself runs in a thread of its
// own. So nothing in the work needs to know of callbacks, and a callback that
// takes long delays nobody. Without a callback there is no such thread.
// Invariant: each call has a Work of its own; a flag is all that calls share,
// if the caller says so.
#pragma once

#include <functional>
#include <string_view>

#include "abi/failure.h"
#include "abi/handles.h"
#include "base/work.h"

namespace awdit::abi {

// What is being done, for the callback; may be changed by the work.
struct Watched {
  Work work;
  std::atomic<const char*> stage{""};
};

// Runs body(watched). A failure of work that was cancelled is that it was.
Trouble watch(const awdit_options& options, const char* stage,
              const std::function<Trouble(Watched& watched)>& body);

}  // namespace awdit::abi
