# awdit_module(NAME name DEPENDS module... SOURCES file... LINK library...)
#
# Builds src/<name> as one static library. DEPENDS is the only record of which
# module may use which: tests/layers reads the includes and holds them against
# it. LINK names third-party libraries, which only .cpp files may include.
function(awdit_module)
  cmake_parse_arguments(M "" "NAME" "DEPENDS;SOURCES;LINK" ${ARGN})
  add_library(awdit_${M_NAME} STATIC ${M_SOURCES})
  target_include_directories(awdit_${M_NAME} PUBLIC ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(awdit_${M_NAME} PUBLIC awdit_flags)
  foreach(dependency IN LISTS M_DEPENDS)
    target_link_libraries(awdit_${M_NAME} PUBLIC awdit_${dependency})
  endforeach()
  target_link_libraries(awdit_${M_NAME} PRIVATE ${M_LINK})
  awdit_precompile(awdit_${M_NAME} standard)
endfunction()
