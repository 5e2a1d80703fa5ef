// The row of a table as the text of a payload: fields joined by '|'. What was
// read may be anybody's text: fields that are missing are empty, and what is
// not a number counts as the one that the caller names. Private to workload/.
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace awdit {

class Fields {
 public:
  Fields() = default;
  explicit Fields(std::string_view payload);
  // A text or a number each.
  struct Field {
    Field(std::string value) : text(std::move(value)) {}
    template <std::integral Number>
    Field(Number value) : text(std::to_string(value)) {}
    std::string text;
  };
  Fields(std::initializer_list<Field> fields);

  std::size_t size() const { return fields_.size(); }
  std::string_view text(std::size_t field) const;
  // At most 10^15 in size, so that sums of them are safe.
  std::int64_t number(std::size_t field, std::int64_t otherwise) const;
  // Makes the row longer if need be.
  void set(std::size_t field, std::string value);
  void set(std::size_t field, std::int64_t value);
  // A number that is missing counts as 0.
  void change(std::size_t field, std::int64_t by);
  void add(std::int64_t value);
  std::string payload() const;

 private:
  std::vector<std::string> fields_;
};

// A payload that is one number.
std::int64_t number_of(std::string_view text, std::int64_t otherwise);

}  // namespace awdit
