// JsonReader against simdjson's on-demand parser, on what histories look like:
// many small objects, short names, short numbers. Both know the order of the
// fields, add up keys and values and build nothing; simdjson keeps its memory
// from one round to the next and compares names and texts without copying them.
#include "json_kernels.h"

#include <benchmark/benchmark.h>
#include <simdjson.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "base/input.h"
#include "base/table.h"
#include "format/format.h"
#include "format/json_text.h"
#include "generate/generate.h"

namespace awdit::bench {
namespace {

namespace ondemand = simdjson::ondemand;

// About 20 MB.
std::string make_text(std::string_view format) {
  Parameters parameters;
  parameters.operations = 400'000;
  parameters.sessions = 50;
  parameters.keys = 100'000;
  const Result<History> made = generate(parameters, 2);
  std::string all;
  Sink sink(all);
  find_row(formats(), format)->write(*made, [&](std::string_view) -> Sink& {
    return sink;
  });
  sink.flush();
  return all;
}

// A simdjson value or the end of the benchmark: the text is well-formed.
template <typename T>
T sure(simdjson::simdjson_result<T> result) {
  return std::move(result).value();
}

std::int64_t number_or_null(ondemand::value value) {
  return value.is_null() ? 0 : sure(value.get_int64());
}

std::int64_t sum_chronos(ondemand::document& text) {
  std::int64_t sum = 0;
  for (auto entry : sure(text.get_array())) {
    ondemand::object txn = sure(entry.get_object());
    sum += sure(txn.find_field("tid").get_int64());
    sum += sure(txn.find_field("sid").get_int64());
    for (const char* const name : {"sts", "cts"}) {
      ondemand::object stamp = sure(txn.find_field(name).get_object());
      sum += sure(stamp.find_field("p").get_int64());
      sum += sure(stamp.find_field("l").get_int64());
    }
    for (auto item : sure(txn.find_field("ops").get_array())) {
      ondemand::object op = sure(item.get_object());
      sum += sure(op.find_field("t").get_raw_json_string()).raw()[0];
      sum += sure(op.find_field("k").get_int64());
      sum += number_or_null(sure(op.find_field("v")));
    }
  }
  return sum;
}

std::int64_t sum_dbcop(ondemand::document& text) {
  std::int64_t sum = 0;
  ondemand::object whole = sure(text.get_object());
  for (auto session : sure(whole.find_field("data").get_array())) {
    for (auto entry : sure(session.get_array())) {
      ondemand::object txn = sure(entry.get_object());
      for (auto item : sure(txn.find_field("events").get_array())) {
        for (auto event : sure(item.get_object())) {
          sum += sure(event.key()).raw()[0];
          ondemand::object body = sure(event.value().get_object());
          sum += sure(body.find_field("variable").get_int64());
          sum += number_or_null(sure(body.find_field("version")));
        }
      }
      sum += sure(txn.find_field("committed").get_bool());
    }
  }
  return sum;
}

// The same with JsonReader. A mistake ends all loops and spoils the sum.
class Sum {
 public:
  explicit Sum(const JsonText& text) : json_(text) {}

  std::int64_t chronos() {
    json_.open('[', "");
    while (json_.next(']')) {
      json_.open('{', "");
      number("tid");
      number("sid");
      for (const char* const name : {"sts", "cts"}) {
        field(name);
        json_.open('{', "");
        number("p");
        number("l");
        json_.close('}');
      }
      field("ops");
      json_.open('[', "");
      while (json_.next(']')) {
        json_.open('{', "");
        field("t");
        std::string_view kind;
        json_.string(kind, "");
        sum_ += kind[0];
        number("k");
        number("v");
        json_.close('}');
      }
      json_.close('}');
    }
    return sum_;
  }

  std::int64_t dbcop() {
    std::string_view name;
    json_.open('{', "");
    while (json_.field(name) && name != "data") json_.skip();
    json_.open('[', "");
    while (json_.next(']')) {
      json_.open('[', "");
      while (json_.next(']')) transaction();
    }
    return sum_;
  }

 private:
  void transaction() {
    std::string_view name;
    json_.open('{', "");
    field("events");
    json_.open('[', "");
    while (json_.next(']')) {
      json_.open('{', "");
      json_.field(name);
      sum_ += name[0];
      json_.open('{', "");
      number("variable");
      number("version");
      json_.close('}');
      json_.close('}');
    }
    field("committed");
    bool committed = false;
    json_.boolean(committed);
    sum_ += committed;
    json_.close('}');
  }
  void field(std::string_view wanted) {
    std::string_view name;
    if (!json_.field(name) || name != wanted) sum_ = -1;
  }
  void number(std::string_view name) {
    Atom atom;
    field(name);
    if (json_.integer(atom)) {
      sum_ += static_cast<std::int64_t>(atom.bits);
    } else if (!json_.word("null")) {
      sum_ = -1;
    }
  }

  JsonReader json_;
  std::int64_t sum_ = 0;
};

struct Shape {
  const char* format;
  std::int64_t (*theirs)(ondemand::document& text);
  std::int64_t (Sum::*ours)();
};
constexpr Shape kShapes[] = {{"chronos", sum_chronos, &Sum::chronos},
                             {"dbcop-json", sum_dbcop, &Sum::dbcop}};

void run_theirs(benchmark::State& state, const Shape& shape,
                const simdjson::padded_string& text, std::int64_t expected) {
  ondemand::parser parser;
  for (auto _ : state) {
    ondemand::document document = sure(parser.iterate(text));
    if (shape.theirs(document) != expected) {
      state.SkipWithError("the sums differ");
    }
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) *
                          static_cast<std::int64_t>(text.size()));
}

void run_ours(benchmark::State& state, const Shape& shape, const Input& input,
              std::int64_t expected) {
  const JsonText text(input, "");
  for (auto _ : state) {
    Sum sum(text);
    if ((sum.*shape.ours)() != expected) {
      state.SkipWithError("the sums differ");
    }
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) *
                          static_cast<std::int64_t>(input.bytes().size()));
}

}  // namespace

void declare_json() {
  for (const Shape& shape : kShapes) {
    const auto add = [&](const char* reader, bool simd) {
      benchmark::RegisterBenchmark(
          (std::string("json/") + shape.format + "/" + reader).c_str(),
          [&shape, simd](benchmark::State& state) {
            const std::string text = make_text(shape.format);
            const Input input = Input::of(text);
            const JsonText ours(input, "");
            Sum sum(ours);
            const std::int64_t expected = (sum.*shape.ours)();
            if (simd) {
              run_theirs(state, shape, simdjson::padded_string(text), expected);
            } else {
              run_ours(state, shape, input, expected);
            }
          })
          ->Unit(benchmark::kMillisecond);
    };
    add("simdjson", true);
    add("JsonReader", false);
  }
}

}  // namespace awdit::bench
