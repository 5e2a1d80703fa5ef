# The Python package beside the library, as Debian's Python looks for it in /usr;
# elsewhere PYTHONPATH names lib/python3/dist-packages of the prefix. It finds the
# library of its own prefix. `pip install ./python` is the other way.
#
# The .dist-info is what pytest finds the fixture by; pyproject.toml says the same
# to pip, and tests/python compares the two.
set(python_dir lib/python3/dist-packages)
set(dist_info ${PROJECT_BINARY_DIR}/python/awdit-${PROJECT_VERSION}.dist-info)
file(CONFIGURE OUTPUT ${dist_info}/METADATA CONTENT
"Metadata-Version: 2.1
Name: awdit
Version: ${PROJECT_VERSION}
Summary: ${PROJECT_DESCRIPTION}
License: MIT
Requires-Python: >=3.11
")
file(CONFIGURE OUTPUT ${dist_info}/entry_points.txt CONTENT
"[pytest11]
awdit = awdit.pytest_plugin
")
install(DIRECTORY ${PROJECT_SOURCE_DIR}/python/awdit DESTINATION ${python_dir}
  FILES_MATCHING PATTERN "*.py" PATTERN "py.typed"
  PATTERN "__pycache__" EXCLUDE)
install(DIRECTORY ${dist_info} DESTINATION ${python_dir})
