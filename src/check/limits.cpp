#include "check/limits.h"

#include <algorithm>
#include <new>

#include "base/budget.h"
#include "base/memory.h"

namespace awdit {
namespace {

// Small histories are checked by the thousand (tell/shrink.cpp).
bool is_asked(const Options& options) {
  return options.memory_limit != 0 || options.memory_in_all != 0 ||
         options.memory_by_size;
}

}  // namespace

std::uint64_t justified_memory(const History& history) {
  return 1'000'000'000 + 1000 * (history.num_ops() + history.num_elements());
}

Limits::Limits(const History& history, const Options& options)
    : options_(options),
      in_use_(is_asked(options) ? memory_in_use() : 0),
      bytes_(options.memory_limit) {
  const auto at_most = [&](std::uint64_t bytes) {
    bytes_ = bytes_ == 0 ? bytes : std::min(bytes_, bytes);
  };
  if (options.memory_by_size) at_most(justified_memory(history));
  // A history that is too large by itself may still be decided with little.
  if (const std::uint64_t all = options.memory_in_all; all != 0) {
    at_most(std::max(all > in_use_ ? all - in_use_ : 0, all / 8));
  }
}

Limit Limits::within(Index& index, const std::function<void()>& body) const {
  const Budget budget(options_.time_limit, bytes_, in_use_, options_.work);
  index.set_budget(budget);
  Limit limit = Limit::none;
  try {
    body();
  } catch (const UsedUp& used_up) {
    if (used_up.what == UsedUp::What::interest) throw;
    limit = used_up.what == UsedUp::What::time ? Limit::time : Limit::memory;
  } catch (const std::bad_alloc&) {
    limit = Limit::memory;
  }
  index.set_budget(Budget::unlimited());
  if (limit == Limit::memory) {
    index.forget();
    release_memory();
  }
  return limit;
}

}  // namespace awdit
