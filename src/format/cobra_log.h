// The records of one Cobra client log. Private to format/. See
// docs/formats/cobra.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace awdit {

namespace cobra {
// Numbers with a meaning, of transactions and of writes.
inline constexpr std::uint64_t kInit = 0xBEBEEBEE;  // loaded beforehand
inline constexpr std::uint64_t kNull = 0xDEADBEEF;  // the key did not exist
inline constexpr std::uint64_t kDelete = 0xABCDEFAB;
inline constexpr std::uint64_t kGcTrue = 0x23332333;
inline constexpr std::uint64_t kGcFalse = 0x66666666;
// These, and another one of Cobra's, never stand for a value.
inline constexpr std::uint64_t kReserved[] = {kInit,      kNull,   kDelete,
                                              0xADEAFBEE, kGcTrue, kGcFalse};
}  // namespace cobra

// How a log is written; nothing in the file says so.
struct CobraVariant {
  bool stamped = false;    // begins and ends have times
  bool text_keys = false;  // keys are texts instead of their hashes
};

struct CobraRecord {
  char type;  // S C A W R
  std::size_t offset;
  std::uint64_t txn = 0;    // of S, C, A; the writer of R
  std::uint64_t write = 0;  // of W and R: the write's own id
  std::uint64_t key = 0;
  std::int64_t time = 0;  // of S, C, A where stamped
};

// Why a log cannot be read in some variant.
struct CobraMistake {
  std::size_t offset = 0;
  std::string message = {};  // "": none
};

class CobraLog {
 public:
  CobraLog(std::string_view bytes, CobraVariant variant)
      : bytes_(bytes), variant_(variant) {}

  // The next record. False: at the end, or the bytes there are no record.
  bool next(CobraRecord& record);

  std::size_t at() const { return at_; }
  // What stopped next(): there was no record left, or only its beginning.
  bool ended() const { return at_ == bytes_.size(); }
  bool cut() const { return cut_; }

 private:
  std::uint64_t word(std::size_t at) const;

  std::string_view bytes_;
  CobraVariant variant_;
  std::size_t at_ = 0;
  bool cut_ = false;
};

// Walks a whole log and calls visit(record) while begins, operations and ends
// follow each other as they must. `open` tells whether a transaction has not
// ended; a record that is cut off by the end of the file is no mistake.
template <typename Visit>
CobraMistake walk_cobra(CobraLog& log, bool& open, Visit&& visit);

// The variant in which the bytes can be read, the most usual one first; `best`
// tells how far the best attempt came if there is none.
bool find_variant(std::string_view bytes, CobraVariant& variant,
                  CobraMistake& best);

template <typename Visit>
CobraMistake walk_cobra(CobraLog& log, bool& open, Visit&& visit) {
  CobraRecord record;
  std::uint64_t txn = 0;
  open = false;
  while (log.next(record)) {
    switch (record.type) {
      case 'S':
        if (open) {
          return {record.offset, "a transaction begins inside another one"};
        }
        if (record.txn == std::uint64_t{1} << 63) {
          return {record.offset + 1, "the id -2^63 cannot be used"};
        }
        open = true;
        txn = record.txn;
        break;
      case 'C':
      case 'A':
        if (!open || record.txn != txn) {
          return {record.offset,
                  "a transaction ends that is not the one "
                  "that began last"};
        }
        open = false;
        break;
      default:
        if (!open) {
          return {record.offset, "an operation stands outside a transaction"};
        }
    }
    visit(record);
  }
  if (log.ended() || log.cut()) return {log.at(), ""};
  return {log.at(), "expected a record: S, C, A, W or R"};
}

}  // namespace awdit
