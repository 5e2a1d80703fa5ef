// Histories made by calls.
//
//   awdit::Builder builder;
//   awdit::Session alice = builder.session(1);
//   alice.begin().read("x", awdit::nil).write("x", 1).commit();
//   awdit::History history = builder.finish();
//
// A rule that is broken on the way (a write outside of a transaction, ...) is
// thrown by finish(). See awdit.h for threads.
#ifndef AWDIT_BUILDER_HPP
#define AWDIT_BUILDER_HPP

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "awdit/handle.hpp"
#include "awdit/history.hpp"
#include "awdit/options.hpp"

namespace awdit {
inline namespace v1 {

struct Nil {};
inline constexpr Nil nil{};

// A key or a value: an integer, a text (which must live during the call), or
// nothing.
class Value {
 public:
  Value(Nil) : value_(awdit_nil()) {}
  Value(std::string_view text) : value_(awdit_text(text.data(), text.size())) {}
  Value(const std::string& text) : Value(std::string_view(text)) {}
  Value(const char* text) : Value(std::string_view(text)) {}
  template <typename Integer,
            std::enable_if_t<std::is_integral_v<Integer>, int> = 0>
  Value(Integer integer)
      : value_(awdit_integer(static_cast<std::int64_t>(integer))) {
    if (std::is_unsigned_v<Integer>) value_.kind = AWDIT_NATURAL;
  }
  const awdit_value* get() const noexcept { return &value_; }

 private:
  awdit_value value_;
};

// Belongs to its builder, which must outlive it.
class Session {
 public:
  explicit Session(awdit_session* session) : session_(session) {}

  Session& begin(std::int64_t id = AWDIT_NO_ID) {
    return done(awdit_session_begin(session_, id));
  }
  Session& read(const Value& key, const Value& value) {
    return done(awdit_session_read(session_, key.get(), value.get()));
  }
  Session& write(const Value& key, const Value& value) {
    return done(awdit_session_write(session_, key.get(), value.get()));
  }
  Session& append(const Value& key, const Value& element) {
    return done(awdit_session_append(session_, key.get(), element.get()));
  }
  Session& read_list(const Value& key, const std::vector<Value>& elements) {
    std::vector<awdit_value> list;
    for (const Value& element : elements) list.push_back(*element.get());
    return done(
        awdit_session_read_list(session_, key.get(), list.data(), list.size()));
  }
  Session& times(std::int64_t begin, std::int64_t end) {
    return done(awdit_session_times(session_, begin, end));
  }
  Session& ticks(std::int64_t begin, std::int64_t end) {
    return done(awdit_session_ticks(session_, begin, end));
  }
  Session& clock_domain(const std::string& domain) {
    return done(awdit_session_clock_domain(session_, domain.c_str()));
  }
  Session& node(const std::string& node) {
    return done(awdit_session_node(session_, node.c_str()));
  }
  Session& note(const std::string& json) {
    return done(awdit_session_note(session_, json.c_str()));
  }
  Session& commit() { return done(awdit_session_commit(session_)); }
  Session& abort() { return done(awdit_session_abort(session_)); }
  Session& unknown() { return done(awdit_session_unknown(session_)); }

  awdit_session* get() const noexcept { return session_; }

 private:
  Session& done(awdit_status status) {
    if (status == AWDIT_NO_MEMORY) throw std::bad_alloc();
    return *this;
  }
  awdit_session* session_;
};

class Builder {
 public:
  Builder()
      : builder_(
            detail::made<awdit_builder>([](awdit_builder** b, awdit_error** e) {
              return awdit_builder_new(AWDIT_ABI, b, e);
            })) {}

  Builder& initial(const Value& value) {
    return done(awdit_builder_initial(get(), value.get()));
  }
  Builder& no_initial() { return done(awdit_builder_initial(get(), nullptr)); }
  // AWDIT_NANOSECONDS, ...
  Builder& clock(std::int32_t clock) {
    return done(awdit_builder_clock(get(), clock));
  }
  Builder& relate_clocks(const std::string& from, const std::string& to,
                         std::int64_t offset, std::int64_t give) {
    return done(awdit_builder_relate_clocks(get(), from.c_str(), to.c_str(),
                                            offset, give));
  }
  Builder& about(const std::string& json) {
    return done(awdit_builder_about(get(), json.c_str()));
  }
  // The session of this name, new or not. After finish() or a broken rule it
  // may be no session; calls to it do nothing then.
  Session session(const Value& name) {
    awdit_session* session = nullptr;
    done(awdit_builder_session(get(), name.get(), &session));
    return Session(session);
  }
  History finish(const Options& options = {}) {
    return History(
        detail::made<awdit_history>([&](awdit_history** h, awdit_error** e) {
          return awdit_builder_finish(get(), options.get(), h, e);
        }));
  }

  awdit_builder* get() const noexcept { return builder_.get(); }

 private:
  Builder& done(awdit_status status) {
    if (status == AWDIT_NO_MEMORY) throw std::bad_alloc();
    return *this;
  }
  detail::Handle<awdit_builder, awdit_builder_free> builder_;
};

}  // namespace v1
}  // namespace awdit

#endif
