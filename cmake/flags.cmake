# One INTERFACE target carries every compiler flag: warnings, sanitizers and the
# machine policy (none: the binary must run on any x86-64, so wider instructions
# are chosen at run time, function by function).
add_library(awdit_flags INTERFACE)
target_compile_options(awdit_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion)
# g++ 12 sees overlapping copies in `"x" + std::string` (its bug 105651).
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(awdit_flags INTERFACE -Wno-restrict)
endif()
if(AWDIT_WERROR)
  target_compile_options(awdit_flags INTERFACE -Werror)
endif()
if(AWDIT_SANITIZE)
  target_compile_options(awdit_flags INTERFACE
    -fsanitize=${AWDIT_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  # clang 14 cannot assemble coroutines with the check of function pointers'
  # types: "Cannot represent a difference across sections".
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    target_compile_options(awdit_flags INTERFACE -fno-sanitize=function)
  endif()
  target_link_options(awdit_flags INTERFACE -fsanitize=${AWDIT_SANITIZE})
endif()
# Every file reports its coverage to the fuzzer; only its targets link it.
if(AWDIT_FUZZ)
  target_compile_options(awdit_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()
# AWDIT_ASSERT is on wherever our own mistakes should be loud.
if(AWDIT_DEVELOPER_CHECKS OR AWDIT_SANITIZE OR AWDIT_FUZZ OR CMAKE_BUILD_TYPE STREQUAL "Debug")
  target_compile_definitions(awdit_flags INTERFACE AWDIT_CHECKED)
endif()
