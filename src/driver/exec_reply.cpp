#include "driver/exec_reply.h"

#include <fmt/format.h>
#include <simdjson.h>

#include "driver/exec_quote.h"

namespace awdit {
namespace {

using simdjson::dom::array;
using simdjson::dom::element;
using simdjson::dom::element_type;
using simdjson::dom::object;

// Reads members of one object; after the first mistake every function says no.
class Members {
 public:
  Members(const object& members, std::string& mistake)
      : members_(members), mistake_(mistake) {}

  bool failed() const { return !mistake_.empty(); }
  std::optional<element> find(const char* name) const {
    element found;
    if (members_[name].get(found) != simdjson::SUCCESS) return std::nullopt;
    return found;
  }

  void text(const char* name, std::string& value) {
    const auto found = find(name);
    std::string_view text;
    if (!found) return;
    if (found->get(text) != simdjson::SUCCESS) return wrong(name, "a string");
    value = text;
  }
  void flag(const char* name, bool& value) {
    const auto found = find(name);
    if (!found) return;
    if (found->get(value) != simdjson::SUCCESS) wrong(name, "true or false");
  }
  void natural(const char* name, std::uint64_t& value) {
    const auto found = find(name);
    if (!found) return;
    if (found->get(value) != simdjson::SUCCESS) {
      wrong(name, "a natural number");
    }
  }
  void texts(const char* name, std::vector<std::string>& values) {
    const auto found = find(name);
    array items;
    if (!found) return;
    if (found->get(items) != simdjson::SUCCESS) {
      return wrong(name, "an array of strings");
    }
    for (const element item : items) {
      std::string_view text;
      if (item.get(text) != simdjson::SUCCESS) {
        return wrong(name, "an array of strings");
      }
      values.emplace_back(text);
    }
  }

  void wrong(const char* name, const char* wanted) {
    if (mistake_.empty()) {
      mistake_ = fmt::format("\"{}\" must be {}", name, wanted);
    }
  }

 private:
  const object& members_;
  std::string& mistake_;
};

// What a number is that is none of ours.
std::string odd_number(const element& value) {
  double number = 0;
  if (value.get(number) == simdjson::SUCCESS && value.is_double()) {
    return fmt::format(
        "a value came back as {}, with a decimal point or exponent: integers "
        "went through floating point on the way; keep them as 64-bit integers "
        "or as texts",
        number);
  }
  return "a value came back as an integer beyond 2^53, and awdit writes none";
}

bool integer(const element& value, std::int64_t& number, std::string& mistake) {
  if (value.is_int64() && value.get(number) == simdjson::SUCCESS &&
      number <= kLargestInteger && number >= -kLargestInteger) {
    return true;
  }
  mistake = odd_number(value);
  return false;
}

bool take_value(const element& value, ExecValue& taken, std::string& mistake) {
  switch (value.type()) {
    case element_type::NULL_VALUE:
      taken.kind = ExecValue::Kind::none;
      return true;
    case element_type::INT64:
    case element_type::UINT64:
    case element_type::DOUBLE:
      taken.kind = ExecValue::Kind::integer;
      return integer(value, taken.integer, mistake);
    case element_type::STRING:
      taken.kind = ExecValue::Kind::text;
      taken.text = std::string_view(value);
      return true;
    case element_type::ARRAY: {
      taken.kind = ExecValue::Kind::list;
      for (const element item : array(value)) {
        if (!item.is_number()) {
          mistake = "the elements of a list must be integers, as appended";
          return false;
        }
        if (!integer(item, taken.list.emplace_back(), mistake)) return false;
      }
      return true;
    }
    case element_type::OBJECT:
    case element_type::BOOL:
      break;
  }
  mistake = "a value must be an integer, a string, an array or null";
  return false;
}

bool take_ops(const element& value, std::vector<ExecOp>& ops,
              std::string& mistake) {
  array items;
  const char* const kWanted =
      "\"ops\" must be an array like [[\"r\",\"x\",17],[\"w\",\"y\",3]]";
  if (value.get(items) != simdjson::SUCCESS) {
    mistake = kWanted;
    return false;
  }
  for (const element item : items) {
    array parts;
    std::string_view kind;
    std::string_view key;
    if (item.get(parts) != simdjson::SUCCESS || parts.size() < 3 ||
        parts.at(0).get(kind) != simdjson::SUCCESS ||
        parts.at(1).get(key) != simdjson::SUCCESS) {
      mistake = kWanted;
      return false;
    }
    ExecOp& op = ops.emplace_back();
    op.kind = kind;
    op.key = key;
    if (!take_value(parts.at(2), op.value, mistake)) return false;
  }
  return true;
}

void take_hello(Members& members, ExecHello& hello) {
  std::uint64_t version = 0;
  members.natural("hello", version);
  if (version != 1) members.wrong("hello", "1, the version of the protocol");
  members.text("name", hello.name);
  members.texts("levels", hello.levels);
  if (const auto claims = members.find("claims");
      claims && !claims->is_null()) {
    members.text("claims", hello.claims.emplace());
  }
  std::vector<std::string> can;
  members.texts("can", can);
  for (const std::string& word : can) {
    if (word == "interactive") hello.interactive = true;
    if (word == "batch") hello.batch = true;
    if (word == "lists") hello.lists = true;
    if (word == "multiplexed") hello.multiplexed = true;
  }
}

}  // namespace

struct ExecReader::Parser {
  simdjson::dom::parser parser;
};

ExecReader::ExecReader() : parser_(std::make_unique<Parser>()) {}
ExecReader::~ExecReader() = default;

std::optional<ExecReply> ExecReader::read(std::string_view line) {
  mistake_.clear();
  element root;
  object content;
  if (parser_->parser.parse(line.data(), line.size()).get(root) !=
          simdjson::SUCCESS ||
      root.get(content) != simdjson::SUCCESS) {
    mistake_ =
        "each line on standard output must be one JSON object and nothing "
        "else; what is for people goes to standard error";
    return std::nullopt;
  }
  Members members(content, mistake_);
  ExecReply reply;
  members.natural("session", reply.session);
  members.flag("ok", reply.ok);
  members.flag("retry", reply.retry);
  members.text("outcome", reply.outcome);
  members.text("why", reply.why);
  if (members.find("hello")) {
    take_hello(members, reply.hello.emplace());
  } else if (!members.find("id")) {
    mistake_ = "\"id\" is missing: a reply repeats the id of its request";
  } else {
    members.natural("id", reply.id);
    if (!members.find("ok")) mistake_ = "\"ok\" is missing: true or false";
  }
  if (const auto value = members.find("value"); value && !members.failed()) {
    take_value(*value, reply.value.emplace(), mistake_);
  }
  if (const auto ops = members.find("ops"); ops && !members.failed()) {
    take_ops(*ops, reply.ops.emplace(), mistake_);
  }
  if (!mistake_.empty()) return std::nullopt;
  return reply;
}

}  // namespace awdit
