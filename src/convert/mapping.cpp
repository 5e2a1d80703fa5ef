#include "convert/mapping.h"

#include <fmt/format.h>

#include "base/json.h"
#include "history/text.h"

namespace awdit {
namespace {

void put(JsonWriter& json, std::string_view name, const History& history,
         Atom atom) {
  json.key(name);
  write_atom(history, atom, json);
}

}  // namespace

void settle_mapping(Plan& plan) {
  if (plan.options.mapping == nullptr) return;
  const History& history = plan.history;
  bool broken = false;
  const auto look = [&](Atom atom) {
    broken = broken || is_broken_text(history, atom);
  };
  for (std::uint32_t s = 0; s < history.num_sessions(); ++s) {
    if (plan.renumber_sessions) look(history.session_atom(SessionId(s)));
  }
  for (std::uint32_t k = 0; k < history.num_keys(); ++k) {
    if (plan.renumber_keys || plan.numbers) look(history.key_atom(KeyId(k)));
  }
  if (plan.numbers) {
    plan.numbers->for_each(
        [&](KeyId, Atom value, std::uint32_t) { look(value); });
  }
  if (broken) {
    plan.lose("bytes of names that are not UTF-8: U+FFFD in the mapping");
  }
}

void write_mapping(const Plan& plan, Sink& sink) {
  const History& history = plan.history;
  const auto line = [&](auto fill) {
    JsonWriter json(sink);
    json.begin_object();
    fill(json);
    json.end_object();
    sink.append('\n');
  };
  if (plan.renumber_sessions) {
    const std::uint32_t before = plan.init_keys.empty() ? 0 : 1;
    for (const SessionId session : history.sessions()) {
      const std::uint32_t number = plan.session_number[session.v];
      if (number == 0) continue;
      line([&](JsonWriter& json) {
        put(json, "session", history, history.session_atom(session));
        json.field("written_as", number + before);
      });
    }
  }
  for (std::uint32_t k = 0; plan.renumber_keys && k < history.num_keys(); ++k) {
    line([&](JsonWriter& json) {
      put(json, "key", history, history.key_atom(KeyId(k)));
      if (plan.capacity.keys == Capacity::Atoms::identifiers) {
        json.field("written_as", fmt::format("k{}", k + 1));
      } else {
        json.field("written_as", k + 1);
      }
    });
  }
  if (!plan.numbers) return;
  plan.numbers->for_each([&](KeyId key, Atom value, std::uint32_t number) {
    line([&](JsonWriter& json) {
      put(json, "key", history, history.key_atom(key));
      put(json, "value", history, value);
      json.field("written_as", number);
    });
  });
}

}  // namespace awdit
