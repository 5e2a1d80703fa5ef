#include "format/awdit_blocks.h"

#include <xxhash.h>

#include <cstring>
#include <memory>
#include <new>

#include "history/image.h"

namespace awdit {
namespace {

template <typename Header>
std::string_view bytes_of(const Header& header) {
  return {reinterpret_cast<const char*>(&header), sizeof header};
}

}  // namespace

std::uint64_t checksum_of(std::string_view bytes) {
  return XXH3_64bits(bytes.data(), bytes.size());
}

struct Checksum::State {
  XXH3_state_t* xxh = XXH3_createState();
};

Checksum::Checksum() : state_(std::make_unique<State>()) {
  if (state_->xxh == nullptr) throw std::bad_alloc();
  XXH3_64bits_reset(state_->xxh);
}
Checksum::~Checksum() { XXH3_freeState(state_->xxh); }
void Checksum::add(std::string_view bytes) {
  XXH3_64bits_update(state_->xxh, bytes.data(), bytes.size());
}
std::uint64_t Checksum::value() const {
  return XXH3_64bits_digest(state_->xxh);
}

std::uint64_t own_checksum_of(const AwditBlockHeader& header) {
  return checksum_of(
      bytes_of(header).substr(0, offsetof(AwditBlockHeader, own_checksum)));
}

void append_file_header(Sink& sink) {
  AwditFileHeader header{.magic = {}, .version = kAwditVersion, .zero = 0};
  std::memcpy(header.magic, kAwditMagic.data(), kAwditMagic.size());
  sink.append(bytes_of(header));
}

// The columns are walked twice, for the checksum and for the file: the header
// comes first, and holding a copy of them would cost more.
void append_block(AwditBlock type, const History& history,
                  std::uint64_t transactions, Sink& sink) {
  const HistoryImage image(history);
  Checksum checksum;
  for (const std::string_view piece : image.pieces()) checksum.add(piece);
  AwditBlockHeader header{.type = static_cast<std::uint32_t>(type),
                          .length = image.size(),
                          .transactions = transactions,
                          .checksum = checksum.value(),
                          .own_checksum = 0};
  header.own_checksum = own_checksum_of(header);
  sink.append(bytes_of(header));
  constexpr std::size_t kBite = std::size_t{1} << 16;
  for (const std::string_view piece : image.pieces()) {
    for (std::size_t at = 0; at < piece.size(); at += kBite) {
      sink.append(piece.substr(at, kBite));
      if (sink.closed()) return;
    }
  }
}

}  // namespace awdit
