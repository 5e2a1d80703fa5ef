// Histories: what client sessions read and wrote. See awdit.h.
#ifndef AWDIT_HISTORY_HPP
#define AWDIT_HISTORY_HPP

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "awdit/handle.hpp"
#include "awdit/options.hpp"

namespace awdit {
inline namespace v1 {

class History {
 public:
  explicit History(awdit_history* history) : history_(history) {}

  // `format`: "": by looking at the bytes.
  static History read(const std::vector<std::string>& paths,
                      const std::string& format = "",
                      const Options& options = {}) {
    std::vector<const char*> names;
    for (const std::string& path : paths) names.push_back(path.c_str());
    return History(
        detail::made<awdit_history>([&](awdit_history** h, awdit_error** e) {
          return awdit_history_read(AWDIT_ABI, names.data(), names.size(),
                                    format.empty() ? nullptr : format.c_str(),
                                    options.get(), h, e);
        }));
  }
  static History read(const std::string& path, const std::string& format = "",
                      const Options& options = {}) {
    return read(std::vector<std::string>{path}, format, options);
  }
  static History parse(std::string_view bytes, const std::string& format = "",
                       const Options& options = {}) {
    return History(
        detail::made<awdit_history>([&](awdit_history** h, awdit_error** e) {
          return awdit_history_parse(AWDIT_ABI, bytes.data(), bytes.size(),
                                     format.empty() ? nullptr : format.c_str(),
                                     options.get(), h, e);
        }));
  }

  std::uint64_t sessions() const { return awdit_history_sessions(get()); }
  std::uint64_t transactions() const {
    return awdit_history_transactions(get());
  }
  std::uint64_t operations() const { return awdit_history_operations(get()); }
  std::uint64_t keys() const { return awdit_history_keys(get()); }
  std::string_view format() const { return awdit_history_format(get()); }
  std::vector<std::string> warnings() const {
    std::vector<std::string> all;
    while (const char* one = awdit_history_warning(get(), all.size())) {
      all.emplace_back(one);
    }
    return all;
  }

  // As the bytes of a file; what the format cannot hold goes to `losses`.
  Bytes write(const std::string& format, std::string* losses = nullptr,
              const Options& options = {}) const {
    awdit_bytes* lost = nullptr;
    Bytes bytes(
        detail::made<awdit_bytes>([&](awdit_bytes** b, awdit_error** e) {
          return awdit_history_write(get(), format.c_str(), options.get(), b,
                                     losses == nullptr ? nullptr : &lost, e);
        }));
    const Bytes owned(lost);
    if (losses != nullptr) *losses = owned.str();
    return bytes;
  }
  // "text" or "json"
  Bytes stats(const std::string& report, const Options& options = {}) const {
    return Bytes(detail::made<awdit_bytes>([&](awdit_bytes** b,
                                               awdit_error** e) {
      return awdit_history_stats(get(), report.c_str(), options.get(), b, e);
    }));
  }

  const awdit_history* get() const noexcept { return history_.get(); }

 private:
  detail::Handle<awdit_history, awdit_history_free> history_;
};

}  // namespace v1
}  // namespace awdit

#endif
