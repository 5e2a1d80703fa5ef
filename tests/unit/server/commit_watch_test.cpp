// Finding COMMITs in bytes, however they are cut.
#include "server/commit_watch.h"

#include <gtest/gtest.h>

#include <string>

namespace awdit {
namespace {

std::string big(std::uint32_t number) {
  std::string bytes;
  for (int shift = 24; shift >= 0; shift -= 8) {
    bytes += static_cast<char>(number >> shift);
  }
  return bytes;
}

std::string untyped(std::uint32_t code, const std::string& rest) {
  return big(static_cast<std::uint32_t>(8 + rest.size())) + big(code) + rest;
}

std::string typed(char type, const std::string& body) {
  return type + big(static_cast<std::uint32_t>(4 + body.size())) + body;
}

std::string query(const std::string& text) {
  return typed('Q', text + std::string(1, '\0'));
}

const std::string kStartup = untyped(0x30000, std::string("user\0me\0\0", 9));

std::string packet(int number, const std::string& body) {
  std::string bytes;
  for (int shift = 0; shift <= 16; shift += 8) {
    bytes += static_cast<char>(body.size() >> shift);
  }
  return bytes + static_cast<char>(number) + body;
}

// Takes the bytes in pieces of one size; how many pieces end a COMMIT.
int count(WireProtocol protocol, const std::string& bytes, std::size_t size) {
  CommitWatch watch(protocol);
  int found = 0;
  for (std::size_t at = 0; at < bytes.size(); at += size) {
    if (watch.take(std::string_view(bytes).substr(at, size))) ++found;
  }
  return found;
}

void expect_count(WireProtocol protocol, const std::string& bytes, int wanted) {
  for (std::size_t size = 1; size <= 9; ++size) {
    EXPECT_EQ(count(protocol, bytes, size), wanted) << "pieces of " << size;
  }
  EXPECT_EQ(count(protocol, bytes, bytes.size()), wanted > 0 ? 1 : 0);
}

TEST(CommitWatch, FindsQueriesOfPostgres) {
  const std::string other = query("SELECT 'COMMIT'") + query("BEGIN") +
                            typed('P', "COMMIT") + query("COMMITTED") +
                            typed('X', "");
  expect_count(WireProtocol::postgres, kStartup + other, 0);
  expect_count(WireProtocol::postgres,
               kStartup + other + query("COMMIT") + other + query("commit; "),
               2);
}

TEST(CommitWatch, ALongQueryIsNoCommit) {
  const std::string text = "COMMIT" + std::string(100, ' ') + "or not";
  expect_count(WireProtocol::postgres, kStartup + query(text), 0);
}

TEST(CommitWatch, FirstMessagesOfPostgresHaveNoType) {
  // Asked for encryption and got a no; 'Q' is part of a length here.
  const std::string asks = untyped(80877103, "");
  expect_count(WireProtocol::postgres, asks + kStartup + query("COMMIT"), 1);
  expect_count(WireProtocol::postgres, query("COMMIT"), 0);
}

TEST(CommitWatch, FindsQueriesOfMariadb) {
  const std::string hello = packet(1,
                                   "\x03"
                                   "COMMIT");
  const std::string other = packet(0,
                                   "\x03"
                                   "SELECT 1") +
                            packet(0,
                                   "\x16"
                                   "COMMIT") +
                            packet(0, "") +
                            packet(0, "\x03" + std::string(300, 'c'));
  expect_count(WireProtocol::mariadb, hello + other, 0);
  expect_count(WireProtocol::mariadb,
               hello + other +
                   packet(0,
                          "\x03"
                          "commit") +
                   other,
               1);
}

}  // namespace
}  // namespace awdit
