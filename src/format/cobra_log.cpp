#include "format/cobra_log.h"

#include "base/utf8.h"

namespace awdit {
namespace {

constexpr CobraVariant kVariants[] = {
    {}, {.stamped = true}, {.text_keys = true}, {true, true}};

}  // namespace

std::uint64_t CobraLog::word(std::size_t at) const {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < 8; ++i) {
    value = value << 8 | static_cast<unsigned char>(bytes_[at + i]);
  }
  return value;
}

bool CobraLog::next(CobraRecord& record) {
  if (at_ == bytes_.size()) return false;
  const char type = bytes_[at_];
  const bool border = type == 'S' || type == 'C' || type == 'A';
  if (!border && type != 'W' && type != 'R') return false;
  record = {.type = type, .offset = at_};
  const std::size_t left = bytes_.size() - at_;
  std::size_t size = border        ? (variant_.stamped ? 17 : 9)
                     : type == 'W' ? 25
                                   : 33;
  if (!border && variant_.text_keys) {
    // Instead of the hash: the length in four bytes, then the text.
    const std::size_t before = size - 16;
    cut_ = left < before + 4;
    if (cut_) return false;
    const std::uint64_t length = word(at_ + before - 4) & 0xFFFF'FFFF;
    cut_ = length > left - before - 4;
    if (cut_) return false;
    const std::string_view key = bytes_.substr(at_ + before + 4, length);
    for (std::size_t i = 0; i < key.size();) {
      const std::size_t sequence = utf8_sequence(key.substr(i));
      if (sequence == 0 || static_cast<unsigned char>(key[i]) < 0x20) {
        return false;
      }
      i += sequence;
    }
    size = before + 4 + length + 8;
  }
  cut_ = left < size;
  if (cut_) return false;
  if (border) {
    record.txn = word(at_ + 1);
    if (variant_.stamped) {
      record.time = static_cast<std::int64_t>(word(at_ + 9));
    }
  } else {
    const std::size_t write = type == 'W' ? 1 : 9;
    if (type == 'R') record.txn = word(at_ + 1);
    record.write = word(at_ + write);
    if (!variant_.text_keys) record.key = word(at_ + write + 8);
  }
  at_ += size;
  return true;
}

bool find_variant(std::string_view bytes, CobraVariant& variant,
                  CobraMistake& best) {
  best = {};
  for (const bool cut_allowed : {false, true}) {
    for (const CobraVariant& tried : kVariants) {
      // Texts as keys are a guess: it must explain every byte, and its
      // mistakes would mislead.
      if (tried.text_keys && cut_allowed) continue;
      CobraLog log(bytes, tried);
      bool open = false;
      CobraMistake mistake = walk_cobra(log, open, [](const CobraRecord&) {});
      if (mistake.message.empty()) {
        if (log.ended() || cut_allowed) {
          variant = tried;
          return true;
        }
      } else if (!tried.text_keys &&
                 (best.message.empty() || mistake.offset > best.offset)) {
        best = std::move(mistake);
      }
    }
  }
  return false;
}

}  // namespace awdit
