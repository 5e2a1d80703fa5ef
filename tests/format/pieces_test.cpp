// The formats of Jepsen are read in pieces whose beginnings are guessed. The
// smallest pieces possible, on files made to mislead the guesses, must give
// what one piece gives: the same history, the same lines, the same errors.
#include "format/pieces.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "base/table.h"
#include "format/format.h"
#include "in_full.h"

namespace awdit {
namespace {

// Returns what one piece gives.
std::string expect_same(std::string_view format, const std::string& text) {
  const std::string one = in_full(*find_row(formats(), format), text, 1);
  for (const std::size_t bytes : {1u, 60u, 200u, 1000u}) {
    const SmallPieces small(bytes);
    for (const unsigned threads : {1u, 2u, 7u}) {
      EXPECT_EQ(one, in_full(*find_row(formats(), format), text, threads))
          << "pieces of " << bytes << ", " << threads << " threads:\n"
          << text;
    }
  }
  return one;
}

// How operations are spelled and what stands between and in them.
struct Style {
  bool json = false;
  bool times = true, indices = true, processes = true, invocations = true;
  bool index_first = true;
  bool lists = false;
  std::string begin, between = "\n", end;
  std::string tag;
  std::vector<std::string> extras;  // fields
  std::vector<std::string> breaks;  // between operations
  std::string value_of_process;     // "": numbers
};

// About `count` operations of a few processes; some never complete, some
// complete twice, values may be missing.
std::string history(const Style& style, int count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto below = [&](int bound) {
    return static_cast<int>(random() % static_cast<unsigned>(bound));
  };
  const auto name = [&](const char* field) {
    return style.json ? '"' + std::string(field) + "\": "
                      : ':' + std::string(field) + ' ';
  };
  const auto word = [&](const std::string& w) {
    return style.json ? '"' + w + '"' : ':' + w;
  };
  const std::string comma = style.json ? ", " : " ";
  const std::string nil = style.json ? "null" : "nil";
  std::string text = style.begin;
  std::vector<bool> open(5, false);
  int value = 0;
  for (int i = 0; i < count; ++i) {
    const int process = below(5);
    bool invoke = style.invocations && !open[process];
    if (below(40) == 0) invoke = style.invocations;
    open[process] = invoke;
    const char* const types[] = {"ok", "ok", "fail", "info"};
    std::string type = invoke ? "invoke" : types[below(4)];
    std::string ops = "[";
    for (int k = below(4); k >= 0; --k) {
      const std::string key =
          below(3) == 0
              ? '"' + std::string(1, static_cast<char>('a' + below(9))) +
                    "\\\"{\""
              : std::to_string(below(9));
      std::string op;
      if (below(2) == 0) {
        op = word(style.lists ? "append" : "w") + comma + key + comma +
             std::to_string(++value);
      } else if (style.lists && !invoke) {
        op = word("r") + comma + key + comma + "[" + std::to_string(below(9)) +
             comma + std::to_string(below(9)) + "]";
      } else {
        op = word("r") + comma + key + comma +
             (invoke || style.lists ? nil : std::to_string(below(99)));
      }
      ops += "[" + op + "]" + (k > 0 ? comma : "");
    }
    ops += "]";
    if (!invoke && below(9) == 0) ops = nil;
    std::vector<std::string> fields;
    if (style.indices) fields.push_back(name("index") + std::to_string(i));
    fields.push_back(name("type") + word(type));
    if (style.processes) {
      fields.push_back(name("process") + std::to_string(process));
    }
    fields.push_back(name("value") + ops);
    if (style.times) fields.push_back(name("time") + std::to_string(i * 10));
    if (!style.extras.empty() && below(2) == 0) {
      fields.push_back(
          style.extras[below(static_cast<int>(style.extras.size()))]);
    }
    if (!style.index_first)
      std::rotate(fields.begin(), fields.begin() + 1, fields.end());
    if (i > 0) text += style.between;
    if (!style.breaks.empty() && below(3) == 0) {
      text += style.breaks[below(static_cast<int>(style.breaks.size()))];
    }
    text += style.tag + "{";
    for (std::size_t f = 0; f < fields.size(); ++f) {
      text += (f > 0 ? ", " : "") + fields[f];
    }
    text += "}";
  }
  return text + style.end;
}

std::vector<Style> edn_styles() {
  // What looks like operations and is none.
  const std::vector<std::string> extras = {
      ":error \"{:index 7, :type :ok, :process 1}\n{:index 8, :type :ok}\"",
      ":error {:index 7, :type :ok, :process 1, :value [[:w 1 1]]}",
      ":error [\n{:index 3, :type :bad}\n{:index 4}]",
      ":error #_{:index 4} \\{ ",
      ":error \\\" ; {:index \" 5}\n",
      ":error \"a \\\" \n{:index 9, \\\\\"",
  };
  const std::vector<std::string> breaks = {
      "; {:index 1, :type :ok, :process 0, :value [[:w 1 2]]}\n",
      "#_{:index 1, :type :ok, :process 0, :value [[:w 1 2]]}\n",
      "#_ #_ {:index 1}\n{:index 1, :type :no}\n",
      "#_\n",
      "{:index 0, :type :info, :process :nemesis, :value {:index 5}}\n",
  };
  std::vector<Style> styles;
  Style plain;
  styles.push_back(plain);
  Style tricky = plain;
  tricky.extras = extras;
  tricky.breaks = breaks;
  tricky.breaks.pop_back();  // its index repeats
  styles.push_back(tricky);
  Style nemesis = plain;
  nemesis.breaks = {breaks.back()};
  styles.push_back(nemesis);
  Style crlf = tricky;
  crlf.between = "\r\n";
  crlf.begin = "\xEF\xBB\xBF; first\r\n\r\n";
  styles.push_back(crlf);
  Style line = tricky;
  line.breaks = {"#_{:index 1, :type :ok} ", "; {:index 1, :type :ok}\n"};
  line.between = " ";
  line.begin = "[";
  line.end = "]";
  styles.push_back(line);
  Style commas = line;
  commas.between = ",";
  commas.tag = "#jepsen.history.Op";
  styles.push_back(commas);
  Style tagged = plain;
  tagged.tag = "#jepsen.history.Op";
  styles.push_back(tagged);
  tagged.tag = "#jepsen.history.Op\n ";
  styles.push_back(tagged);
  Style last = tricky;
  last.index_first = false;
  styles.push_back(last);
  for (const bool indices : {false, true}) {
    for (const bool processes : {false, true}) {
      for (const bool invocations : {false, true}) {
        for (const bool times : {false, true}) {
          Style less = plain;
          less.indices = indices;
          less.processes = processes;
          less.invocations = invocations;
          less.times = times;
          less.lists = times;
          styles.push_back(less);
        }
      }
    }
  }
  return styles;
}

TEST(Pieces, DoNotShowInEdn) {
  std::uint64_t seed = 0;
  for (const Style& style : edn_styles()) {
    for (const int count : {1, 3, 40, 120}) {
      expect_same("jepsen-edn", history(style, count, ++seed));
    }
  }
}

TEST(Pieces, DoNotShowInJson) {
  Style plain;
  plain.json = true;
  plain.begin = "[";
  plain.between = ",\n";
  plain.end = "]\n";
  std::vector<Style> styles = {plain};
  Style tricky = plain;
  tricky.extras = {
      "\"error\": {\"index\": 7, \"type\": \"ok\"}",
      "\"error\": [\n{\"index\": 7, \"type\": \"ok\"},\n{\"index\": 8}]",
      "\"error\": \"{\\\"index\\\": 7, \\\"type\\\": \\\"ok\\\"}\"",
  };
  styles.push_back(tricky);
  tricky.between = ",";
  styles.push_back(tricky);
  tricky.between = "\r\n, ";
  styles.push_back(tricky);
  for (const bool indices : {false, true}) {
    for (const bool processes : {false, true}) {
      Style less = plain;
      less.indices = indices;
      less.processes = processes;
      styles.push_back(less);
      less.lists = true;
      less.times = false;
      styles.push_back(less);
    }
  }
  std::uint64_t seed = 0;
  for (const Style& style : styles) {
    for (const int count : {1, 3, 40, 120}) {
      expect_same("elle-json", history(style, count, ++seed));
    }
  }
}

// One byte changed anywhere: whatever that means, it means the same.
TEST(Pieces, DoNotShowInErrors) {
  std::mt19937_64 random(5);
  const auto damage = [&](std::string_view format, const std::string& text) {
    std::size_t errors = 0;
    for (int i = 0; i < 90; ++i) {
      std::string damaged = text;
      constexpr std::string_view kBytes = "{}[]()\"\\;#_,: \n9a\x01";
      for (int k = 0; k < 2; ++k) {
        damaged[random() % damaged.size()] = kBytes[random() % kBytes.size()];
      }
      errors += expect_same(format, damaged).starts_with("big:") ? 1 : 0;
    }
    EXPECT_GT(errors, 20u);
  };
  std::uint64_t seed = 100;
  for (const Style& style : edn_styles()) {
    if (seed < 108) damage("jepsen-edn", history(style, 20, ++seed));
  }
  Style json;
  json.json = true;
  json.begin = "[";
  json.between = ", ";
  json.end = "]";
  json.extras = {"\"error\": {\"index\": 7, \"type\": \"ok\"}"};
  damage("elle-json", history(json, 20, 1));
}

// What the first operations suggest may be refuted far behind them.
TEST(Pieces, DoNotShowInWhatIsLearnedLate) {
  const std::string ok = "{:index 900, :type :ok, :process 1, :value [";
  Style registers;
  Style lists;
  lists.lists = true;
  for (const Style& style : {registers, lists}) {
    const std::string text = history(style, 60, 9);
    for (const char* const late :
         {"[:r 5 [1 2]]", "[:w 5 [1 2]]", "[:w 5 7]", "[:append 5 7]",
          "[:r 5 70]", "[:r 5 []]", "[:r 5 nil]", "[:q]", "[:r nil 5]"}) {
      const std::string op = ok + late + "]}\n";
      expect_same("jepsen-edn", text + "\n" + op);
      expect_same("jepsen-edn", op + text);
      expect_same("jepsen-edn", op + text + "\n" + op);
    }
    for (const char* const late :
         {"{:index 3, :type :ok, :process 1, :time 9}",
          "{:index 900, :type :ok, :process 1}",
          "{:type :ok, :process 1, :time 1}", "{:index 900, :type :ok}",
          "{:index 900, :type :invoke}", "{:index 900, :type :what}",
          "{:index 900, :type :invoke, :process 77, :value [[:r 1 [2]]]}",
          "{:index 900, :type :ok, :process 2, :time 1, :awdit/id 5}",
          "{:index 900, :type :ok, :process 2, :awdit/registers true}",
          "{:index 900, :type :ok, :process 2, :time 1, :awdit/at 5}"}) {
      expect_same("jepsen-edn", text + "\n" + late + "\n");
      expect_same("jepsen-edn", late + ("\n" + text));
    }
  }
  for (const char* const reads :
       {"[:r 1 [2]]", "[:r 1 2]", "[:r 1 nil]", "[:r 1 \"x\"]"}) {
    std::string text;
    for (int i = 0; i < 20; ++i) {
      const std::string number = std::to_string(i);
      text += "{:index " + number + ", :type :ok, :process 0, :value [";
      text += i < 15 ? reads : "[:r 1 [2]] [:r 2 9]";
      text += "]}\n";
    }
    expect_same("jepsen-edn", text);
  }
}

// Lines of dashes and equals signs, and what stands between them. Sessions and
// transactions may be cut anywhere, separators stand in any number.
TEST(Pieces, DoNotShowInLines) {
  const auto text = [](std::span<const std::string> lines, std::uint64_t seed,
                       int count) {
    std::mt19937_64 random(seed);
    std::string all;
    for (int i = 0; i < count; ++i) {
      std::string line = lines[random() % lines.size()];
      for (std::size_t at = 0; (at = line.find('#')) != std::string::npos;) {
        line.replace(at, 1, std::to_string(i * 10 + static_cast<int>(at)));
      }
      for (std::size_t at = 0; (at = line.find('?')) != std::string::npos;) {
        line.replace(at, 1, std::to_string(random() % 12));
      }
      all += line;
    }
    return all;
  };
  const std::vector<std::string> test = {"w ? #\n",
                                         "w ? #\n",
                                         "r ? 0\n",
                                         "-----\n",
                                         "-\n",
                                         "=\n",
                                         "=====\n",
                                         "-r ? 0\n",
                                         "=w ? #\n",
                                         "w ? #\n-",
                                         "w ? # --- r ? 0\r\n",
                                         "W ? # = w ? #\n",
                                         "  =\n",
                                         "\n"};
  const std::vector<std::string> mistakes = {
      "w ? #\n", "-----\n", "=====\n",
      "r ? 0\n", "r ?\n",   "r ? 18446744073709551616\n"};
  const std::vector<std::string> hist = {
      "[k?:=# longer_names?==?]\n",
      "[a?:=#]!\n",
      "[k?==? b?==7] [c?:=#]\n",
      "---\n",
      " -\n",
      "// no\n",
      "[]\n",
      "[a_name_of_more_than_23_bytes?:=#]\n",
      "[x:=# k0?==? k?_?==? K?==? _?:=#] [k99999999?==?]\n"};
  const std::vector<std::string> jsonl = {
      "{\"session\":?,\"ops\":[[\"w\",\"k?\",#],[\"r\",\"x\",null]]}\n",
      "{\"session\":\"s?\",\"ops\":[[\"w\",\"k?\",#],[\"r\",5,null],"
      "[\"r\",\"long-names-like-this-one-?\",null]],\"meta\":{\"t\":?}}\n",
      "\n"};
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    for (const int count : {3, 20, 150}) {
      expect_same("awdit-test", text(test, seed, count) + "w 1 2");
      expect_same("awdit-test", text(mistakes, seed, count));
      expect_same("dbcop-hist", text(hist, seed, count) + "[x:=1]");
      expect_same("awdit-jsonl", text(jsonl, seed, count));
    }
  }
  // The history is not always the same.
  EXPECT_NE(expect_same("awdit-test", "w 1 1\n-\nw 1 2\n=\nw 1 3\n"),
            expect_same("awdit-test", "w 1 1\n=\nw 1 2\n-\nw 1 3\n"));
}

// A process that invokes again in another piece has crashed out of the first
// invocation there, not at the end.
TEST(Pieces, DoNotShowInCrashes) {
  std::string text;
  for (int i = 0; i < 40; ++i) {
    text += "{:index " + std::to_string(i) +
            ", :type :" + (i % 10 == 0 ? "invoke" : "ok") + ", :process " +
            (i % 10 == 0 ? "7" : "8") + ", :value [[:w " + std::to_string(i) +
            " 1]]}\n";
  }
  expect_same("jepsen-edn", text);
}

}  // namespace
}  // namespace awdit
