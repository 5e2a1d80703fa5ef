# Writes STAMP, a source file that knows what FILES hold and HOW they are compiled:
# src/driver/loaded.h.
set(all "${HOW}")
foreach(file IN LISTS FILES)
  file(SHA256 ${file} hash)
  string(APPEND all " ${hash}")
endforeach()
string(SHA256 hash "${all}")
file(CONFIGURE OUTPUT ${STAMP} CONTENT "// Written by cmake/stamp.cmake.
extern \"C\" const char awdit_stamp[];
extern \"C\" const char awdit_stamp[] = \"${hash}\";
")
