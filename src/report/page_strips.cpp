#include <algorithm>

#include "report/page.h"
#include "report/page_text.h"

namespace awdit {
namespace {

constexpr std::size_t kMostVersions = 12;  // of a key
constexpr std::size_t kMostKeys = 6;       // that get a strip
constexpr std::size_t kMostReaders = 8;    // of a version

class Writer {
 public:
  Writer(const PageFrame& frame, const Story& story,
         std::span<const TxnId> shown, JsonWriter& json)
      : frame_(frame),
        history_(frame.history),
        story_(story),
        shown_(shown),
        json_(json) {}

  void write() {
    json_.begin_array("versions");
    for (std::size_t i = 0; i < story_.keys.size() && i < kMostKeys; ++i) {
      const auto found = frame_.versions.find(story_.keys[i].v);
      if (found != frame_.versions.end()) strip(story_.keys[i], found->second);
    }
    json_.end_array();
  }

 private:
  bool is_shown(TxnId txn) const {
    return std::ranges::find(shown_, txn) != shown_.end();
  }
  const std::vector<Exhibit>& ops_of(TxnId txn) const {
    return std::ranges::find_if(story_.txns,
                                [&](const StoryTxn& t) { return t.txn == txn; })
        ->ops;
  }
  std::string txn_name(TxnId txn) const {
    return cut_name(history_.txn_name(txn));
  }

  // Whether some shown transaction has written or read this version.
  bool is_named(KeyId key, const Version& version) const {
    return (version.write.valid() &&
            is_shown(history_.txn_of(version.write))) ||
           !story_readers(key, version).empty();
  }

  std::vector<TxnId> story_readers(KeyId key, const Version& version) const {
    std::vector<TxnId> readers;
    for (const TxnId txn : shown_) {
      if (history_.is_init(txn)) continue;
      const std::vector<Exhibit>& ops = ops_of(txn);
      const bool reads = std::ranges::any_of(ops, [&](const Exhibit& exhibit) {
        if (history_.is_write(exhibit.op)) return false;
        if (history_.key(exhibit.op) != key) return false;
        const Atom value = history_.value(exhibit.op);
        return version.write.valid() ? value == history_.value(version.write)
                                     : history_.is_initial(value);
      });
      if (reads) readers.push_back(txn);
    }
    return readers;
  }

  // Those that the story is about, and their neighbours while there is room;
  // ascending by number.
  std::vector<const Version*> chosen(const KeyVersions& all,
                                     const std::vector<std::uint64_t>& named) {
    constexpr std::uint64_t kAround = 2;
    std::vector<const Version*> result;
    for (const bool neighbours : {false, true}) {
      for (const Version& version : all.versions) {
        if (result.size() == kMostVersions) break;
        const bool is_named = std::ranges::binary_search(named, version.number);
        const bool is_near =
            std::ranges::any_of(named, [&](std::uint64_t number) {
              return version.number + kAround >= number &&
                     version.number <= number + kAround;
            });
        if (neighbours ? is_near && !is_named : is_named) {
          result.push_back(&version);
        }
      }
    }
    std::ranges::sort(result, {}, &Version::number);
    return result;
  }

  // Whether `a` is certainly the older one: of the initial state, or because of
  // its session, or as the picture above the strip has it.
  bool comes_before(const Version& a, const Version& b) const {
    if (!a.write.valid() || !b.write.valid()) return !a.write.valid();
    const TxnId first = history_.txn_of(a.write);
    const TxnId second = history_.txn_of(b.write);
    if (history_.session(first) == history_.session(second)) {
      return a.write < b.write;
    }
    const auto one = std::ranges::find(shown_, first);
    const auto other = std::ranges::find(shown_, second);
    return one < other && other != shown_.end();
  }

  // Without times the input may have sessions one after the other: what the
  // picture shows from left to right is in that order here as well. Returns
  // whether that changes anything. (Few versions: quadratic.)
  bool put_in_order(std::vector<const Version*>& versions) const {
    bool changed = false;
    for (std::size_t i = 0; i < versions.size(); ++i) {
      const auto first = versions.begin() + static_cast<std::ptrdiff_t>(i);
      const auto next = std::find_if(first, versions.end(), [&](auto* it) {
        return std::none_of(first, versions.end(), [&](auto* other) {
          return other != it && comes_before(*other, *it);
        });
      });
      if (next == first || next == versions.end()) continue;
      std::rotate(first, next, next + 1);
      changed = true;
    }
    return changed;
  }

  void strip(KeyId key, const KeyVersions& all) {
    std::vector<std::uint64_t> named;
    for (const Version& version : all.versions) {
      if (is_named(key, version)) named.push_back(version.number);
    }
    std::vector<const Version*> versions = chosen(all, named);
    const bool changed = !all.by_time && put_in_order(versions);
    json_.begin_object();
    json_.field("key", cut(history_.key_label(key), kLabel));
    json_.field("total", all.total);
    json_.field("order", all.by_time ? "time" : changed ? "picture" : "input");
    json_.objects("shown", versions, [&](const Version* version) {
      write_version(key, *version, all.by_time,
                    std::ranges::binary_search(named, version->number));
    });
    json_.end_object();
  }

  void write_version(KeyId key, const Version& version, bool by_time,
                     bool is_named) {
    json_.field("number", version.number);
    if (version.write.valid()) {
      const TxnId writer = history_.txn_of(version.write);
      json_.field(
          "value",
          cut(history_.to_string(history_.value(version.write)), kLabel));
      json_.field("writer", txn_name(writer));
      json_.field("session",
                  cut_name(history_.session_name(history_.session(writer))));
      json_.field("status", name(history_.status(writer)));
      if (is_shown(writer)) json_.field("operation", version.write.v);
      if (by_time) {
        json_.field("time", time_text(history_.clock(), frame_.first_time,
                                      moment_of(history_, writer)));
      }
    } else {
      json_.field("value", initial_text(history_));
      json_.field("writer", "init");
      json_.field("status", "initial");
    }
    json_.field("named", is_named);
    std::vector<TxnId> readers = story_readers(key, version);
    for (const TxnId reader : version.readers) {
      if (std::ranges::find(readers, reader) == readers.end()) {
        readers.push_back(reader);
      }
    }
    const std::uint64_t total =
        std::max<std::uint64_t>(readers.size(), version.num_readers);
    const std::size_t named = std::min(readers.size(), kMostReaders);
    json_.array("readers", std::span(readers).first(named),
                [&](TxnId reader) { json_.value(txn_name(reader)); });
    if (total > named) json_.field("more_readers", total - named);
  }

  const PageFrame& frame_;
  const History& history_;
  const Story& story_;
  std::span<const TxnId> shown_;
  JsonWriter& json_;
};

}  // namespace

void write_strips(const PageFrame& frame, const Story& story,
                  std::span<const TxnId> shown, JsonWriter& json) {
  Writer(frame, story, shown, json).write();
}

}  // namespace awdit
