// Recording into awdit's binary files: transactions gather in a Builder; every
// few thousand, and whenever the recorder flushes, they become a block.
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "format/awdit_blocks.h"
#include "format/rows.h"
#include "history/builder.h"

namespace awdit {
namespace {

class AwditRecording final : public Recording {
 public:
  AwditRecording(Sink& sink, const RecordingOptions& options)
      : sink_(sink), clock_(options.clock), domain_(options.clock_domain) {
    if (options.initial_value) {
      initial_ = options.initial_value;
      initial_text_ = std::string(options.initial_value->text);
    }
    append_file_header(sink_);
  }
  ~AwditRecording() override { close_block(); }

  void add(const Record& record) override {
    // A block has ids, or it has none.
    if (txns_ != 0 && ids_ != record.id.has_value()) close_block();
    if (txns_ == 0) open_block(record.id.has_value());
    ++txns_;
    shard_->select(atom(record.session),
                   record.id.value_or(std::int64_t{txns_}), record.status);
    if (record.times) shard_->times(record.times->begin, record.times->end);
    if (record.ticks) shard_->ticks(record.ticks->begin, record.ticks->end);
    if (!record.node.empty()) shard_->node(builder_->string(record.node));
    if (!record.meta.empty()) shard_->meta(builder_->string(record.meta));
    for (const Record::Op& op : record.ops) add(op);
    if (txns_ >= kMostTxns || size_ >= kMostValues) close_block();
  }

  void about(std::string_view json) override {
    if (txns_ != 0) close_block();
    open_block(true);
    builder_->about(std::string(json));
    about_ = true;
    close_block();
  }

  void flush() override {
    close_block();
    sink_.flush();
  }

 private:
  static constexpr std::uint32_t kMostTxns = 4096;
  static constexpr std::size_t kMostValues = std::size_t{1} << 17;

  Atom atom(const Term& term) {
    return term.atom.kind == Atom::Kind::string ? builder_->string(term.text)
                                                : term.atom;
  }

  void add(const Record::Op& op) {
    ++size_;
    list_.clear();
    for (const Term& element : op.list) list_.push_back(atom(element));
    size_ += list_.size();
    const Atom value =
        op.kind == OpKind::read_list ? Atom::nil() : atom(op.value);
    shard_->operation(op.kind, atom(op.key), value, list_);
  }

  void open_block(bool ids) {
    ids_ = ids;
    builder_.emplace(Builder::Options{
        .initial_value = std::nullopt, .labels_are_ids = ids, .clock = clock_});
    if (initial_) {
      initial_->text = initial_text_;
      builder_->set_initial_value(atom(*initial_));
    }
    shard_ = &builder_->add_shard();
    if (!domain_.empty()) {
      shard_->clock_domain_of_all(builder_->string(domain_));
    }
  }

  void close_block() {
    if (txns_ == 0 && !about_) return;
    about_ = false;
    const Result<History> history = builder_->finish(1);
    // A block is far too small to exceed the model.
    AWDIT_ASSERT(history.has_value());
    append_block(AwditBlock::part, *history, txns_, sink_);
    builder_.reset();
    txns_ = 0;
    size_ = 0;
  }

  Sink& sink_;
  Clock clock_;
  std::string domain_;
  std::optional<Term> initial_;
  std::string initial_text_;
  std::optional<Builder> builder_;
  Builder::Shard* shard_ = nullptr;
  bool ids_ = false;
  bool about_ = false;      // the block says something about the whole
  std::uint32_t txns_ = 0;  // in the block
  std::size_t size_ = 0;    // operations and elements in the block
  std::vector<Atom> list_;
};

}  // namespace

std::unique_ptr<Recording> record_awdit(Sink& sink,
                                        const RecordingOptions& options) {
  return std::make_unique<AwditRecording>(sink, options);
}

}  // namespace awdit
