// Putting together what a recorder appended in parts. Private to format/.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "base/input.h"
#include "base/result.h"
#include "format/awdit_blocks.h"
#include "history/history.h"

namespace awdit {

// A block of a file whose frame is intact.
struct AwditPart {
  const Input* input;
  std::size_t offset;  // of its image
  AwditBlockHeader header;

  std::string_view image() const {
    return input->bytes().substr(offset, header.length);
  }
  std::size_t end() const { return offset + header.length; }
};

// The history of all parts, in their order. REQUIRES: at least one part; the
// checksums are right. `warning` ("": none) becomes one of the history's.
Result<History> join_parts(std::span<const AwditPart> parts,
                           std::string warning, unsigned threads);

}  // namespace awdit
