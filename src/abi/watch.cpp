#include "abi/watch.h"

#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>

namespace awdit::abi {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds kBetweenCalls{100};

using Body = std::function<Trouble(Watched& watched)>;

// The work in a thread of its own.
class Apart {
 public:
  Apart(Watched& watched, const Body& body)
      : thread_([this, &watched, &body] {
          try {
            trouble_ = body(watched);
          } catch (...) {
            thrown_ = std::current_exception();
          }
          const std::lock_guard lock(mutex_);
          done_ = true;
          ended_.notify_one();
        }) {}
  ~Apart() {
    if (thread_.joinable()) thread_.join();
  }
  Apart(const Apart&) = delete;
  Apart& operator=(const Apart&) = delete;

  bool ends_within(std::chrono::milliseconds time) {
    std::unique_lock lock(mutex_);
    return ended_.wait_for(lock, time, [this] { return done_; });
  }
  Trouble result() {
    thread_.join();
    if (thrown_) std::rethrow_exception(thrown_);
    return std::move(trouble_);
  }

 private:
  std::mutex mutex_;
  std::condition_variable ended_;
  bool done_ = false;
  Trouble trouble_;
  std::exception_ptr thrown_;
  std::thread thread_;  // last: it uses the others
};

// Whether to go on. A callback that throws wants nothing any more.
bool tell(const awdit_options& options, const Watched& watched,
          Clock::time_point began) {
  const Work& work = watched.work;
  const std::string_view* const at = work.at.load(std::memory_order_relaxed);
  const std::chrono::duration<double> time = Clock::now() - began;
  const awdit_progress progress = {
      watched.stage.load(), at == nullptr ? "" : literal(*at),
      work.done.load(std::memory_order_relaxed),
      work.total.load(std::memory_order_relaxed), time.count()};
  try {
    return options.progress(options.user, &progress) == 0;
  } catch (...) {
    return false;
  }
}

Trouble watch_apart(const awdit_options& options, Watched& watched,
                    const Body& body) {
  const Clock::time_point began = Clock::now();
  std::optional<Apart> apart;
  try {
    apart.emplace(watched, body);
  } catch (const std::system_error&) {
    return body(watched);  // there is no thread to be had: nobody is told
  }
  while (!apart->ends_within(kBetweenCalls)) {
    if (!tell(options, watched, began)) watched.work.cancelled.store(true);
  }
  return apart->result();
}

}  // namespace

Trouble watch(const awdit_options& options, const char* stage,
              const Body& body) {
  const auto cancelled = [] {
    return Failure{AWDIT_CANCELLED, {.message = "this was cancelled"}};
  };
  Watched watched;
  watched.stage.store(stage);
  if (options.cancel != nullptr) {
    watched.work.all_cancelled = &options.cancel->asked;
  }
  if (is_cancelled(&watched.work)) return cancelled();
  Trouble trouble = options.progress == nullptr
                        ? body(watched)
                        : watch_apart(options, watched, body);
  if (trouble && is_cancelled(&watched.work)) return cancelled();
  return trouble;
}

}  // namespace awdit::abi
