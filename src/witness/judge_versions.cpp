#include "witness/judge_versions.h"

#include <fmt/format.h>

#include <span>

#include "witness/phrases.h"

namespace awdit {

std::string VersionJudge::to_statement(const Lemma& lemma) const {
  if (lemma.key.v >= history_.num_keys()) {
    return "it names no key of this history";
  }
  for (const TxnId txn : {lemma.older, lemma.newer}) {
    if (!edges_.takes_part(txn)) {
      return "it is not about two committed transactions";
    }
    if (history_.is_init(txn)) return "that init comes first needs no lemma";
    if (!last_write(lemma.key, txn).valid()) {
      return fmt::format("{} did not write {}", name(txn),
                         history_.key_label(lemma.key));
    }
  }
  if (lemma.older == lemma.newer) {
    return fmt::format("it compares {} with itself", name(lemma.older));
  }
  return "";
}

std::string VersionJudge::to_shown(const Lemma& lemma) {
  if (!lemma.under.empty() || !lemma.cycle.empty()) {
    return "it is to be seen in a list, yet it is proven as well";
  }
  if (!history_.has_lists()) return "the values of this history are no lists";
  const OpId read = lemma.shown;
  if (read.v >= history_.num_ops() || history_.is_write(read) ||
      history_.key(read) != lemma.key ||
      attribution_.counts[attribution_.op_txn[read.v]] == 0) {
    return fmt::format("it names no read of {} by a committed transaction",
                       history_.key_label(lemma.key));
  }
  const std::string quoted =
      fmt::format("{}'s read of {}", name(TxnId(attribution_.op_txn[read.v])),
                  quote(history_, read));
  if (const ReadFinding* found = find_finding(attribution_.findings, read)) {
    return fmt::format("{} shows nothing, because it is of kind {}", quoted,
                       anomaly(found->kind).name);
  }
  if (!lists_.shows(read, lemma.older, lemma.newer)) {
    return fmt::format("{} does not show that {} appended before {}", quoted,
                       name(lemma.older), name(lemma.newer));
  }
  return "";
}

std::string VersionJudge::to_version_order(const Edge& edge) const {
  const std::string wrong = to_newer_write(edge);
  if (!wrong.empty()) return wrong;
  if (edge.read.valid()) return "the order of versions rests on no read";
  if (history_.is_init(edge.from)) {
    return edge.write.valid() ? "init has no operations, yet it names one" : "";
  }
  if (!edge.write.valid() || edge.write != last_write(edge.key, edge.from)) {
    return fmt::format("the write it names is not {}'s last of {}",
                       name(edge.from), history_.key_label(edge.key));
  }
  return to_fact(edge.key, edge.from, edge.to);
}

// What an order of versions and an anti-dependency share.
std::string VersionJudge::to_newer_write(const Edge& edge) const {
  if (edge.from == edge.to) return "it leads from a transaction to itself";
  if (edge.key.v >= history_.num_keys()) {
    return "it names no key of this history";
  }
  if (!edge.other_write.valid() ||
      edge.other_write != last_write(edge.key, edge.to)) {
    return fmt::format("the other write it names is not {}'s last of {}",
                       name(edge.to), history_.key_label(edge.key));
  }
  return "";
}

std::string VersionJudge::to_fact(KeyId key, TxnId older, TxnId newer) const {
  if (facts_.knows(key, older, newer)) return "";
  return fmt::format("nothing before it shows that {} wrote {} before {}",
                     name(older), history_.key_label(key), name(newer));
}

OpId VersionJudge::last_write(KeyId key, TxnId txn) const {
  const std::span<const std::uint32_t> ops = attribution_.ops_on(key, txn);
  for (std::size_t i = ops.size(); i-- > 0;) {
    if (history_.is_write(OpId(ops[i]))) return OpId(ops[i]);
  }
  return OpId();
}

}  // namespace awdit
