// The C ABI of include/awdit/awdit.h: handles around values, errors as handles,
// and nothing decided that library does not decide. Front door, and nobody's
// but the shared library's: C++ of this tree calls the modules themselves.
//
// What every function does the same way is in failure.h: nothing is thrown, and
// whatever goes wrong becomes a status and an error. What takes long runs as
// watch.h says: with a Work of its own, so that calls do not know each other.
#pragma once

#include "awdit/awdit.h"
