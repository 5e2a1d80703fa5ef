// What is written is spelled as the formats' own tools spell it.
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "base/table.h"
#include "format/format.h"
#include "history/text.h"

namespace awdit {
namespace {

// {file name: content}
using Files = std::map<std::string, std::string>;

Files write(std::string_view format, std::string_view notation) {
  const Result<History> history = parse_text(notation);
  EXPECT_TRUE(history) << to_string(history.error());
  Files files;
  std::unique_ptr<Sink> sink;
  find_row(formats(), format)
      ->write(*history, [&](std::string_view name) -> Sink& {
        return *(sink = std::make_unique<Sink>(files[std::string(name)]));
      });
  return files;
}

TEST(Spelling, OfDbcopBincode) {
  using namespace std::string_literals;
  const auto word = [](char low) { return low + "\0\0\0\0\0\0\0"s; };
  const std::string time = word(25) + "1970-01-01T00:00:00+00:00";
  EXPECT_EQ(write("dbcop", "1: W(1,5) R(2,0) | W(1,6) !\n2: R(1,5)"),
            (Files{{"history.bincode",
                    word(0) + word(2) + word(2) + word(2) + word(2) +  //
                        word(5) + "awdit" + time + time +              //
                        word(2) +                                      //
                        word(2) +                                      //
                        word(2) + "\1" + word(1) + word(5) + "\1" +    //
                        "\0"s + word(2) + word(0) + "\1" + "\1" +      //
                        word(1) + "\1" + word(1) + word(6) + "\1" +    //
                        "\0"s +                                        //
                        word(1) +                                      //
                        word(1) + "\0"s + word(1) + word(5) + "\1" + "\1"}}));
}

TEST(Spelling, OfDbcopJson) {
  EXPECT_EQ(
      write("dbcop-json", "1: W(1,5) R(2,nil) | W(1,6) !\n2: R(1,5) |"),
      (Files{{"history.json",
              "{\"params\": {\"id\": 0, \"n_node\": 2, \"n_variable\": 2, "
              "\"n_transaction\": 2, \"n_event\": 2}, \"info\": \"awdit\", "
              "\"start\": \"1970-01-01T00:00:00+00:00\", "
              "\"end\": \"1970-01-01T00:00:00+00:00\", \"data\": [\n"
              "[{\"events\": [{\"Write\": {\"variable\": 1, \"version\": 5}}, "
              "{\"Read\": {\"variable\": 2, \"version\": null}}], "
              "\"committed\": true},\n"
              "{\"events\": [{\"Write\": {\"variable\": 1, \"version\": 6}}], "
              "\"committed\": false}],\n"
              "[{\"events\": [{\"Read\": {\"variable\": 1, \"version\": 5}}], "
              "\"committed\": true},\n"
              "{\"events\": [], \"committed\": true}]\n"
              "]}\n"}}));
}

TEST(Spelling, OfDbcopHist) {
  EXPECT_EQ(write("dbcop-hist", "1: W(x,5) R(y,nil) | W(x,6) !\n2: R(x,5) |"),
            (Files{{"history.hist",
                    "[x:=5 y==?]\n"
                    "[x:=6]!\n"
                    "---\n"
                    "[x==5]\n"
                    "[]\n"}}));
}

TEST(Spelling, OfViper) {
  EXPECT_EQ(write("viper", "7: W(1,10) W(2,-20) | R(2,-20)\n9: R(1,0) |"),
            (Files{{"J1.log",
                    "{\"value\": [[\"w\", 1, 10, true], [\"w\", 2, -20, "
                    "true]]}\n"
                    "{\"value\": [[\"r\", 2, -20, false]]}\n"},
                   {"J2.log",
                    "{\"value\": [[\"r\", 1, 0, false]]}\n"
                    "{\"value\": []}\n"}}));
}

// Times must be there, so they are made up where the history has none.
TEST(Spelling, OfChronos) {
  EXPECT_EQ(write("chronos", "a: W(1,10)\n5: R(1,10) R(2,nil)"),
            (Files{{"history.json",
                    "[{\"tid\": 1, \"sid\": \"a\", \"sts\": {\"p\": 1, \"l\": "
                    "0}, \"cts\": {\"p\": 1, \"l\": 0}, \"ops\": [{\"t\": "
                    "\"w\", \"k\": 1, \"v\": 10}]},\n"
                    "{\"tid\": 2, \"sid\": 5, \"sts\": {\"p\": 2, \"l\": 0}, "
                    "\"cts\": {\"p\": 2, \"l\": 0}, \"ops\": [{\"t\": \"r\", "
                    "\"k\": 1, \"v\": 10}, {\"t\": \"r\", \"k\": 2, \"v\": "
                    "null}]}]\n"}}));
}

TEST(Spelling, OfChronosLists) {
  const Files files =
      write("chronos", "1: A(1,10) A(1,11) R(1,[10 11]) R(2,[])");
  EXPECT_NE(files.at("history.json")
                .find("[{\"t\": \"a\", \"k\": 1, \"v\": 10}, {\"t\": \"a\", "
                      "\"k\": 1, \"v\": 11}, {\"t\": \"r\", \"k\": 1, \"v\": "
                      "[10, 11]}, {\"t\": \"r\", \"k\": 2, \"v\": []}]"),
            std::string::npos)
      << files.at("history.json");
}

}  // namespace
}  // namespace awdit
