// awdit convert: read, fit, write. What the target cannot hold is named on
// standard error; with --lossless it is an error, and nothing is written.
#include "convert/convert.h"

#include <fmt/format.h>

#include <memory>
#include <optional>

#include "cli/atomic_file.h"
#include "cli/command.h"
#include "cli/destination.h"
#include "cli/from_to.h"
#include "cli/help_text.h"
#include "cli/outputs.h"
#include "cli/progress.h"
#include "cli/values.h"

namespace awdit::cli {
namespace {

std::string convert_footer() {
  std::vector<std::pair<std::string_view, std::string>> targets;
  for (const Format& format : formats()) {
    if (format.write == nullptr) continue;
    targets.emplace_back(format.name, format.extension);
  }
  return fmt::format(
      "Formats that can be written, and how the names of their files end:\n"
      "{}\n"
      "Output whose name ends in .gz, .xz or .zst is compressed. Several "
      "inputs are one\nhistory, such as the logs of several clients. Whatever "
      "the target cannot hold is\nnamed on standard error. An existing file is "
      "replaced once the new one is complete,\nbut an input never is; a "
      "directory must be new or empty.\n\n"
      "Examples:\n"
      "  awdit convert history.edn history.awdit\n"
      "  awdit convert --to plume --mapping names.jsonl history.edn out.txt\n"
      "  awdit convert --lossless logs/ history.jsonl.zst\n\n"
      "Exit codes:\n"
      "  0  written\n"
      "  2  usage, input or output error, or a loss under --lossless: nothing\n"
      "     is written",
      two_columns(targets));
}

class Convert : public Task {
 public:
  explicit Convert(Grammar& grammar) {
    ends_.add_paths(grammar);
    ends_.add_formats(grammar, "Default: by the name of the output");
    grammar.flag("--lossless", "Fail if the target cannot hold everything",
                 lossless_);
    grammar.option("--mapping", "FILE",
                   "Write the new numbers of sessions, keys and values here",
                   mapping_);
    add_quiet(grammar, false);
    add_threads(grammar, threads_);
    grammar.footer(convert_footer);
  }

  Wrong settle() override {
    if (Wrong wrong = ends_.settle()) return wrong;
    if (ends_.to == nullptr) {
      return Misuse{fmt::format(
          "the name '{}' does not say which format to write: use --to",
          ends_.out)};
    }
    return unless_apart({ends_.out, mapping_});
  }

  Result<Exit> run(Output& out) override {
    Progress progress;
    const std::string name = joined_name(ends_.paths);
    std::optional<AtomicFile> mapping_file;
    if (!mapping_.empty()) {
      Result<AtomicFile> file =
          AtomicFile::create(mapping_, "the mapping", ends_.paths);
      if (!file) return std::move(file.error());
      mapping_file.emplace(std::move(*file));
    }
    Result<std::unique_ptr<Destination>> destination =
        open_destination(ends_.out, *ends_.to, ends_.paths, out);
    if (!destination) return std::move(destination.error());

    progress.stage("reading", name);
    Result<Loaded> loaded = read_history(ends_.paths, ends_.from, threads_,
                                         {.work = &current_work()});
    if (!loaded) return std::move(loaded.error());
    progress.stage("fitting", name);
    std::optional<Sink> mapping;
    FitOptions options{.threads = threads_};
    if (mapping_file) {
      mapping.emplace(
          [&](std::string_view bytes) { return mapping_file->write(bytes); });
      options.mapping = &*mapping;
    }
    Result<Fitted> fitted = fit(std::move(loaded->history), *ends_.to, options);
    if (!fitted) return placed_in(name, std::move(fitted.error()));
    if (!fitted->losses.empty() && lossless_) {
      return would_lose(name, fitted->losses);
    }
    progress.stage("writing", output_name(ends_.out));
    if (Outcome failed = write_history(fitted->history, *ends_.to,
                                       **destination, threads_)) {
      return std::move(*failed);
    }
    if (mapping_file) {
      mapping->flush();
      if (Outcome failed = mapping_file->commit()) return std::move(*failed);
    }
    progress.clear();
    print_warnings(name, fitted->history);
    print_losses(name, *ends_.to, fitted->losses);
    return Exit::ok;
  }

  Error out_of_memory() const override {
    return too_large(joined_name(ends_.paths));
  }

 private:
  Error would_lose(const std::string& name,
                   const std::vector<std::string>& losses) const {
    Error error{
        .where = name,
        .message = fmt::format("{} cannot hold everything; this would be lost:",
                               ends_.to->name),
        .hint =
            "Nothing was written. Convert to awdit-jsonl or awdit, "
            "which hold everything, or leave out --lossless."};
    for (const std::string& loss : losses) {
      error.excerpt += "    " + loss + "\n";
    }
    return error;
  }

  FromTo ends_;
  bool lossless_ = false;
  std::string mapping_;  // empty: none
  unsigned threads_ = 1;
};

}  // namespace

const Command kConvertCommand = {"convert", "Write a history in another format",
                                 make<Convert>};

}  // namespace awdit::cli
