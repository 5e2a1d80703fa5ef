// Contents as the values of the exec protocol, and back. Private to driver/.
//
// A driver that strangers write shall have as little to do as possible: it
// keeps a value for a key, an integer below 2^53 in size or a text, and gives
// it back as it was. So the id of the write and the payload become one value:
//
//   no payload    the id as an integer, and 0 for what was loaded
//   a payload     the same integer as digits, a blank, the payload: "17 rows"
//
// An id has 63 bits: the run, the session, a count. Within 53 there is room for
// ten bits of the run's number, so that what another run left is noticed but
// for one time in a thousand, for the session, and for 2^27 writes of it.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "driver/driver.h"

namespace awdit {

inline constexpr std::int64_t kLargestInteger =
    (std::int64_t{1} << 53) - 1;  // that every language's JSON keeps

struct ExecValue {
  enum class Kind : std::uint8_t { none, integer, text, list };
  Kind kind = Kind::none;
  std::int64_t integer = 0;
  std::string text = {};
  std::vector<std::int64_t> list = {};
};

// The ids of one run. Threads: any, at the same time.
class ExecIds {
 public:
  // Below 2^53; -1: the session has made too many writes.
  std::int64_t number_of(WriteId id);
  // Of another run: an id that is not of this one. REQUIRES: 0 <= number <=
  // kLargestInteger.
  WriteId id_of(std::int64_t number) const;

 private:
  // The run's number, once somebody has written; 0: nobody has.
  std::atomic<std::uint32_t> run_{0};
};

// As JSON: "17", or "\"17 rows\"".
std::string value_text(std::int64_t number, std::string_view payload);

// False: awdit writes no such value.
bool content_of(const ExecValue& value, std::int64_t& number,
                std::string& payload);

// For messages: at most a line.
std::string shown_value(const ExecValue& value);

}  // namespace awdit
