#include "base/utf8.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

namespace awdit {
namespace {

std::string encode(std::uint32_t point) {
  std::string text;
  const auto tail = [&](int shift) {
    text += static_cast<char>(0x80 | (point >> shift & 0x3F));
  };
  if (point < 0x80) {
    text += static_cast<char>(point);
  } else if (point < 0x800) {
    text += static_cast<char>(0xC0 | point >> 6);
    tail(0);
  } else if (point < 0x10000) {
    text += static_cast<char>(0xE0 | point >> 12);
    tail(6), tail(0);
  } else {
    text += static_cast<char>(0xF0 | point >> 18);
    tail(12), tail(6), tail(0);
  }
  return text;
}

TEST(Utf8Sequence, EveryCodePointButSurrogatesIsAccepted) {
  for (std::uint32_t point = 0; point < 0x120000; ++point) {
    const std::string text = encode(point);
    const bool fine = point < 0x110000 && (point < 0xD800 || point > 0xDFFF);
    ASSERT_EQ(utf8_sequence(text), fine ? text.size() : 0) << point;
    ASSERT_EQ(utf8_sequence(text + "x"), fine ? text.size() : 0) << point;
    if (text.size() > 1) {
      ASSERT_EQ(utf8_sequence(text.substr(0, text.size() - 1)), 0u) << point;
    }
  }
}

TEST(Utf8Sequence, OverlongAndStrayBytesAreNot) {
  EXPECT_EQ(utf8_sequence(""), 0u);
  EXPECT_EQ(utf8_sequence("\x80"), 0u);
  EXPECT_EQ(utf8_sequence("\xC1\xBF"), 0u);
  EXPECT_EQ(utf8_sequence("\xE0\x9F\xBF"), 0u);
  EXPECT_EQ(utf8_sequence("\xF0\x8F\xBF\xBF"), 0u);
  EXPECT_EQ(utf8_sequence("\xFF"), 0u);
}

TEST(Visible, HarmlessTextStaysAsItIs) {
  for (const char* text :
       {"", "t4", "x = 3", "C:\\path", "Møldrup", "漢字 😀"}) {
    EXPECT_EQ(visible(text), text);
  }
}

TEST(Visible, WhatATerminalObeysIsShown) {
  EXPECT_EQ(visible("\x1b[2J"), "\\x1b[2J");
  EXPECT_EQ(visible("a\nb\tc\r"), "a\\nb\\tc\\r");
  EXPECT_EQ(visible(std::string_view("\0\x7f", 2)), "\\x00\\x7f");
  EXPECT_EQ(visible(encode(0x9B)), "\\u{9b}");      // one-byte CSI
  EXPECT_EQ(visible(encode(0x202E)), "\\u{202e}");  // right-to-left override
  EXPECT_EQ(visible(encode(0x2028)), "\\u{2028}");  // line separator
  EXPECT_EQ(visible("\xff\xc3("), "\\xff\\xc3(");
}

TEST(Visible, NothingHarmfulIsEverLeft) {
  // All pairs of bytes, between letters that must survive.
  for (int first = 0; first < 256; ++first) {
    for (int second = 0; second < 256; ++second) {
      std::string text = "a";
      text += static_cast<char>(first);
      text += static_cast<char>(second);
      text += "z";
      const std::string shown = visible(text);
      ASSERT_EQ(shown.front(), 'a');
      ASSERT_EQ(shown.back(), 'z');
      for (std::string_view rest = shown; !rest.empty();) {
        const std::size_t length = utf8_sequence(rest);
        ASSERT_NE(length, 0u);
        ASSERT_GE(static_cast<unsigned char>(rest[0]), 0x20);
        ASSERT_NE(rest[0], '\x7f');
        rest.remove_prefix(length);
      }
    }
  }
}

TEST(CodePoints, AreCountedNotMeasured) {
  EXPECT_EQ(code_points(""), 0u);
  EXPECT_EQ(code_points("Møldrup"), 7u);
  EXPECT_EQ(code_points("漢字"), 2u);
  EXPECT_EQ(code_points("e\u0301"), 2u);
}

}  // namespace
}  // namespace awdit
