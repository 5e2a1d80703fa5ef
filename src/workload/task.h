// What a client does, as a coroutine that asks for one step after the other.
//
//   Task pay(std::string from, std::string to) {
//     co_await step::begin("transfer");
//     const Row row = co_await step::read(from);
//     co_await step::write(to, more(row.payload));
//     co_await step::commit();
//   }
//
// Whoever runs the task takes its steps (`next`), has the database carry them
// out, hands over what was read (`reply`) and goes on; or, if the database
// refuses, throws the task away: bodies hold no error handling, no connection
// and no ids. A task is one transaction or several, one after the other. Parts
// of tasks that are used more than once are `Part<T>`: co_await them.
//
// No braces and no `?:` with texts within co_await: g++ 12 destroys what they
// make twice.
//
// Cost: an allocation per task and part, none per step but for long keys.
// Threads: one at a time.
#pragma once

#include <coroutine>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace awdit {

struct Request {
  enum class Kind : std::uint8_t {
    begin,
    read,
    write,
    append,
    read_list,
    commit,
    rollback,
  };
  Kind kind = Kind::begin;
  bool read_only = false;    // begin
  bool locks = false;        // read: for update, if the database can
  std::string_view key;      // read ... read_list
  std::string_view payload;  // write
  std::string_view label;    // begin: what kind of transaction it is
};

// What a read found.
struct Row {
  bool exists = false;
  std::string payload;
};

// What the innermost coroutine of a task waits for.
struct TaskState {
  Request step;
  Row row;
  std::coroutine_handle<> innermost;
};

namespace task_detail {

struct PromiseBase {
  TaskState* state = nullptr;
  std::suspend_always initial_suspend() noexcept { return {}; }
  // Only for lack of memory, which is the business of who called `next`.
  [[noreturn]] void unhandled_exception() { throw; }
};

}  // namespace task_detail

class Task {
 public:
  struct promise_type : task_detail::PromiseBase {
    TaskState own;
    promise_type() { state = &own; }
    Task get_return_object() {
      auto handle = std::coroutine_handle<promise_type>::from_promise(*this);
      own.innermost = handle;
      return Task(handle);
    }
    std::suspend_always final_suspend() noexcept { return {}; }
    void return_void() {}
  };

  Task(Task&& other) noexcept : handle_(std::exchange(other.handle_, {})) {}
  Task& operator=(Task&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Task() {
    if (handle_) handle_.destroy();
  }

  // The next step, valid until the next call; nullptr: the task is over.
  const Request* next() {
    TaskState& state = handle_.promise().own;
    state.innermost.resume();
    return handle_.done() ? nullptr : &state.step;
  }
  // Where the answer to a read goes before `next`.
  Row& reply() { return handle_.promise().own.row; }

 private:
  explicit Task(std::coroutine_handle<promise_type> handle) : handle_(handle) {}
  std::coroutine_handle<promise_type> handle_;
};

// A part of a task that gives a value.
template <typename T>
class Part {
 public:
  struct promise_type : task_detail::PromiseBase {
    std::coroutine_handle<> outer;
    std::optional<T> value;
    Part get_return_object() {
      return Part(std::coroutine_handle<promise_type>::from_promise(*this));
    }
    struct Back {
      bool await_ready() noexcept { return false; }
      std::coroutine_handle<> await_suspend(
          std::coroutine_handle<promise_type> part) noexcept {
        part.promise().state->innermost = part.promise().outer;
        return part.promise().outer;
      }
      void await_resume() noexcept {}
    };
    Back final_suspend() noexcept { return {}; }
    void return_value(T result) { value.emplace(std::move(result)); }
  };

  Part(Part&& other) noexcept : handle_(std::exchange(other.handle_, {})) {}
  Part& operator=(Part&&) = delete;
  ~Part() {
    if (handle_) handle_.destroy();
  }

  bool await_ready() const noexcept { return false; }
  template <typename Promise>
  std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> outer) {
    promise_type& promise = handle_.promise();
    promise.state = outer.promise().state;
    promise.outer = outer;
    promise.state->innermost = handle_;
    return handle_;
  }
  T await_resume() { return std::move(*handle_.promise().value); }

 private:
  explicit Part(std::coroutine_handle<promise_type> handle) : handle_(handle) {}
  std::coroutine_handle<promise_type> handle_;
};

namespace step {

// A step to be awaited; owns its texts.
class Asked {
 public:
  Asked(Request::Kind kind, std::string key, std::string payload = {})
      : key_(std::move(key)), payload_(std::move(payload)) {
    step_.kind = kind;
  }
  Asked(Request::Kind kind, std::string_view label, bool read_only) {
    step_.kind = kind;
    step_.label = label;
    step_.read_only = read_only;
  }
  bool await_ready() const noexcept { return false; }
  template <typename Promise>
  void await_suspend(std::coroutine_handle<Promise> handle) {
    state_ = handle.promise().state;
    step_.key = key_;
    step_.payload = payload_;
    state_->step = step_;
  }
  void await_resume() const noexcept {}

 protected:
  TaskState* state_ = nullptr;
  Request step_;

 private:
  std::string key_;
  std::string payload_;
};

class AskedRead : public Asked {
 public:
  AskedRead(std::string key, bool locks)
      : Asked(Request::Kind::read, std::move(key)) {
    step_.locks = locks;
  }
  Row await_resume() const { return std::move(state_->row); }
};

// `label` must be a literal.
inline Asked begin(std::string_view label, bool read_only = false) {
  return Asked(Request::Kind::begin, label, read_only);
}
inline AskedRead read(std::string key, bool locks = false) {
  return AskedRead(std::move(key), locks);
}
inline Asked write(std::string key, std::string payload = {}) {
  return Asked(Request::Kind::write, std::move(key), std::move(payload));
}
inline Asked append(std::string key) {
  return Asked(Request::Kind::append, std::move(key));
}
inline Asked read_list(std::string key) {
  return Asked(Request::Kind::read_list, std::move(key));
}
inline Asked commit() { return Asked(Request::Kind::commit, "", false); }
// On purpose; the task goes on behind it.
inline Asked rollback() { return Asked(Request::Kind::rollback, "", false); }

}  // namespace step
}  // namespace awdit
