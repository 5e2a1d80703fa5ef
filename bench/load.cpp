// Reads a history as the tool does, and nothing more: what bench/run times
// against md5sum of the same bytes.
//
//   load PATH [THREADS]
#include <cstdio>
#include <cstdlib>
#include <string>

#include "format/format.h"

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fputs("usage: load PATH [THREADS]\n", stderr);
    return 2;
  }
  const unsigned threads =
      argc > 2 ? static_cast<unsigned>(std::atoi(argv[2])) : 1;
  const awdit::Result<awdit::Loaded> loaded =
      awdit::read_history(std::string(argv[1]), nullptr, threads);
  if (!loaded) {
    std::fputs(to_string(loaded.error()).c_str(), stderr);
    return 2;
  }
  std::printf("%s: %u operations\n", std::string(loaded->format->name).c_str(),
              loaded->history.num_ops());
  return 0;
}
