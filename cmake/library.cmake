# libawdit.so.1 and libawdit.a, made of the same objects as the executable, and
# what others need to find them: headers, awdit.pc and the package awdit::awdit.
#
# Our flags and macros reach nobody: what is exported names a file and a folder
# of headers. Of the shared library only awdit_* can be seen (abi/exported.map);
# the archive holds all modules, so that one file is enough.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/libawdit.cpp
  CONTENT "// All of it comes from src/abi.\n")
add_library(awdit_shared SHARED ${PROJECT_BINARY_DIR}/libawdit.cpp)
set(exported ${PROJECT_SOURCE_DIR}/src/abi/exported.map)
target_link_libraries(awdit_shared PRIVATE
  $<LINK_LIBRARY:WHOLE_ARCHIVE,awdit_abi>
  -Wl,--version-script=${exported} -Wl,-z,defs)
target_include_directories(awdit_shared INTERFACE
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
  $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
set_target_properties(awdit_shared PROPERTIES
  OUTPUT_NAME awdit VERSION 1.0.0 SOVERSION 1 EXPORT_NAME awdit
  LINK_DEPENDS ${exported})

set(modules abi)
get_property(reached TARGET awdit_abi PROPERTY AWDIT_REACHES)
list(APPEND modules ${reached})
list(REMOVE_DUPLICATES modules)
set(archive ${PROJECT_BINARY_DIR}/libawdit.a)
set(script "create ${archive}\n")
set(archived)
foreach(module IN LISTS modules)
  string(APPEND script "addlib $<TARGET_FILE:awdit_${module}>\n")
  list(APPEND archived awdit_${module})
endforeach()
file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/libawdit.mri
  CONTENT "${script}save\nend\n")
add_custom_command(OUTPUT ${archive}
  COMMAND ${CMAKE_COMMAND} -E rm -f ${archive}
  COMMAND ${CMAKE_AR} -M < ${PROJECT_BINARY_DIR}/libawdit.mri
  DEPENDS ${archived} ${PROJECT_BINARY_DIR}/libawdit.mri
  COMMENT "Putting libawdit.a together" VERBATIM)
add_custom_target(awdit_archive ALL DEPENDS ${archive})

# What the archive needs besides.
set(AWDIT_PRIVATE_LIBRARIES fmt simdjson xxhash stdc++ m pthread dl)
list(TRANSFORM AWDIT_PRIVATE_LIBRARIES PREPEND -l OUTPUT_VARIABLE private)
list(JOIN private " " AWDIT_PRIVATE_LIBS)

# Wherever the whole tree is put, it is found from where the file lies.
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/awdit)
set(pkgconfig_dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH AWDIT_PREFIX_FROM_PC
  /prefix/${pkgconfig_dir} /prefix)
configure_file(${CMAKE_CURRENT_LIST_DIR}/awdit.pc.in
  ${PROJECT_BINARY_DIR}/awdit.pc @ONLY)
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/awditConfig.cmake.in
  ${PROJECT_BINARY_DIR}/awditConfig.cmake INSTALL_DESTINATION ${package_dir}
  PATH_VARS CMAKE_INSTALL_INCLUDEDIR CMAKE_INSTALL_LIBDIR)
write_basic_package_version_file(
  ${PROJECT_BINARY_DIR}/awditConfigVersion.cmake
  COMPATIBILITY SameMajorVersion)

install(TARGETS awdit_shared EXPORT awditTargets)
install(FILES ${archive} DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/awdit
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT awditTargets NAMESPACE awdit:: DESTINATION ${package_dir})
install(FILES ${PROJECT_BINARY_DIR}/awditConfig.cmake
  ${PROJECT_BINARY_DIR}/awditConfigVersion.cmake DESTINATION ${package_dir})
install(FILES ${PROJECT_BINARY_DIR}/awdit.pc DESTINATION ${pkgconfig_dir})
