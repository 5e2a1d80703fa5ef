#include "tell/phrases.h"

#include <fmt/format.h>

namespace awdit {

std::string wrote(const History& history, OpId write) {
  if (!history.has_lists()) return "wrote " + quote(history, write);
  return written(history, write);
}

std::string written(const History& history, OpId write) {
  if (!history.has_lists()) return "written " + quote(history, write);
  return fmt::format("appended {} to {}",
                     history.to_string(history.value(write)),
                     history.key_label(history.key(write)));
}

std::string overwritten(const History& history, OpId write) {
  if (history.has_lists()) return written(history, write);
  return "overwritten it with " + quote(history, write);
}

std::string describe_step(const History& history, const Step& step) {
  if (step.reason == Reason::reads_from) {
    return describe_read(history, step.read, step.from);
  }
  if (history.is_init(step.from)) {
    return fmt::format("{} comes after the initial state",
                       history.txn_name(step.to));
  }
  if (step.reason == Reason::real_time) {
    return fmt::format("{} had ended before {} began",
                       history.txn_name(step.from), history.txn_name(step.to));
  }
  return fmt::format("{} follows {} in session {}", history.txn_name(step.to),
                     history.txn_name(step.from),
                     history.session_name(history.session(step.to)));
}

std::string describe_path(const History& history, std::span<const Step> steps) {
  constexpr std::size_t kSteps = 6;  // told one by one before it is cut
  std::string text;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (steps.size() > kSteps && i == kSteps - 1) {
      const std::size_t left_out = steps.size() - kSteps;
      text += fmt::format(", then {} more steps", left_out);
      i += left_out;
    }
    if (i != 0) text += i + 1 == steps.size() ? ", and " : ", ";
    text += describe_step(history, steps[i]);
  }
  return text;
}

TxnId writer_of(const History& history, OpId write) {
  return write.valid() ? history.txn_of(write) : history.init_txn();
}

OpId last_write(const History& history, TxnId txn, KeyId key) {
  if (history.is_init(txn)) return OpId();
  const IdRange<OpId> ops = history.ops(txn);
  for (std::uint32_t op = ops.last; op-- > ops.first;) {
    if (history.is_write(OpId(op)) && history.key(OpId(op)) == key) {
      return OpId(op);
    }
  }
  return OpId();
}

std::string describe_versions(const History& history, KeyId key, TxnId older,
                              TxnId newer) {
  const OpId second = last_write(history, newer, key);
  const std::string later = history.txn_name(newer);
  if (history.is_init(older)) {
    return fmt::format("{} {} later than the initial state", later,
                       wrote(history, second));
  }
  const std::string first =
      fmt::format("{} {} before {}", history.txn_name(older),
                  wrote(history, last_write(history, older, key)), later);
  if (history.has_lists()) {
    return fmt::format("{} appended {}", first,
                       history.to_string(history.value(second)));
  }
  return fmt::format("{} {}", first, wrote(history, second));
}

std::string describe_shown(const History& history, const Lemma& lemma) {
  const std::string older = history.txn_name(lemma.older);
  const std::string newer = history.txn_name(lemma.newer);
  const std::string key = history.key_label(lemma.key);
  const std::string read =
      fmt::format("{} read {}", history.txn_name(history.txn_of(lemma.shown)),
                  quote(history, lemma.shown));
  const bool own = history.txn_of(lemma.shown) == lemma.older;
  // It has all that the newer one appended or nothing; but of its own appends
  // the reader may have made only some.
  const IdRange<OpId> ops = history.ops(lemma.newer);
  for (std::uint32_t op = ops.first; op < ops.last; ++op) {
    if (!history.is_write(OpId(op)) || history.key(OpId(op)) != lemma.key) {
      continue;
    }
    for (std::size_t i = history.list_size(lemma.shown); i-- > 0;) {
      if (history.element(lemma.shown, i) != history.value(OpId(op))) continue;
      return fmt::format("{}, which shows that {} appended to {} before {}",
                         read, older, key, newer);
    }
    break;
  }
  return fmt::format(
      "{}, which has what {} appended{} but nothing from {}, so that {} "
      "appended to {} later",
      read, own ? "it" : older, own ? " itself" : "", newer, newer, key);
}

std::string describe_missed(const History& history, OpId write) {
  const std::string writer = history.txn_name(history.txn_of(write));
  if (!history.has_lists()) {
    return fmt::format("{}'s {}", writer, quote(history, write));
  }
  return fmt::format("the {} that {} appended",
                     history.to_string(history.value(write)), writer);
}

std::string describe_dependency(const History& history, const Edge& edge) {
  if (edge.reason == Reason::version_order) {
    return describe_versions(history, edge.key, edge.from, edge.to);
  }
  if (edge.reason == Reason::anti_dependency) {
    return fmt::format(
        "{}, {} {}",
        describe_read(history, edge.read, writer_of(history, edge.write)),
        history.has_lists() ? "without" : "not",
        describe_missed(history, edge.other_write));
  }
  return describe_step(history, step_of(edge));
}

std::string describe_rule(const History& history, const Level& level,
                          const Edge& edge) {
  const std::string from = history.txn_name(edge.from);
  // Only under this axiom does it matter which of the reads came first.
  const bool in_sequence = level.premise == Premise::read_before;
  std::string text =
      fmt::format("{}{}, yet {} also {}. ", in_sequence ? "Later " : "",
                  describe_read(history, edge.read, edge.to), from,
                  wrote(history, edge.other_write));
  if (history.is_init(edge.to)) {
    text += fmt::format(
        "Under {} that is allowed only if {} comes before the initial state.",
        level.title, from);
  } else {
    const std::string to = history.txn_name(edge.to);
    text += fmt::format(
        "Under {} {} must then be the newer of the two: {} comes before {}.",
        level.title, to, from, to);
  }
  return text;
}

std::string describe_unknown(const History& history,
                             std::span<const TxnId> txns) {
  if (!history.has_unknown()) return "";
  std::string text;
  for (const TxnId txn : txns) {
    if (history.is_init(txn) || history.status(txn) != Status::unknown) {
      continue;
    }
    text += fmt::format(
        " The outcome of {} is unknown; it counts as committed because it was "
        "read from.",
        history.txn_name(txn));
  }
  return text;
}

}  // namespace awdit
