# What nearly every file includes is parsed once and not some hundred times:
# half of the time of a build goes there.
#
# awdit_precompile(TARGET what) lets a target use one of these:
#   gtest     for tests: <gtest/gtest.h>, and the standard library
#   standard  for the rest, in builds for developers. What ./quickstart builds is
#             compiled plainly, and so is everything with AWDIT_PRECOMPILE=OFF, as
#             ./runtests does at night: that proves that files include what they
#             need, which tests/layers relies on.
#   asserting the same, of a standard library that checks indices
# A target whose code is optimised otherwise than the preset says (see
# awdit_light) cannot share the parsed text: the compiler would refuse it.
option(AWDIT_PRECOMPILE "Parse headers that all files include only once" ON)

function(awdit_precompile target what)
  if(NOT AWDIT_PRECOMPILE OR (NOT what STREQUAL "gtest" AND NOT AWDIT_DEVELOPER))
    return()
  endif()
  get_target_property(light ${target} AWDIT_LIGHT)
  set(parsed awdit_parsed_${what})
  if(light)
    string(APPEND parsed _light)
  endif()
  if(NOT TARGET ${parsed})
    set(nothing ${PROJECT_BINARY_DIR}/${parsed}.cpp)
    file(CONFIGURE OUTPUT ${nothing} CONTENT "// Only its headers matter.\n")
    add_library(${parsed} OBJECT ${nothing})
    target_link_libraries(${parsed} PRIVATE awdit_flags fmt::fmt)
    set(headers)
    if(what STREQUAL "gtest")
      target_link_libraries(${parsed} PRIVATE GTest::gtest)
      list(APPEND headers <gtest/gtest.h>)
    endif()
    if(AWDIT_DEVELOPER)
      # Not <filesystem>: it brings std::quoted into calls of our own.
      list(APPEND headers
        <algorithm> <array> <atomic> <bit> <charconv> <chrono> <cstddef>
        <cstdint> <cstring> <functional> <map> <memory> <mutex> <new> <numeric>
        <optional> <set> <span> <string> <string_view> <system_error> <thread>
        <tuple> <unordered_map> <utility> <vector> <fmt/format.h>)
    endif()
    if(what STREQUAL "asserting")
      target_compile_definitions(${parsed} PRIVATE _GLIBCXX_ASSERTIONS)
    endif()
    if(light)
      awdit_light(${parsed})
    endif()
    # For ccache: it may look at the text, and need not look at the clock.
    if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
      target_compile_options(${parsed} PRIVATE
        "SHELL:-Xclang -fno-pch-timestamp")
    endif()
    target_precompile_headers(${parsed} PRIVATE ${headers})
  endif()
  # g++ 12 forgets that parsed text comes from the system, and warns of what it
  # imagines there.
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE
      -Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread)
  endif()
  # The macros of fmt must be the same as in the parsed text.
  target_link_libraries(${target} PRIVATE fmt::fmt)
  target_precompile_headers(${target} REUSE_FROM ${parsed})
endfunction()

# awdit_light(TARGET): tests that compute little need not be optimised for
# long; what they test is. With AddressSanitizer, not at all: that halves their
# time. ThreadSanitizer builds few of them, and they would run a third longer.
function(awdit_light target)
  if(AWDIT_SANITIZE MATCHES thread)
    return()
  elseif(AWDIT_SANITIZE)
    target_compile_options(${target} PRIVATE -O0)
  else()
    target_compile_options(${target} PRIVATE -O1)
  endif()
  set_target_properties(${target} PROPERTIES AWDIT_LIGHT ON)
endfunction()
