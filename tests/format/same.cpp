#include "format/same.h"

#include <fmt/format.h>

#include <map>
#include <vector>

namespace awdit {
namespace {

std::string show(const History& history, Atom atom) {
  return fmt::format("{}:{}", static_cast<int>(atom.kind),
                     history.to_string(atom));
}

std::string show(const std::optional<History::Times>& times) {
  if (!times) return "-";
  return fmt::format("{}..{}", times->begin, times->end);
}

std::string show(const History& history, TxnId txn, const Capacity& capacity,
                 bool ticks) {
  std::string text(name(history.status(txn)));
  if (capacity.ids) {
    const auto id = history.txn_label(txn);
    text += id ? fmt::format(" id {}", *id) : " no id";
  }
  if (capacity.clocks != 0) {
    text += " times " + show(history.times(txn));
    if (ticks) text += " ticks " + show(history.ticks(txn));
    if (capacity.clock_domains && history.clock_domains().size() != 0) {
      const ClockDomains& domains = history.clock_domains();
      text += " clock " + domains.names()[history.clock_domain(txn)];
      // What is known between this clock and all others, by their names.
      std::map<std::string, std::int64_t> known;
      for (std::uint32_t other = 0; other < domains.size(); ++other) {
        std::int64_t least = -1000, most = 1000;
        while (least < most) {
          const std::int64_t middle = least + (most - least) / 2;
          const bool before =
              other != history.clock_domain(txn) &&
              domains.ended_before(history.clock_domain(txn), 0, other, middle);
          (before ? most : least) = before ? middle : middle + 1;
        }
        if (most < 1000) known[domains.names()[other]] = most;
      }
      for (const auto& [name_of_other, most] : known) {
        text += fmt::format(" {} {}", name_of_other, most);
      }
    }
  }
  if (capacity.nodes) text += fmt::format(" node {}", history.node(txn));
  if (capacity.meta) text += fmt::format(" meta {}", history.meta(txn));
  for (const OpId op : history.ops(txn)) {
    text += fmt::format("\n    {} {} {}", history.is_write(op) ? "w" : "r",
                        show(history, history.key_atom(history.key(op))),
                        show(history, history.value(op)));
    if (!history.has_lists()) continue;
    text += " [";
    for (std::size_t i = 0; i < history.list_size(op); ++i) {
      text += " " + show(history, history.element(op, i));
    }
    text += " ]";
  }
  return text;
}

// Sessions by label, where labels survive, else by position.
std::map<std::string, std::vector<std::string>> show(const History& history,
                                                     const Capacity& capacity,
                                                     bool ticks) {
  std::map<std::string, std::vector<std::string>> sessions;
  for (const SessionId session : history.sessions()) {
    const std::string label =
        capacity.sessions == Capacity::Atoms::none
            ? fmt::format("number {:06}", session.v)
            : show(history, history.session_atom(session));
    for (const TxnId txn : history.txns(session)) {
      sessions[label].push_back(show(history, txn, capacity, ticks));
    }
  }
  return sessions;
}

std::string initial(const History& history) {
  return history.initial_value() ? show(history, *history.initial_value())
                                 : "none";
}

}  // namespace

std::string difference(const History& a, const History& b,
                       const Capacity& capacity) {
  if (initial(a) != initial(b)) {
    return fmt::format("initial value {} and {}", initial(a), initial(b));
  }
  const bool any_write_or_list = a.has_lists() != b.has_lists();
  if (any_write_or_list) {
    return fmt::format("lists {} and {}", a.has_lists(), b.has_lists());
  }
  if (capacity.about && a.about() != b.about()) {
    return "what is said about the whole";
  }
  Capacity compared = capacity;
  const auto clock_bit = [](const History& history) {
    return 1u << static_cast<unsigned>(history.clock());
  };
  // Formats that must write times make them up where there are none; and a
  // clock that nobody looked at is not read back.
  bool timed = false;
  for (const TxnId txn : a.txns()) timed |= a.times(txn).has_value();
  if (!timed) compared.clocks = 0;
  if (compared.clocks != 0 && clock_bit(a) != clock_bit(b)) {
    return fmt::format("clock {} and {}", name(a.clock()), name(b.clock()));
  }
  const bool ticks = compared.ticks && a.has_ticks();
  const auto left = show(a, compared, ticks);
  const auto right = show(b, compared, ticks);
  for (const auto& [label, txns] : left) {
    const auto found = right.find(label);
    if (found == right.end()) return "no session " + label + " in the second";
    if (txns.size() != found->second.size()) {
      return fmt::format("session {} has {} and {} transactions", label,
                         txns.size(), found->second.size());
    }
    for (std::size_t i = 0; i < txns.size(); ++i) {
      if (txns[i] != found->second[i]) {
        return fmt::format("session {}, transaction {}:\n  {}\nand\n  {}",
                           label, i, txns[i], found->second[i]);
      }
    }
  }
  if (left.size() != right.size()) return "more sessions in the second";
  return "";
}

}  // namespace awdit
