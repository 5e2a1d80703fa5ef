// What a path holds: one file, or the files of a directory or an archive, all
// unpacked. Private to format/.
//
// Compressed data is recognised by its first bytes, never by a name. Unpacking
// streams: unpacked bytes grow in place, no more than are in proportion to the
// packed ones and to the memory there is, and only while they may be a history.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/input.h"
#include "base/result.h"

namespace awdit {

struct Container {
  std::string name;          // the path as given, or "<stdin>"
  std::vector<Input> files;  // by name, numbers in names by value
  bool many = false;         // a directory or an archive
};

struct ContainerOptions {
  // Whether what begins like this may be a history; nullptr: it is said to be.
  bool (*plausible)(std::string_view head) = nullptr;
  // See Input::Options.
  bool regular_only = false;
  bool may_map = true;
  Work* work = nullptr;
};

Result<Container> open_container(const std::string& path,
                                 const ContainerOptions& options);

// The same of bytes that are already in memory.
Result<Container> open_container(Buffer bytes, std::string name,
                                 const ContainerOptions& options);

// Whether a file called `a` comes before `b`: T2.log before T10.log.
bool natural_less(std::string_view a, std::string_view b);

}  // namespace awdit
