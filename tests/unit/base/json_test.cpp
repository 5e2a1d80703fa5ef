#include "base/json.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

namespace awdit {
namespace {

TEST(JsonString, PlainTextStaysAsItIs) {
  EXPECT_EQ(json_string(""), R"("")");
  EXPECT_EQ(json_string("t4 read 1=3"), R"("t4 read 1=3")");
  EXPECT_EQ(json_string("Møldrup ⟹ 😀"), "\"Møldrup ⟹ 😀\"");
}

TEST(JsonString, QuotesBackslashesAndControlsAreEscaped) {
  EXPECT_EQ(json_string("a\"b\\c/"), R"("a\"b\\c/")");
  EXPECT_EQ(json_string("\b\f\n\r\t"), R"("\b\f\n\r\t")");
  EXPECT_EQ(json_string(std::string_view("\0\x01\x1f\x7f", 4)),
            R"("\u0000\u0001\u001f\u007f")");
}

TEST(JsonString, ControlsBeyondAsciiAreEscapedToo) {
  EXPECT_EQ(json_string("a\u009b[31m"), R"("a\u009b[31m")");
  EXPECT_EQ(json_string("\u0080\u0085\u009f"), R"("\u0080\u0085\u009f")");
  EXPECT_EQ(json_string("\u00a0\u00e9"), "\"\u00a0\u00e9\"");  // no controls
}

TEST(JsonString, BytesThatAreNotUtf8AreReplaced) {
  EXPECT_EQ(json_string("a\xff"
                        "b"),
            "\"a\uFFFDb\"");
  EXPECT_EQ(json_string("\xc3"), "\"\uFFFD\"");            // cut short
  EXPECT_EQ(json_string("\xc0\xaf"), "\"\uFFFD\uFFFD\"");  // overlong
  EXPECT_EQ(json_string("\xed\xa0\x80"), "\"\uFFFD\uFFFD\uFFFD\"");
  EXPECT_EQ(json_string("\xf4\x90\x80\x80"), "\"\uFFFD\uFFFD\uFFFD\uFFFD\"");
  EXPECT_EQ(json_string("\xe2\x82\""), "\"\uFFFD\uFFFD\\\"\"");
}

TEST(JsonWriter, CommasStandBetweenElementsOnly) {
  std::string out;
  {
    Sink sink(out);
    JsonWriter json(sink);
    json.begin_object();
    json.key("empty");
    json.begin_array();
    json.end_array();
    json.key("list");
    json.begin_array();
    json.value(1);
    json.begin_object();
    json.end_object();
    json.value("x");
    json.null();
    json.value(true);
    json.end_array();
    json.field("last", false);
    json.end_object();
  }
  EXPECT_EQ(out, R"({"empty":[],"list":[1,{},"x",null,true],"last":false})");
}

TEST(JsonWriter, NumbersKeepAllTheirDigits) {
  std::string out;
  {
    Sink sink(out);
    JsonWriter json(sink);
    json.begin_array();
    json.value(INT64_MIN);
    json.value(UINT64_MAX);
    json.value(std::uint8_t{7});
    json.value(std::int32_t{-7});
    json.end_array();
  }
  EXPECT_EQ(out, "[-9223372036854775808,18446744073709551615,7,-7]");
}

TEST(Sink, SwallowsEverythingOnceItIsClosed) {
  std::size_t calls = 0;
  Sink sink([&](std::string_view) {
    ++calls;
    return false;
  });
  for (int i = 0; i < 1'000'000 && !sink.closed(); ++i)
    sink.append("0123456789");
  EXPECT_TRUE(sink.closed());
  sink.append("more");
  sink.flush();
  EXPECT_EQ(calls, 1u);
}

TEST(Sink, FlushesLongOutputInPieces) {
  std::size_t most = 0, total = 0;
  {
    Sink sink([&](std::string_view bytes) {
      most = std::max(most, bytes.size());
      total += bytes.size();
      return true;
    });
    for (int i = 0; i < 1'000'000; ++i) sink.append("0123456789");
  }
  EXPECT_EQ(total, 10'000'000u);
  EXPECT_LT(most, 200'000u);
}

}  // namespace
}  // namespace awdit
