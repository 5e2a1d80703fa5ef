// AWDIT_ASSERT states what must hold if our own code is right; it never judges
// input. It is on in the presets debug and tsan (cmake/flags.cmake) and compiles
// to nothing in release builds, whose tests test what is shipped.
#pragma once

#ifdef AWDIT_CHECKED
#include <cstdio>
#include <cstdlib>
#define AWDIT_ASSERT(condition)                                         \
  ((condition) ? void(0)                                                \
               : (std::fprintf(stderr, "%s:%d: assertion failed: %s\n", \
                               __FILE__, __LINE__, #condition),         \
                  std::abort()))
#else
#define AWDIT_ASSERT(condition) void(sizeof(!(condition)))
#endif
