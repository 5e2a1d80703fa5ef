// What several commands let one choose, understood the same way everywhere.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "cli/options.h"
#include "format/format.h"
#include "report/report.h"

namespace awdit::cli {

Misuse misuse(std::string_view command, std::string message);

// A plain whole number.
std::optional<std::uint32_t> number(const std::string& text);

// No name: leaves `format` as it is.
std::optional<Misuse> choose_format(std::string_view command,
                                    const std::string& name,
                                    const Format*& format);

// Nothing typed: one per processor.
std::optional<Misuse> choose_threads(std::string_view command,
                                     const std::string& typed,
                                     unsigned& threads);

// The format that a file's name asks for, compressed or not; or nullptr.
const Format* format_of_name(std::string_view path);

const ReportFormat* choose_report(bool json);

}  // namespace awdit::cli
