// awdit's own binary files. See docs/formats/awdit.md.
//
// Idea: a file of one whole history is read into memory and used there: its
// columns are those of History (history/image.h), so that loading is copying,
// hashing and looking, at the speed of memory. What a recorder appended in
// parts is put together by Builder, one shard per part. Invariant: nothing is
// believed before its checksum was right, and nothing is used before
// HistoryImage::open has looked at it, right checksum or not. What was looked
// at cannot change any more: a mapped file could, and take the program with it.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/buffer.h"
#include "base/counted.h"
#include "base/parallel.h"
#include "format/awdit_blocks.h"
#include "format/awdit_parts.h"
#include "format/rows.h"
#include "history/image.h"

namespace awdit {
namespace {

Error damage(const Input& input, std::size_t offset, std::string message,
             std::string hint =
                 "Fetch the file again; if it was recorded "
                 "here, the disk or its driver lost data.") {
  return Error{.where = fmt::format("{}:byte {}", input.name(), offset),
               .message = std::move(message),
               .hint = std::move(hint)};
}

// Where the image of the first block begins.
constexpr std::size_t kFirstImage =
    sizeof(AwditFileHeader) + sizeof(AwditBlockHeader);

constexpr const char* kAloneHint =
    "Files cannot be joined by writing one behind the other.";

// What transfers in text mode make of the first bytes.
constexpr std::string_view kMagicWords[] = {
    "\x89"
    "AWDIT",
    "\tAWDIT",
    "\xC2\x89"
    "AWDIT",
    "\xEF\xBF\xBD"
    "AWDIT"};

Outcome check_file_header(const Input& input) {
  const std::string_view bytes = input.bytes();
  const auto starts = [&](std::string_view word) {
    return bytes.starts_with(word);
  };
  if (!bytes.starts_with(kAwditMagic)) {
    if (bytes.size() >= kAwditMagic.size() &&
        std::any_of(std::begin(kMagicWords), std::end(kMagicWords), starts)) {
      return damage(input, 0, "the file was changed on its way here",
                    "A transfer took it for text and changed line ends or "
                    "characters. Copy it again in binary mode.");
    }
    return damage(input, 0,
                  "expected the first bytes of an awdit file, \"\\x89AWDIT\"",
                  "Leave --format away to see what the file looks like.");
  }
  AwditFileHeader header;
  if (bytes.size() < sizeof header) {
    return damage(input, bytes.size(), "the file ends inside its header");
  }
  std::memcpy(&header, bytes.data(), sizeof header);
  if (header.version != kAwditVersion || header.zero != 0) {
    return damage(input, offsetof(AwditFileHeader, version),
                  fmt::format("this is version {} of the format, known here "
                              "is version {}",
                              header.version, kAwditVersion),
                  "Use a newer awdit.");
  }
  return std::nullopt;
}

// The blocks of a file whose frames are intact. `end` is where the last of them
// ends: what follows is a part that a recorder began and could not finish.
struct Frames {
  std::vector<AwditPart> blocks;
  std::size_t end = 0;
};

Outcome find_blocks(const Input& input, Frames& frames) {
  const std::string_view bytes = input.bytes();
  frames.end = sizeof(AwditFileHeader);
  while (frames.end < bytes.size()) {
    const std::size_t at = frames.end;
    const std::string_view rest = bytes.substr(at);
    AwditBlockHeader header;
    if (rest.size() < sizeof header) break;
    std::memcpy(&header, rest.data(), sizeof header);
    if (header.own_checksum != own_checksum_of(header)) {
      // After a loss of power a file may end in zeros that nobody wrote.
      if (rest.find_first_not_of('\0') == std::string_view::npos) break;
      return damage(input, at, "the header of this block is damaged");
    }
    const auto type = AwditBlock(header.type);
    if ((type != AwditBlock::whole && type != AwditBlock::part) ||
        header.zero != 0 || header.zeros != 0) {
      return damage(input, at,
                    fmt::format("there are no blocks of type {} in version {}",
                                header.type, kAwditVersion),
                    "Use a newer awdit.");
    }
    if (header.length % HistoryImage::kAlignment != 0) {
      return damage(input, at, "a block has an odd length");
    }
    if (type == AwditBlock::whole && at != sizeof(AwditFileHeader)) {
      return damage(input, at, "a whole history must be alone in its file",
                    kAloneHint);
    }
    if (header.length > rest.size() - sizeof header) {
      if (type == AwditBlock::part) break;
      return damage(
          input, bytes.size(),
          "the file ends too early; missing: " +
              counted(header.length - (rest.size() - sizeof header), "byte"));
    }
    frames.blocks.push_back({&input, at + sizeof header, header});
    frames.end = at + sizeof header + header.length;
    if (type == AwditBlock::whole && frames.end != bytes.size()) {
      return damage(input, frames.end,
                    "a whole history must be alone in its file", kAloneHint);
    }
  }
  return std::nullopt;
}

// A wrong sum in the last part is what a recorder leaves that died; anywhere
// else it is damage.
// `whole` is the sum of all that follows the first block's header, if that is
// known already.
Outcome check_sums(const Input& input, Frames& frames,
                   std::optional<std::uint64_t> whole, unsigned threads) {
  std::vector<char> right(frames.blocks.size());
  parallel_for(right.size(), threads, [&](std::size_t i, unsigned) {
    const AwditPart& block = frames.blocks[i];
    const bool known = whole && block.offset == kFirstImage &&
                       block.end() == input.bytes().size();
    right[i] =
        (known ? *whole : checksum_of(block.image())) == block.header.checksum;
  });
  if (right.size() > 1 && right.back() == 0 &&
      frames.end == input.bytes().size()) {
    right.pop_back();
    frames.blocks.pop_back();
    frames.end = frames.blocks.back().end();
  }
  for (std::size_t i = 0; i < right.size(); ++i) {
    if (right[i] == 0) {
      return damage(input, frames.blocks[i].offset,
                    "the data are damaged: the checksum of this block is "
                    "wrong");
    }
  }
  return std::nullopt;
}

// A guess: the file may still change.
bool seems_whole(const Input& input) {
  AwditBlockHeader header;
  if (input.bytes().size() < kFirstImage) return false;
  std::memcpy(&header, input.bytes().data() + sizeof(AwditFileHeader),
              sizeof header);
  return AwditBlock(header.type) == AwditBlock::whole;
}

Result<History> open_whole(const AwditPart& block, unsigned threads) {
  std::shared_ptr<const void> keeper = block.input->keeper();
  std::string_view image = block.image();
  if (keeper == nullptr) {
    Buffer copy;
    std::memcpy(copy.room(image.size()), image.data(), image.size());
    copy.grow(image.size());
    const auto kept = std::make_shared<const Buffer>(std::move(copy));
    image = kept->bytes();
    keeper = kept;
  }
  Result<History> history = HistoryImage::open(
      image, std::move(keeper), {block.input->name(), block.offset}, threads);
  if (history && history->num_txns() != block.header.transactions) {
    return damage(*block.input, block.offset,
                  "the block and its header disagree about the number of "
                  "transactions");
  }
  if (history) HistoryImage::settle_clock(*history);
  return history;
}

}  // namespace

bool sniff_awdit(std::string_view head) {
  return std::any_of(
      std::begin(kMagicWords), std::end(kMagicWords),
      [&](std::string_view word) { return head.starts_with(word); });
}

Result<History> parse_awdit(std::span<const Input> files, unsigned threads) {
  // Of a file that seems to hold one block, the bytes are summed up on their
  // way: seen once more, they would have to come out of memory again.
  std::optional<Checksum> sum;
  std::size_t seen = 0;
  std::function<void(std::string_view)> passing;
  if (files.front().settles() && seems_whole(files.front())) {
    sum.emplace();
    passing = [&](std::string_view piece) {
      const std::size_t before =
          std::min(kFirstImage - std::min(seen, kFirstImage), piece.size());
      seen += piece.size();
      sum->add(piece.substr(before));
    };
  }
  const Result<Input> settled = files.front().settled(threads, passing);
  if (!settled) return settled.error();
  const Input& input = *settled;
  Frames frames;
  if (Outcome failed = check_file_header(input)) return *failed;
  if (Outcome failed = find_blocks(input, frames)) return *failed;
  if (Outcome failed = check_sums(
          input, frames, sum ? std::optional(sum->value()) : std::nullopt,
          threads)) {
    return *failed;
  }
  if (frames.blocks.empty()) {
    return damage(input, frames.end, "the file holds no complete block",
                  "A recorder that was stopped before its first flush leaves "
                  "such a file.");
  }
  if (AwditBlock(frames.blocks[0].header.type) == AwditBlock::whole) {
    return open_whole(frames.blocks[0], threads);
  }
  std::string warning;
  if (const std::size_t lost = input.bytes().size() - frames.end) {
    warning = fmt::format(
        "the last {} bytes of the file are no complete block, as a recorder "
        "leaves them that was stopped; what they hold is left out.",
        lost);
  }
  return join_parts(frames.blocks, std::move(warning), threads);
}

void write_awdit(const History& history, const NewFile& file) {
  Sink& sink = file("history.awdit");
  append_file_header(sink);
  append_block(AwditBlock::whole, history, history.num_txns(), sink);
}

}  // namespace awdit
