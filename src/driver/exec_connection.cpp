#include "driver/exec_connection.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/json.h"
#include "driver/exec_quote.h"

namespace awdit {
namespace {

using Clock = std::chrono::steady_clock;

// A machine that has not been started yet takes longer than a request.
constexpr int kHelloPatience = 3;  // times the timeout

std::string member(std::string_view name, std::string_view text) {
  return fmt::format(",\"{}\":{}", name, json_string(text));
}

std::string key_member(std::string_view key) { return member("key", key); }

}  // namespace

Result<std::unique_ptr<ExecConnection>> ExecConnection::open(
    ExecShared& shared, std::shared_ptr<ExecProcess> process, unsigned session,
    unsigned node) {
  std::unique_ptr<ExecConnection> connection(
      new ExecConnection(shared, std::move(process), session));
  if (Outcome failed = connection->say_hello(node)) return std::move(*failed);
  return connection;
}

ExecConnection::~ExecConnection() {
  if (process_->usable()) {
    // No reply is expected.
    process_->send(session_, head() + ",\"do\":\"close\"}\n", 0,
                   Clock::now() + shared_.timeout);
  }
  process_->close(session_);
}

Error ExecConnection::error(std::string message) const {
  return {.where = "exec:" + shared_.command,
          .message = std::move(message),
          .hint = fmt::format("The protocol is in docs/drivers/exec.md; awdit "
                              "driver-test tries a driver step by step; {}.",
                              shared_.log.told())};
}

Outcome ExecConnection::say_hello(unsigned node) {
  std::string line;
  {
    Sink sink(line);
    JsonWriter json(sink);
    json.begin_object();
    json.field("hello", 1);
    json.field("session", session_);
    json.field("node", node);
    json.field("seed", shared_.seed);
    json.key("level");
    if (shared_.level.empty()) {
      json.null();
    } else {
      json.value(shared_.level);
    }
    json.begin_object("settings");
    for (const auto& [name, value] : shared_.settings) json.field(name, value);
    json.end_object();
    json.end_object();
  }
  process_->open(session_);
  const auto deadline = Clock::now() + kHelloPatience * shared_.timeout;
  Got got = process_->send(session_, line + "\n", 1, deadline);
  if (got == Got::reply) got = process_->receive(session_, reply_, deadline);
  if (got == Got::late) {
    if (!process_->shared()) process_->condemn();
    return error(fmt::format("the driver did not answer to hello within {} s",
                             (kHelloPatience * shared_.timeout).count()));
  }
  if (got != Got::reply) return error(process_->reason());
  if (!reply_.ok) {
    return error("the driver refuses: " + quoted_line(reply_.why));
  }
  if (!reply_.hello) {
    process_->break_off("the first reply must be the one to hello");
    return error("the driver answered to hello with something else");
  }
  hello_ = std::move(*reply_.hello);
  return std::nullopt;
}

std::string ExecConnection::head() {
  id_ = process_->next_id();
  std::string text = fmt::format("{{\"id\":{}", id_);
  if (process_->shared()) text += fmt::format(",\"session\":{}", session_);
  return text;
}

// -- answers ------------------------------------------------------------------

Answer ExecConnection::fatal(const std::string& mistake) {
  process_->break_off(mistake);
  trouble_ = {.code = "protocol",
              .text = fmt::format("{}; {}", mistake, shared_.log.told())};
  return Answer::fatal;
}

// Why there is no reply.
Answer ExecConnection::conclude(Got got) {
  if (got == Got::broken) return fatal(process_->reason());
  trouble_ = {.code = "driver-ended", .text = process_->reason()};
  if (got == Got::late) {
    trouble_ = {.code = "timeout",
                .text = fmt::format("the driver did not answer within {} s",
                                    shared_.timeout.count())};
    // One that serves others as well may be alive.
    if (!process_->shared()) process_->condemn();
  }
  open_ = false;
  lost_ = true;
  return Answer::lost;
}

// What a reply means that says no.
Answer ExecConnection::no(const ExecReply& reply, bool commits) {
  const std::string why = reply.why.empty() ? "refused" : reply.why;
  trouble_ = {.code = quoted_line(why).substr(0, 40),
              .text = quoted_line(why),
              .lasts = !reply.retry};
  open_ = false;
  if (reply.outcome == "aborted") return Answer::refused;
  if (reply.outcome == "unknown") {
    return commits ? Answer::ambiguous : Answer::lost;
  }
  if (!reply.outcome.empty()) {
    return fatal(fmt::format(
        "the driver answered with the outcome '{}'; it is \"aborted\" or "
        "\"unknown\"",
        quoted_line(reply.outcome)));
  }
  if (!commits) return Answer::refused;
  return fatal(
      "the driver refused a commit without an \"outcome\": \"aborted\" if it "
      "is sure that nothing was written, otherwise \"unknown\"");
}

Answer ExecConnection::ask(std::string_view request, const std::string& rest,
                           bool commits) {
  if (lost_) return Answer::lost;
  const auto deadline = Clock::now() + shared_.timeout;
  const std::string line =
      fmt::format("{},\"do\":\"{}\"{}}}\n", head(), request, rest);
  Got got = process_->send(session_, line, 1, deadline);
  if (got == Got::reply) got = process_->receive(session_, reply_, deadline);
  if (got != Got::reply) return conclude(got);
  if (reply_.id != id_) {
    return fatal(fmt::format(
        "the driver answered to request {} when {} (\"{}\") was to be "
        "answered: replies come in the order of a session's requests, each "
        "with the id of its own",
        reply_.id, id_, request));
  }
  return reply_.ok ? Answer::done : no(reply_, commits);
}

// -- requests -----------------------------------------------------------------

Outcome ExecConnection::reset() {
  if (ask("reset", "") == Answer::done) return std::nullopt;
  return error("the driver could not reset the database: " + trouble_.text);
}

Answer ExecConnection::begin(bool read_only) {
  const Answer answer = ask("begin", read_only ? ",\"read_only\":true" : "");
  open_ = answer == Answer::done;
  return answer;
}

Answer ExecConnection::take_content(std::string_view key, Content& content) {
  if (!reply_.value) {
    return fatal(fmt::format(
        "the driver answered to a read of \"{}\" without a \"value\"; null "
        "stands for a key that is not there",
        quoted_line(key)));
  }
  if (reply_.value->kind == ExecValue::Kind::none) return Answer::absent;
  std::int64_t number = 0;
  if (!content_of(*reply_.value, number, content.payload)) {
    return fatal(fmt::format(
        "a read of \"{}\" returned {}, which awdit never wrote: values must "
        "come back as they were, integers as integers and strings as strings",
        quoted_line(key), shown_value(*reply_.value)));
  }
  content.id = shared_.ids.id_of(number);
  return Answer::done;
}

Answer ExecConnection::read(std::string_view key, Content& content) {
  const Answer answer = ask("read", key_member(key));
  return answer == Answer::done ? take_content(key, content) : answer;
}

Answer ExecConnection::read_for_update(std::string_view key, Content& content) {
  const Answer answer = ask("read", key_member(key) + ",\"lock\":true");
  return answer == Answer::done ? take_content(key, content) : answer;
}

Answer ExecConnection::write(std::string_view key, WriteId id,
                             std::string_view payload) {
  const std::int64_t number = shared_.ids.number_of(id);
  if (number < 0) return fatal("a session made more than 2^27 writes");
  return ask("write",
             key_member(key) + ",\"value\":" + value_text(number, payload));
}

Answer ExecConnection::append(std::string_view key, WriteId element) {
  const std::int64_t number = shared_.ids.number_of(element);
  if (number < 0) return fatal("a session made more than 2^27 writes");
  return ask("append",
             key_member(key) + ",\"value\":" + std::to_string(number));
}

bool ExecConnection::take_list(std::string_view key, const ExecValue& value,
                               std::vector<WriteId>& elements) {
  elements.clear();
  if (value.kind == ExecValue::Kind::list) {
    for (const std::int64_t number : value.list) {
      if (number <= 0) break;
      elements.push_back(shared_.ids.id_of(number));
    }
    if (elements.size() == value.list.size()) return true;
  }
  fatal(fmt::format(
      "a read of the list \"{}\" returned {}: a list comes back as an array of "
      "what was appended, or as null if there is none",
      quoted_line(key), shown_value(value)));
  return false;
}

Answer ExecConnection::read_list(std::string_view key,
                                 std::vector<WriteId>& elements) {
  elements.clear();
  const Answer answer = ask("read", key_member(key) + ",\"list\":true");
  if (answer != Answer::done) return answer;
  const ExecValue value = reply_.value.value_or(ExecValue());
  if (value.kind == ExecValue::Kind::none) return Answer::absent;
  return take_list(key, value, elements) ? Answer::done : Answer::fatal;
}

Answer ExecConnection::commit() {
  const Answer answer = ask("commit", "", true);
  open_ = false;
  return answer;
}

// What was refused is over already.
Answer ExecConnection::rollback() {
  if (!open_) return lost_ ? Answer::lost : Answer::done;
  open_ = false;
  const Answer answer = ask("rollback", "");
  return answer == Answer::refused ? Answer::lost : answer;
}

// -- transactions as a whole --------------------------------------------------

Answer ExecConnection::take_step(const ExecOp& op, WholeStep& step) {
  if (step.kind == WholeStep::Kind::write ||
      step.kind == WholeStep::Kind::append) {
    return Answer::done;
  }
  step.exists = op.value.kind != ExecValue::Kind::none;
  if (!step.exists) return Answer::done;
  if (step.kind == WholeStep::Kind::read_list) {
    return take_list(step.key, op.value, step.elements) ? Answer::done
                                                        : Answer::fatal;
  }
  Content content;
  reply_.value = op.value;
  const Answer answer = take_content(step.key, content);
  step.id = content.id;
  step.payload = std::move(content.payload);
  return answer;
}

Answer ExecConnection::transact(std::vector<WholeStep>& steps, bool) {
  std::string ops;
  for (const WholeStep& step : steps) {
    const std::string key = json_string(step.key);
    const std::int64_t number = shared_.ids.number_of(step.id);
    if (number < 0) return fatal("a session made more than 2^27 writes");
    if (!ops.empty()) ops += ',';
    switch (step.kind) {
      case WholeStep::Kind::read:
        ops += fmt::format("[\"r\",{},null]", key);
        break;
      case WholeStep::Kind::read_list:
        ops += fmt::format("[\"r\",{},null,\"list\"]", key);
        break;
      case WholeStep::Kind::write:
        ops +=
            fmt::format("[\"w\",{},{}]", key, value_text(number, step.payload));
        break;
      case WholeStep::Kind::append:
        ops += fmt::format("[\"append\",{},{}]", key, number);
        break;
    }
  }
  const Answer answer = ask("txn", ",\"ops\":[" + ops + "]", true);
  if (answer != Answer::done) return answer;
  if (!reply_.ops || reply_.ops->size() != steps.size()) {
    return fatal(
        "the driver answered to a txn without its \"ops\": the same ones, in "
        "the same order, with what the reads found");
  }
  const std::vector<ExecOp> found = std::move(*reply_.ops);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (found[i].key != steps[i].key) {
      return fatal(fmt::format(
          "the driver answered to a txn with an operation on \"{}\" where "
          "\"{}\" was asked: \"ops\" keep their order",
          quoted_line(found[i].key), quoted_line(steps[i].key)));
    }
    if (take_step(found[i], steps[i]) != Answer::done) return Answer::fatal;
  }
  return Answer::done;
}

// One after the other would take a minute for what some workloads load.
Outcome ExecConnection::load(
    const std::vector<std::pair<std::string, std::string>>& rows) {
  const auto deadline = Clock::now() + shared_.timeout;
  std::string lines;
  std::size_t count = 0;
  std::vector<std::uint64_t> ids;
  const auto line = [&](const std::string& request) {
    lines += head() + ",\"do\":" + request + "}\n";
    ids.push_back(id_);
    ++count;
  };
  if (hello_.interactive) {
    line("\"begin\"");
    for (const auto& [key, payload] : rows) {
      line("\"write\"" + key_member(key) +
           ",\"value\":" + value_text(0, payload));
    }
    line("\"commit\"");
  } else {
    std::string ops;
    for (const auto& [key, payload] : rows) {
      ops += fmt::format("{}[\"w\",{},{}]", ops.empty() ? "" : ",",
                         json_string(key), value_text(0, payload));
    }
    line("\"txn\",\"ops\":[" + ops + "]");
  }
  Got got = process_->send(session_, lines, count, deadline);
  for (std::size_t i = 0; i < count && got == Got::reply; ++i) {
    got = process_->receive(session_, reply_, deadline);
    if (got != Got::reply) break;
    if (reply_.id != ids[i]) {
      fatal(fmt::format(
          "the driver answered to request {} when {} was to be answered: "
          "replies come in the order of a session's requests",
          reply_.id, ids[i]));
      return error(trouble_.text);
    }
    if (!reply_.ok) {
      return error("the driver could not load the first rows: " +
                   quoted_line(reply_.why));
    }
  }
  if (got == Got::reply) return std::nullopt;
  conclude(got);
  return error("the first rows could not be loaded: " + trouble_.text);
}

}  // namespace awdit
