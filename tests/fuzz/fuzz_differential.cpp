// Bytes as a small history, checked against the slow twins of tests/oracle:
// same verdicts, same findings, evidence accepted, forged evidence rejected.
//
// One byte of settings (bit 0: no initial values; bits 1-2: what to ask beside
// verdicts and evidence, one thing at a time because time is executions; bit 3:
// writes append and reads return lists), then two bytes per operation:
//
//   where   bit 0    begins a transaction
//           bit 1-2  its session
//           bit 3-4  its status: 0, 1 committed, 2 aborted, 3 unknown
//   what    bit 0    a write
//           bit 1-2  the key
//           bit 3-6  the value
//           bit 7    of a write: clear means the key's next unused value, so
//                    that most histories are well-formed; of a read of a
//                    list: set means that its last two elements are swapped
//
// A list has the elements 1, 2, ... as many as bits 3-5 say; bit 6 adds the
// first of them again.
//
// Any bytes are a history, and flipping one bit changes it a little: what a
// coverage-guided fuzzer needs.
#include <string>
#include <utility>
#include <vector>

#include "property/judge.h"
#include "scrutiny.h"

namespace {

using awdit::property::Script;
using awdit::property::ScriptOp;
using awdit::property::ScriptTxn;

constexpr std::size_t kMostTxns = 14;
constexpr std::size_t kBruteForceTxns = 5;

std::vector<std::int64_t> decode_list(unsigned what) {
  std::vector<std::int64_t> list;
  for (unsigned i = 1; i <= ((what >> 3) & 7); ++i) list.push_back(i);
  if ((what & 0x40) != 0 && !list.empty()) {
    list.push_back(list.front());
  }
  if ((what & 0x80) != 0 && list.size() > 1) {
    std::swap(list[list.size() - 1], list[list.size() - 2]);
  }
  return list;
}

Script decode(const std::uint8_t* data, std::size_t size) {
  constexpr awdit::Status kStatuses[] = {
      awdit::Status::committed, awdit::Status::committed,
      awdit::Status::aborted, awdit::Status::unknown};
  Script script;
  script.has_init = (data[0] & 1) == 0;
  script.lists = (data[0] & 8) != 0;
  std::int64_t written[4] = {};
  for (std::size_t i = 1; i + 1 < size; i += 2) {
    const unsigned where = data[i], what = data[i + 1];
    if (script.txns.empty() || (where & 1) != 0) {
      if (script.txns.size() == kMostTxns) break;
      script.txns.push_back({.session = static_cast<int>((where >> 1) & 3),
                             .status = kStatuses[(where >> 3) & 3],
                             .ops = {}});
    }
    ScriptOp op{.write = (what & 1) != 0,
                .key = static_cast<int>((what >> 1) & 3),
                .value = (what >> 3) & 15,
                .list = {}};
    if (op.write && (what & 0x80) == 0) op.value = ++written[op.key];
    if (script.lists && !op.write) op.list = decode_list(what);
    script.txns.back().ops.push_back(op);
  }
  return script;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  if (size < 3 || size > 200) return 0;
  const Script script = decode(data, size);
  const unsigned ask = (data[0] >> 1) & 3;
  const auto complaint = awdit::property::explained_complaint(
      script,
      {.brute_force = script.txns.size() <= kBruteForceTxns,
       .forgeries = ask == 0,
       .certificate = ask == 1,
       .renaming = ask == 2,
       .options = ask == 3},
      size);
  if (complaint) awdit::fuzz::complain(*complaint);
  return 0;
}
