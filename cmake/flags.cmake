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
# The executable, its drivers and the shared library are made of the same
# objects: code that may lie anywhere. No slower than code of an executable
# alone, as nobody may replace our functions: docs/library.md has the figures.
# What can be seen from outside is for linking to say: awdit_* of the library
# (src/abi/exported.map), what drivers need of the program (src/driver/lent.list).
target_compile_options(awdit_flags INTERFACE
  -fPIC -fno-semantic-interposition -fvisibility-inlines-hidden)
# What reports its coverage to the fuzzer, so that it is guided there: the
# modules that take input apart (FUZZED), at night all of them. Reporting makes
# everything half as slow again, the other tests of the build included.
set(AWDIT_COVERAGE
  -fsanitize-coverage=inline-8bit-counters,indirect-calls,trace-cmp,pc-table)
if(AWDIT_FUZZ_ALL)
  target_compile_options(awdit_flags INTERFACE ${AWDIT_COVERAGE})
endif()
# AWDIT_ASSERT is on wherever our own mistakes should be loud: in the presets debug
# and tsan. The release preset builds and tests what is shipped.
if(AWDIT_SANITIZE OR AWDIT_FUZZ OR CMAKE_BUILD_TYPE STREQUAL "Debug")
  target_compile_definitions(awdit_flags INTERFACE AWDIT_CHECKED)
endif()
# What makes a mistake of ours harder to exploit; tests/cli/test_hardening.py
# reads it off the binary. Sanitizers find the same and more, and do not go along
# with _FORTIFY_SOURCE. (_GLIBCXX_ASSERTIONS: see cmake/module.cmake.)
if(AWDIT_SANITIZE OR AWDIT_FUZZ)
  set(AWDIT_HARDEN OFF)
endif()
if(AWDIT_HARDEN)
  include(CheckCXXCompilerFlag)
  target_compile_options(awdit_flags INTERFACE -fstack-protector-strong)
  # Of use to optimised code only. Some compilers set it by themselves.
  target_compile_options(awdit_flags INTERFACE
    "$<$<NOT:$<CONFIG:Debug>>:-U_FORTIFY_SOURCE;-D_FORTIFY_SOURCE=2>")
  target_link_options(awdit_flags INTERFACE
    $<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:-pie>
    -Wl,-z,relro -Wl,-z,now -Wl,-z,noexecstack)
  check_cxx_compiler_flag(-fcf-protection=full AWDIT_HAS_CET)
  if(AWDIT_HAS_CET)
    target_compile_options(awdit_flags INTERFACE -fcf-protection=full)
  endif()
endif()
