// Where a history is written: standard output, a file, a compressed file, or a
// directory of files. Files and directories appear whole or not at all.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/console.h"
#include "format/format.h"

namespace awdit::cli {

class Destination {
 public:
  virtual ~Destination() = default;
  // For Format::write.
  virtual Sink& new_file(std::string_view name) = 0;
  // Puts everything in place. To be called once, after the last byte.
  virtual Outcome commit() = 0;
};

// "-" is standard output; a name that ends in .gz, .xz or .zst is compressed.
// Fails if it could not be written later. `never` are the inputs.
Result<std::unique_ptr<Destination>> open_destination(
    const std::string& path, const Format& format,
    std::span<const std::string> never, Output& out);

// Writes the whole history and puts it in place. REQUIRES: it fits.
Outcome write_history(const History& history, const Format& format,
                      Destination& destination, unsigned threads);

// Says what the format could not hold of what is called `name`.
void print_losses(const std::string& name, const Format& format,
                  const std::vector<std::string>& losses);

}  // namespace awdit::cli
