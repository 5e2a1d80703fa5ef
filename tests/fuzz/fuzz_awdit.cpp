// Arbitrary bytes as `awdit`: as they come, and once more with all checksums
// put right, because no mutation gets past them otherwise. No crash, no leak,
// errors with a place, and a verdict with evidence for whatever is a history.
// See scrutiny.h.
#include <algorithm>
#include <cstring>
#include <string>

#include "format/awdit_blocks.h"
#include "scrutiny.h"

namespace {

// Headers as a writer would make them around what is there.
std::string repaired(std::string_view bytes) {
  using awdit::AwditBlockHeader;
  std::string file(bytes);
  const awdit::AwditFileHeader start{
      .magic = {'\x89', 'A', 'W', 'D', 'I', 'T', '\r', '\n'},
      .version = awdit::kAwditVersion,
      .zero = 0};
  if (file.size() < sizeof start) return file;
  std::memcpy(file.data(), &start, sizeof start);
  for (std::size_t at = sizeof start;
       at + sizeof(AwditBlockHeader) <= file.size();) {
    AwditBlockHeader header;
    std::memcpy(&header, file.data() + at, sizeof header);
    const std::size_t image = at + sizeof header;
    header.type = header.type % 2 + 1;
    header.zero = 0;
    header.zeros = 0;
    header.length =
        std::min<std::uint64_t>(header.length, file.size() - image) / 64 * 64;
    header.checksum =
        awdit::checksum_of(std::string_view(file).substr(image, header.length));
    header.own_checksum = awdit::own_checksum_of(header);
    std::memcpy(file.data() + at, &header, sizeof header);
    at = image + header.length;
  }
  return file;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  const std::string_view bytes = awdit::fuzz::as_text(data, size);
  awdit::fuzz::parse_and_scrutinise("awdit", bytes);
  awdit::fuzz::parse_and_scrutinise("awdit", repaired(bytes));
  return 0;
}
