// The tables of levels, formats, anomalies and reports, row by row.
#include <span>

#include "abi/handles.h"
#include "base/table.h"

namespace {

using namespace awdit::abi;

// Calls body(rows) with the rows of a table; `none` if there is no such table.
template <typename None, typename Body>
auto with_table(std::int32_t table, None none, Body&& body) -> None {
  switch (table) {
    case AWDIT_LEVELS:
      return body(awdit::levels());
    case AWDIT_FORMATS:
      return body(awdit::formats());
    case AWDIT_ANOMALIES:
      return body(awdit::anomalies());
    case AWDIT_REPORTS:
      return body(awdit::reports());
    default:
      return none;
  }
}

const char* summary_of(const awdit::Anomaly& row) {
  return literal(row.sentence);
}
template <typename Row>
const char* summary_of(const Row& row) {
  return literal(row.summary);
}

}  // namespace

extern "C" {

std::size_t awdit_table_size(std::int32_t table) noexcept {
  return with_table(table, std::size_t{0},
                    [](const auto& rows) { return rows.size(); });
}
const char* awdit_table_name(std::int32_t table, std::size_t row) noexcept {
  const char* const none = nullptr;
  return with_table(table, none, [&](const auto& rows) {
    return row < rows.size() ? literal(rows[row].name) : none;
  });
}
const char* awdit_table_summary(std::int32_t table, std::size_t row) noexcept {
  const char* const none = nullptr;
  return with_table(table, none, [&](const auto& rows) {
    return row < rows.size() ? summary_of(rows[row]) : none;
  });
}
const char* awdit_table_alias(std::int32_t table, std::size_t row,
                              std::size_t alias) noexcept {
  const char* const none = nullptr;
  return with_table(table, none, [&](const auto& rows) {
    if (row >= rows.size()) return none;
    const auto aliases = awdit::aliases_of(rows[row]);
    return alias < aliases.size() ? literal(aliases[alias]) : none;
  });
}

}  // extern "C"
