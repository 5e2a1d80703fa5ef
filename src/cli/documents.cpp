#include "cli/documents.h"

#include <unistd.h>

#include <algorithm>
#include <optional>

#include "cli/atomic_file.h"

namespace awdit::cli {

ReportOptions shown_as(ReportOptions options) {
  options.colour = wants_colour();
  options.blocks = wants_blocks();
  options.width = terminal_width(STDOUT_FILENO);
  return options;
}

// Bytes go from the writer to the sink and from there to the file, or, where
// there is none, to standard output.
struct Documents::Document {
  std::optional<AtomicFile> file;
  std::optional<Sink> sink;
  std::unique_ptr<ReportWriter> writer;
};

Documents::Documents(Output& out) : out_(out) {}
Documents::Documents(Documents&&) noexcept = default;
Documents::~Documents() = default;

Result<Documents> Documents::open(const DocumentsPlan& plan,
                                  std::span<const std::string> never,
                                  Output& out) {
  Documents result(out);
  for (const DocumentsPlan::File& file : plan.files) {
    Result<AtomicFile> target =
        AtomicFile::create(file.path, "the report", never);
    if (!target) return std::move(target.error());
    auto document = std::make_unique<Document>();
    document->file.emplace(std::move(*target));
    document->sink.emplace([to = &*document->file](std::string_view bytes) {
      return to->write(bytes);
    });
    document->writer = file.report->open(plan.options, *document->sink);
    result.documents_.push_back(std::move(document));
  }
  if (plan.quiet) return result;
  auto shown = std::make_unique<Document>();
  shown->sink.emplace(
      [&out](std::string_view bytes) { return out.write(bytes); });
  ReportOptions options = shown_as(plan.options);
  options.errors_told = !options.several;
  for (const DocumentsPlan::File& file : plan.files) {
    options.paged = options.paged || file.report->name == "html";
  }
  shown->writer = plan.output->open(options, *shown->sink);
  result.documents_.push_back(std::move(shown));
  return result;
}

void Documents::add(const Subject& subject, const Report& report) {
  // Made once, for whichever of them shows the most.
  std::uint32_t groups = 0;
  for (const auto& document : documents_) {
    groups = std::max(groups, document->writer->groups());
  }
  const Stories told = stories(subject.history, report, groups);
  for (const auto& document : documents_) {
    document->writer->add(subject, told);
    document->sink->flush();
  }
}

void Documents::add_error(std::string_view path, const Error& error) {
  for (const auto& document : documents_) {
    document->writer->add_error(path, error);
    document->sink->flush();
  }
}

bool Documents::closed() const {
  return out_.closed() && documents_.size() == 1 && !documents_[0]->file;
}

bool Documents::finish() {
  bool whole = true;
  for (const auto& document : documents_) {
    document->writer->end();
    document->sink->flush();
    if (!document->file) continue;
    if (const Outcome failed = document->file->commit()) {
      print_error(*failed);
      whole = false;
    }
  }
  return whole;
}

}  // namespace awdit::cli
