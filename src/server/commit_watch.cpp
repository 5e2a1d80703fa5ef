#include "server/commit_watch.h"

#include <algorithm>

namespace awdit {
namespace {

constexpr std::size_t kKept = 32;  // bytes of a body: more than COMMIT has

std::uint32_t big_endian(std::string_view bytes) {
  std::uint32_t number = 0;
  for (const char byte : bytes) {
    number = number << 8 | static_cast<unsigned char>(byte);
  }
  return number;
}

// COMMIT, whatever its case, maybe with a semicolon, blanks or NULs behind it.
bool says_commit(std::string_view text) {
  constexpr std::string_view kCommit = "commit";
  // Of a longer text only the beginning is here.
  if (text.size() < kCommit.size() || text.size() == kKept) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool fits = i < kCommit.size() ? (c | 0x20) == kCommit[i]
                                         : c == ';' || c == ' ' || c == '\0';
    if (!fits) return false;
  }
  return true;
}

}  // namespace

std::size_t CommitWatch::header_size() const {
  if (protocol_ == WireProtocol::mariadb) return 4;
  return started_ ? 5 : 8;
}

// Sets how long the body is.
void CommitWatch::parse_header() {
  text_.clear();
  const std::string_view header = header_;
  if (protocol_ == WireProtocol::mariadb) {
    left_ = big_endian(std::string{header[2], header[1], header[0]});
    return;
  }
  // The length counts what follows the type, itself included.
  const std::size_t type = started_ ? 1 : 0;
  const std::uint32_t length = big_endian(header.substr(type, 4));
  const std::size_t counted = header.size() - type;
  left_ = length > counted ? length - counted : 0;
  // Version 3 of the protocol: messages have types from here on. Other codes
  // ask for encryption, and the first message comes again.
  if (!started_) will_start_ = big_endian(header.substr(4, 2)) == 3;
}

bool CommitWatch::is_commit() const {
  if (protocol_ == WireProtocol::mariadb) {
    constexpr char kQuery = 3;
    return header_[3] == 0 && !text_.empty() && text_[0] == kQuery &&
           says_commit(std::string_view(text_).substr(1));
  }
  return started_ && header_[0] == 'Q' && says_commit(text_);
}

bool CommitWatch::take(std::string_view bytes) {
  bool found = false;
  while (!bytes.empty()) {
    if (header_.size() < header_size()) {
      header_ += bytes.front();
      bytes.remove_prefix(1);
      if (header_.size() < header_size()) continue;
      parse_header();
    } else {
      const auto piece = static_cast<std::size_t>(
          std::min<std::uint64_t>(left_, bytes.size()));
      const std::size_t room = kKept - text_.size();
      text_ += bytes.substr(0, std::min(piece, room));
      bytes.remove_prefix(piece);
      left_ -= piece;
    }
    if (left_ > 0) continue;
    found = found || is_commit();
    started_ = started_ || will_start_;
    header_.clear();
  }
  return found;
}

}  // namespace awdit
