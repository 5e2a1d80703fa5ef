// The bytes of one input: a mapped file, or a stream read to its end.
// Directories, missing files and unreadable ones become errors that say so.
//
// Files may change while they are read (base/mapped_file.h); small ones are
// copied, which is as fast. Streams lie in memory, so their size has a limit,
// and one that begins like nothing anybody wants is not read on.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/buffer.h"
#include "base/mapped_file.h"
#include "base/result.h"
#include "base/work.h"

namespace awdit {

class Input {
 public:
  struct Options {
    // Whether a stream that begins like this is wanted; empty: any is.
    std::function<bool(std::string_view head)> wanted = {};
    // No devices, no pipes: for paths that somebody else has chosen.
    bool regular_only = false;
    // Large files may be mapped, for which a handler of SIGBUS is installed
    // (base/mapped_file.h); if not, all bytes are held in memory.
    bool may_map = true;
    // Bytes count there; nullptr: nowhere.
    Work* work = nullptr;
  };
  // "-" is standard input.
  static Result<Input> open(const std::string& path, const Options& options);
  static Result<Input> open(const std::string& path) { return open(path, {}); }
  // Bytes that are already in memory (tests, fuzzers); `bytes` must outlive it.
  static Input of(std::string_view bytes, std::string name = "<memory>",
                  Work* work = nullptr);
  // Bytes that somebody else has read or unpacked. `cut`: not all there are.
  static Input of(Buffer bytes, std::string name, bool cut = false,
                  Work* work = nullptr);

  // So much of a stream decides whether it is wanted.
  static constexpr std::size_t kHead = std::size_t{1} << 20;
  // How many bytes that are no file's may be held: half of the memory that
  // there is. 0: no limit is known.
  static std::size_t most_held();
  // That there are more.
  static Error too_many(const std::string& name, std::string hint);

  Input(Input&& other) noexcept;
  Input& operator=(Input&& other) noexcept;

  std::string_view bytes() const { return {data_, size_}; }
  // Whether kPadding bytes behind the last one may be read.
  bool padded() const { return padded_; }
  static constexpr std::size_t kPadding = Buffer::kPadding;
  // What messages call it: the path as given, or "<stdin>".
  const std::string& name() const { return name_; }

  // Whether it is only the beginning, because nobody wanted the rest.
  bool cut() const { return cut_; }
  // -1: not a file. Its place is anybody's.
  int descriptor() const { return file_ ? file_->descriptor() : -1; }
  // Whether the file is no longer what it was when it was opened: then nothing
  // that was read may be trusted, neither bytes nor mistakes in them.
  Outcome changed() const;
  // The same bytes where nobody can change them any more. (Bytes of somebody
  // else, see of(), are said to be such.) `passing` gets them while they are
  // still in the cache, piece after piece in their order, one at a time but by
  // any thread; not where nothing is copied, see settles().
  Result<Input> settled(
      unsigned threads,
      const std::function<void(std::string_view piece)>& passing = {}) const;
  // Whether settled() copies.
  bool settles() const { return file_ != nullptr; }

  // What its bytes count for; nullptr: nothing.
  Work* work() const { return work_; }

  // Keeps bytes() where they are for as long as anybody holds it, for those who
  // use them in place. Empty: they belong to somebody else, see of().
  std::shared_ptr<const void> keeper() const { return keeper_; }

  // A hint that bytes [from, to) are not needed again: a mapped file gives the
  // pages back, so that a large input does not count twice. Counts as done.
  // Throws UsedUp if the work is cancelled.
  void release(std::size_t from, std::size_t to) const;

 private:
  Input() = default;
  const char* data_ = nullptr;
  std::size_t size_ = 0;
  bool padded_ = false;
  bool cut_ = false;
  Work* work_ = nullptr;
  std::shared_ptr<const MappedFile> file_;  // empty: not mapped
  std::shared_ptr<const void> keeper_;
  std::string name_;
};

}  // namespace awdit
