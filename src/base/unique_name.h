// Names that nobody else has: six letters and digits, drawn by the kernel.
#pragma once

#include <string>

namespace awdit {

// As mkstemp would put in the place of XXXXXX. Somebody may have the name
// nevertheless: create exclusively, and draw again.
std::string unique_suffix();

// As many random bytes, in hexadecimal: a secret for a run.
std::string random_token(unsigned bytes);

}  // namespace awdit
