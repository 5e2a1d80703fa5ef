#include "abi/asked.h"

#include "base/table.h"

namespace awdit::abi {

Trouble choose_levels(const char* names, WantedLevels& wanted) {
  std::vector<std::string> lists;
  if (names != nullptr) lists.emplace_back(names);
  std::optional<NotALevel> wrong = wanted.choose(lists);
  if (!wrong) return std::nullopt;
  return no_such_name(std::move(wrong->message));
}

Shared as_asked(const Shared& held, const awdit_options& options) {
  if (options.session_order || !held->history.session_order()) return held;
  return std::make_shared<Held>(
      Held{copy_of(held).without_session_order(), held->format, held->name});
}

Trouble find_report(const char* name, const ReportFormat*& row) {
  row = find_row(reports(), text_or_none(name));
  if (row != nullptr) return std::nullopt;
  return no_such_name(
      unknown_name_message("report", text_or_none(name), reports()));
}

Trouble find_format(const char* name, const Format*& format) {
  format = nullptr;
  if (name == nullptr) return std::nullopt;
  format = find_row(formats(), name);
  if (format != nullptr) return std::nullopt;
  return no_such_name(unknown_name_message("format", name, formats()));
}

}  // namespace awdit::abi
