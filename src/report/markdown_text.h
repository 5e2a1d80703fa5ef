// Text of unknown origin inside GitHub-flavoured Markdown. Private to
// src/report.
#pragma once

#include <string>
#include <string_view>

namespace awdit {

// `text` on one line, as prose or in a cell of a table: nothing in it is
// markup, a mention of somebody or a reference to an issue.
std::string markdown_prose(std::string_view text);

// `text` on one line in a fixed-width font, in a cell of a table or anywhere.
std::string markdown_code(std::string_view text);

// Lines as they are, between fences that they do not contain.
std::string markdown_fenced(std::string_view lines);

}  // namespace awdit
