# awdit_module([FUZZED] NAME name DEPENDS module... SOURCES file... LINK library...)
#
# Builds src/<name> as one static library. DEPENDS is the only record of which
# module may use which: tests/layers reads the includes and holds them against
# it. LINK names third-party libraries, which only .cpp files may include.
# NEVER names modules that it must not reach, not even by way of others.
# FUZZED: it takes apart what strangers give us, and guides the fuzzer.
function(awdit_module)
  cmake_parse_arguments(M "FUZZED" "NAME" "DEPENDS;SOURCES;LINK;NEVER" ${ARGN})
  add_library(awdit_${M_NAME} STATIC ${M_SOURCES})
  target_include_directories(awdit_${M_NAME} PUBLIC ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(awdit_${M_NAME} PUBLIC awdit_flags)
  foreach(dependency IN LISTS M_DEPENDS)
    target_link_libraries(awdit_${M_NAME} PUBLIC awdit_${dependency})
  endforeach()
  target_link_libraries(awdit_${M_NAME} PRIVATE ${M_LINK})
  set(reached ${M_DEPENDS})
  foreach(dependency IN LISTS M_DEPENDS)
    get_property(further TARGET awdit_${dependency} PROPERTY AWDIT_REACHES)
    list(APPEND reached ${further})
  endforeach()
  set_property(TARGET awdit_${M_NAME} PROPERTY AWDIT_REACHES ${reached})
  foreach(forbidden IN LISTS M_NEVER)
    if(forbidden IN_LIST reached)
      message(FATAL_ERROR "src/${M_NAME} must not depend on ${forbidden}")
    endif()
  endforeach()
  if(M_FUZZED AND AWDIT_FUZZ)
    target_compile_options(awdit_${M_NAME} PRIVATE ${AWDIT_COVERAGE})
  endif()
  # The standard library checks indices and iterators, but not in loops over
  # operations: with these checks all flags together cost a tenth more
  # instructions in reading and a fifth in checking. Nor in tests' own code.
  set(hot base history format graph polygraph check)
  if(AWDIT_HARDEN AND NOT M_NAME IN_LIST hot)
    target_compile_definitions(awdit_${M_NAME} PRIVATE _GLIBCXX_ASSERTIONS)
    awdit_precompile(awdit_${M_NAME} asserting)
  else()
    awdit_precompile(awdit_${M_NAME} standard)
  endif()
endfunction()
