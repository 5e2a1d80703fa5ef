// Operations in the usual spelling are read in one go; that must never show,
// least of all where they are not quite in the usual spelling.
#include "format/jsonl_line.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace awdit {
namespace {

// Everything that is known of the line; others were read before it.
std::string read(const std::string& text, bool fast) {
  const std::string padded = padded_line(text);
  const std::string before = padded_line(
      R"({"session":"s","ops":[["w","x",1],["w","tweet:4",1]],"meta":{"a":1}})");
  Builder builder({});
  JsonlLine line(builder.add_shard());
  line.fast = fast;
  EXPECT_NE(line.parse(before.data()), nullptr);
  line.list_op = line.register_op = nullptr;
  const char* const end = line.parse(padded.data());
  std::string result;
  const auto place = [&](const char* p) {
    result += ' ' + (p == nullptr ? "-" : std::to_string(p - padded.data()));
  };
  const auto atom = [&](Atom a) {
    result += ' ' + std::to_string(static_cast<int>(a.kind)) + ':' +
              std::to_string(a.bits);
  };
  place(end);
  if (end == nullptr) {
    const JsonMistake& mistake = line.json.mistake();
    place(mistake.at);
    return result + std::string(mistake.wanted) + mistake.message;
  }
  const JsonlTransaction& txn = line.txn;
  result +=
      " fields " + std::to_string(txn.fields) + " id " +
      (txn.has(JsonlTransaction::id_field) ? std::to_string(txn.id) : "-") +
      std::string(name(txn.status));
  if (txn.has(JsonlTransaction::session_field)) atom(txn.session);
  if (txn.has(JsonlTransaction::meta_field)) atom(txn.meta);
  if (txn.has(JsonlTransaction::times_field)) {
    result += ' ' + std::to_string(txn.times.begin) + "-" +
              std::to_string(txn.times.end);
    place(txn.times_at);
  }
  place(line.list_op);
  place(line.register_op);
  for (const JsonlTransaction::Op& op : line.txn.ops) {
    result += " op" + std::to_string(static_cast<int>(op.kind));
    atom(op.key);
    if (op.kind == OpKind::read_list) {
      result += std::to_string(op.size);
    } else {
      atom(op.value);
    }
  }
  for (const Atom element : line.txn.elements) atom(element);
  return result;
}

TEST(JsonlLine, UsualSpellingDoesNotShow) {
  const std::string lines[] = {
      R"({"session":1,"id":2,"ops":[["w",1,2],["r",34567,null],["r",0,-5]]})",
      R"({"session":1,"ops":[["w",12345678,123456789],["r",1,18446744073709551615]]})",
      R"({"session":1,"ops":[["append",1,-9223372036854775808],["r",1,[1,2]]]})",
      R"({"session":1,"ops":[["r",1,null],["w","x",1],["r",-1,0],["r",2]]})",
      R"({"session":1,"ops":[["r",1,{}],["w",1,"y"],["r",00,1],["w",1.0,2]]})",
      R"({"session":1,"ops":[["w", 1 , 2 ],["r",-0,1e3],["w",18446744073709551616,1]]})",
      R"({"session":"s","ops":[["w","x",1],["r","tweet:4",null],["r","tweet:45678901",7],["w","x",2]],"times":[1795033907164637849,1795033907165015195],"meta":{"a":1}})",
      R"({"session":1,"ops":[["w","twenty-three-bytes-long",1],["r","twenty-four-bytes-of-key",2],["w","",3],["r","y","z"],["w","x",4]],"meta":{"a":2},"status":"aborted"})",
      R"({"session":1,"id":7,"ops":[["w","q"x",1],["w","q",1],["r","ä",2],["r","é",2],["r","x",4]],"times":[null,12345678],"ticks":[1,2],"meta":{"a":1} })",
  };
  constexpr std::string_view kBytes = "0123456789-,[]\"{}rwnul .e\\x";
  std::mt19937 random(7);
  for (const std::string& line : lines) {
    ASSERT_EQ(read(line, false), read(line, true)) << line;
    for (int i = 0; i < 20'000; ++i) {
      std::string damaged = line;
      for (auto edits = 1 + random() % 3; edits > 0; --edits) {
        const std::size_t at = random() % damaged.size();
        const char byte = kBytes[random() % kBytes.size()];
        switch (random() % 3) {
          case 0:
            damaged[at] = byte;
            break;
          case 1:
            damaged.insert(at, 1, byte);
            break;
          default:
            damaged.erase(at, 1);
        }
      }
      ASSERT_EQ(read(damaged, false), read(damaged, true)) << damaged;
    }
  }
}

}  // namespace
}  // namespace awdit
