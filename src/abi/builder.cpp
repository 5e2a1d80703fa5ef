// Histories made by calls: what concerns the whole.
#include <string_view>
#include <utility>

#include "abi/handles.h"
#include "abi/recorder.h"
#include "format/json_value.h"

using awdit::Atom;
using namespace awdit::abi;

awdit_status awdit_builder::breaks(Failure failure) {
  const awdit_status status = failure.status;
  const std::lock_guard lock(mutex);
  if (!broken) broken = std::move(failure);
  return status;
}

namespace {

// Runs body(builder) under its lock; a rule that is broken is remembered.
template <typename Body>
awdit_status in(awdit_builder* builder, Body&& body) noexcept {
  if (builder == nullptr) return AWDIT_MISUSE;
  try {
    const std::lock_guard lock(builder->mutex);
    if (builder->finished.load()) return AWDIT_MISUSE;
    Trouble trouble = body(*builder);
    if (!trouble) return AWDIT_OK;
    if (!builder->broken) builder->broken = std::move(trouble);
    return AWDIT_MISUSE;
  } catch (...) {
    builder->out_of_memory.store(true);
    return AWDIT_NO_MEMORY;
  }
}

}  // namespace

namespace {

// The session's name as the builder has it; nothing: it is none.
std::optional<Atom> name_of(awdit_builder& builder, const awdit_value* name) {
  if (name == nullptr) return std::nullopt;
  switch (name->kind) {
    case AWDIT_INTEGER:
      return Atom{name->bits, Atom::Kind::integer};
    case AWDIT_NATURAL:
      return Atom::natural(name->bits);
    case AWDIT_TEXT:
      if (name->text == nullptr && name->bits != 0) return std::nullopt;
      return builder.shard.string({name->text, name->bits});
    default:
      return std::nullopt;
  }
}

// A value that reads return before anybody wrote; false: it is none.
bool set_initial(awdit_builder& builder, const awdit_value* value) {
  std::optional<Atom> initial;
  if (value != nullptr) {
    if (value->kind == AWDIT_NIL) {
      initial = Atom::nil();
    } else if (value->kind == AWDIT_ABSENT) {
      initial = Atom::absent();
    } else if (value->kind == AWDIT_TEXT) {
      if (value->text == nullptr && value->bits != 0) return false;
      initial = builder.builder.string({value->text, value->bits});
    } else if (!(initial = name_of(builder, value))) {
      return false;
    }
  }
  builder.initial_is_nil = initial == Atom::nil();
  builder.builder.set_initial_value(initial);
  return true;
}

// What the calls made. REQUIRES: the builder is locked, and finished.
Trouble take_history(awdit_builder& builder, const awdit_options& options,
                     awdit_history** history) {
  if (builder.out_of_memory.load()) throw std::bad_alloc();
  if (builder.broken) return builder.broken;
  if (!builder.flows) awdit::abi::let_go(builder);
  if (builder.lists && !builder.initial_is_nil) {
    return misuse("lists begin empty, so the initial value must be nil");
  }
  builder.builder.set_clock(builder.timed ? builder.clock : awdit::Clock::none);
  builder.builder.set_labels_are_ids(builder.have_ids.value_or(false));
  builder.shard.close();
  awdit::Result<awdit::History> made = builder.builder.finish(options.threads);
  if (!made) return awdit::abi::failed(std::move(made.error()));
  if (made->num_ops() == 0 && made->about().empty()) {
    return awdit::abi::failed(
        {.message = "the history holds no operation",
         .hint = "A history needs at least one operation; did the recorder "
                 "run?"});
  }
  auto held = std::make_shared<awdit::abi::Held>(
      awdit::abi::Held{std::move(*made), nullptr,
                       options.name.empty() ? "history" : options.name});
  *history = new awdit_history{std::move(held)};
  return std::nullopt;
}

}  // namespace

extern "C" {

awdit_status awdit_builder_new(std::uint32_t abi, awdit_builder** builder,
                               awdit_error** error) noexcept {
  return guarded(error, [&]() -> Trouble {
    if (builder == nullptr) return misuse("builder is NULL");
    *builder = nullptr;
    if (Trouble wrong = awdit::abi::unless_known(abi)) return wrong;
    *builder = new awdit_builder;
    return std::nullopt;
  });
}

awdit_status awdit_builder_initial(awdit_builder* builder,
                                   const awdit_value* value) noexcept {
  return in(builder, [&](awdit_builder& those) -> Trouble {
    if (set_initial(those, value)) return std::nullopt;
    return misuse("the initial value is of no kind that awdit.h names");
  });
}

awdit_status awdit_builder_clock(awdit_builder* builder,
                                 std::int32_t clock) noexcept {
  return in(builder, [&](awdit_builder& those) -> Trouble {
    if (clock < AWDIT_NANOSECONDS || clock > AWDIT_HYBRID) {
      return misuse("there is no such clock");
    }
    those.clock = static_cast<awdit::Clock>(clock);
    return std::nullopt;
  });
}

awdit_status awdit_builder_relate_clocks(awdit_builder* builder,
                                         const char* from, const char* to,
                                         std::int64_t offset,
                                         std::int64_t give) noexcept {
  return in(builder, [&](awdit_builder& those) -> Trouble {
    constexpr std::int64_t kFarthest = awdit::ClockDomains::kFarthest;
    if (from == nullptr || to == nullptr || std::string_view(from) == to) {
      return misuse("two clock domains are needed to relate their clocks");
    }
    if (give < 0 || give > kFarthest || offset < -kFarthest ||
        offset > kFarthest) {
      return misuse("clocks are too far apart, or closer than exactly");
    }
    those.builder.relate_clocks(from, to, offset, give);
    return std::nullopt;
  });
}

awdit_status awdit_builder_about(awdit_builder* builder,
                                 const char* json) noexcept {
  return in(builder, [&](awdit_builder& those) -> Trouble {
    if (json == nullptr) return misuse("what it is about is NULL");
    awdit::Result<std::string> compact = awdit::compact_json(json);
    if (!compact) {
      return misuse(compact.error().message, compact.error().hint);
    }
    those.builder.about(std::move(*compact));
    return std::nullopt;
  });
}

awdit_status awdit_builder_session(awdit_builder* builder,
                                   const awdit_value* name,
                                   awdit_session** session) noexcept {
  if (session != nullptr) *session = nullptr;
  return in(builder, [&](awdit_builder& those) -> Trouble {
    if (session == nullptr) return misuse("session is NULL");
    const std::optional<Atom> atom = name_of(those, name);
    if (!atom) return misuse("a session is called by an integer or a text");
    awdit_session*& known = those.sessions_by_name[*atom];
    if (known == nullptr) {
      awdit_session& fresh = those.sessions.emplace_back();
      fresh.builder = &those;
      fresh.name = {atom->bits, 0, atom->kind};
      known = &fresh;
    }
    *session = known;
    return std::nullopt;
  });
}

awdit_status awdit_builder_finish(awdit_builder* builder,
                                  const awdit_options* options,
                                  awdit_history** history,
                                  awdit_error** error) noexcept {
  if (history != nullptr) *history = nullptr;
  return guarded(error, [&]() -> Trouble {
    if (builder == nullptr || history == nullptr) {
      return misuse("builder or history is NULL");
    }
    if (builder->finished.load()) {
      return misuse("this history was finished before");
    }
    for (awdit_session& session : builder->sessions) {
      awdit::abi::end_open(session);
    }
    const std::lock_guard lock(builder->mutex);
    if (builder->finished.exchange(true)) {
      return misuse("this history was finished before");
    }
    const awdit::abi::Chosen chosen(options);
    return take_history(*builder, *chosen, history);
  });
}

void awdit_builder_free(awdit_builder* builder) noexcept { delete builder; }

}  // extern "C"
