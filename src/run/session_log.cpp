#include "run/session_log.h"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "base/assert.h"
#include "base/json.h"
#include "base/table.h"
#include "run/run.h"
#include "run/write_ids.h"

namespace awdit {
namespace {

const Format& recording_format() {
  const Format* const format = find_row(formats(), "awdit-jsonl");
  AWDIT_ASSERT(format != nullptr && format->record != nullptr);
  return *format;
}

Atom atom_of(WriteId id) {
  return id == 0 ? Atom::nil() : Atom::integer(value_of(id));
}

}  // namespace

std::int64_t value_of(WriteId id) {
  constexpr std::int64_t kSessions = 100000;
  static_assert(kSessions > kMaxSession);
  return std::int64_t{count_of(id)} * kSessions + session_of(id);
}

Result<std::unique_ptr<SessionLog>> SessionLog::create(
    const std::string& path, Clock clock, std::string_view domain) {
  const RecordingOptions options{.clock = clock, .clock_domain = domain};
  std::string head;
  {
    Sink sink(head);
    recording_format().record(sink, options);
  }
  Result<std::unique_ptr<RecordingFile>> file =
      RecordingFile::create(path, head);
  if (!file) return std::move(file.error());
  std::unique_ptr<SessionLog> log(new SessionLog());
  log->file_ = std::move(*file);
  // The recording begins with the head, which is there already.
  log->sink_ =
      std::make_unique<Sink>([file = log->file_.get(), skip = head.size()](
                                 std::string_view bytes) mutable {
        const std::size_t known = std::min(skip, bytes.size());
        skip -= known;
        return file->append(bytes.substr(known));
      });
  log->recording_ = recording_format().record(*log->sink_, options);
  return log;
}

void SessionLog::begin(std::uint32_t session, std::int64_t time,
                       std::string_view node, std::string_view label) {
  session_ = session;
  begin_ = time;
  node_ = node;
  label_ = label;
  clear();
}

void SessionLog::clear() {
  keys_.clear();
  key_of_.clear();
  ops_.clear();
  elements_.clear();
  lists_.clear();
}

void SessionLog::add(OpKind kind, std::string_view key, Atom value) {
  key_of_.push_back({keys_.size(), key.size()});
  keys_ += key;
  lists_.push_back(elements_.size());
  ops_.push_back(
      {.kind = kind, .key = {{0, Atom::Kind::string}}, .value = {value}});
}

void SessionLog::read(std::string_view key, std::optional<WriteId> id) {
  add(OpKind::read, key, id ? atom_of(*id) : Atom::absent());
}

void SessionLog::write(bool append, std::string_view key, WriteId id) {
  add(append ? OpKind::append : OpKind::write, key, atom_of(id));
}

void SessionLog::read_list(std::string_view key, std::span<const WriteId> ids) {
  add(OpKind::read_list, key, Atom::nil());
  for (const WriteId id : ids) elements_.push_back({atom_of(id)});
}

Record SessionLog::record() {
  for (std::size_t i = 0; i < ops_.size(); ++i) {
    ops_[i].key.text =
        std::string_view(keys_).substr(key_of_[i].begin, key_of_[i].size);
    if (ops_[i].kind != OpKind::read_list) continue;
    const std::size_t end =
        i + 1 < lists_.size() ? lists_[i + 1] : elements_.size();
    ops_[i].list = std::span(elements_).subspan(lists_[i], end - lists_[i]);
  }
  return {.session = {Atom::integer(session_)},
          .times = History::Times{begin_, kNoTime},
          .node = node_,
          .ops = ops_};
}

void SessionLog::announce() {
  announced_ = file_->size();
  recording_->announce(record());
  recording_->flush();
}

void SessionLog::retract() {
  recording_->retract();
  file_->cut(announced_);
  clear();
}

void SessionLog::end(Status status, std::int64_t time, std::string_view code) {
  Record whole = record();
  whole.status = status;
  whole.times->end = time;
  std::string meta = "{\"type\":" + json_string(label_);
  if (!code.empty()) meta += ",\"error\":" + json_string(code);
  meta += '}';
  whole.meta = meta;
  recording_->add(whole);
  recording_->flush();
}

void SessionLog::about(std::string_view json) {
  recording_->about(json);
  recording_->flush();
}

Outcome SessionLog::close() {
  recording_.reset();
  sink_.reset();
  return file_->close();
}

}  // namespace awdit
