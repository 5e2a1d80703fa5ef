// The frame of awdit's binary files: a header, then blocks with checksums.
// Private to format/. See docs/formats/awdit.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "base/sink.h"
#include "history/history.h"

namespace awdit {

// Not ASCII at first, then the name, then both kinds of line ends: any transfer
// that believes this to be text changes it.
inline constexpr std::string_view kAwditMagic =
    "\x89"
    "AWDIT\r\n";
inline constexpr std::uint32_t kAwditVersion = 1;

struct AwditFileHeader {
  char magic[8];
  std::uint32_t version;
  std::uint32_t zero;
};
static_assert(sizeof(AwditFileHeader) == 16);

enum class AwditBlock : std::uint32_t {
  whole = 1,  // a history, and nothing else in the file
  part = 2,   // some transactions of a history, as a recorder appends them
};

struct AwditBlockHeader {
  std::uint32_t type;
  std::uint32_t zero = 0;
  std::uint64_t length;        // of the image that follows
  std::uint64_t transactions;  // that were put into it
  std::uint64_t checksum;      // XXH3-64 of the image
  std::uint64_t zeros = 0;
  std::uint64_t own_checksum;  // XXH3-64 of the 40 bytes before
};
static_assert(sizeof(AwditBlockHeader) == 48);

std::uint64_t checksum_of(std::string_view bytes);

// The same, piece by piece.
class Checksum {
 public:
  Checksum();
  ~Checksum();
  Checksum(const Checksum&) = delete;
  Checksum& operator=(const Checksum&) = delete;
  void add(std::string_view bytes);
  std::uint64_t value() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

std::uint64_t own_checksum_of(const AwditBlockHeader& header);

void append_file_header(Sink& sink);
void append_block(AwditBlock type, const History& history,
                  std::uint64_t transactions, Sink& sink);

}  // namespace awdit
