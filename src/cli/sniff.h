// What a file is, judged from its beginning. Only regular files are opened: a
// look must not take bytes out of a pipe. "-" is none.
#pragma once

#include <string>

namespace awdit::cli {

bool looks_like_history(const std::string& path);
bool looks_like_certificate(const std::string& path);

}  // namespace awdit::cli
