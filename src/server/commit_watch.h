// Finds COMMITs in what a client sends, byte by byte as they come.
//
// PostgreSQL: after a first message without a type, each message is a type byte
// and a length of four bytes, which counts itself; a COMMIT is a 'Q' with the
// text. MariaDB: packets of three bytes of length and a number; a COMMIT is the
// command 3 (COM_QUERY) with the text, in a packet of the number 0.
// Encrypted connections cannot be read, and are not: nothing is found in them.
//
// Cost: each byte is looked at once; only the first few of a message are kept.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace awdit {

enum class WireProtocol : std::uint8_t { postgres, mariadb };

class CommitWatch {
 public:
  explicit CommitWatch(WireProtocol protocol) : protocol_(protocol) {}

  // Takes the next bytes; whether a COMMIT ends among them.
  bool take(std::string_view bytes);

 private:
  std::size_t header_size() const;
  void parse_header();
  bool is_commit() const;

  WireProtocol protocol_;
  bool started_ = false;     // postgres: the message without a type is over
  bool will_start_ = false;  // when the one being taken is
  std::string header_;
  std::string text_;        // the body's first bytes
  std::uint64_t left_ = 0;  // of the body
};

}  // namespace awdit
