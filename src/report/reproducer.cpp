#include "report/reproducer.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "base/json.h"
#include "base/sink.h"
#include "base/utf8.h"

namespace awdit {
namespace {

bool is_natural(Atom atom) {
  return atom.kind == Atom::Kind::integer && atom.bits >> 63 == 0;
}

// What would hide or reorder the text around it becomes an escape of JSON,
// which means the same: outside of strings there is nothing of the kind.
std::string without_unseen(std::string_view json) {
  std::string result;
  while (!json.empty()) {
    const std::size_t size = std::max<std::size_t>(1, utf8_sequence(json));
    const std::string_view one = json.substr(0, size);
    json.remove_prefix(size);
    if (size == 1 || visible(one) == one) {
      result += one;
      continue;
    }
    const auto bits = [&](std::size_t i) { return one[i] & 0x3Fu; };
    std::uint32_t point =
        size == 2 ? (one[0] & 0x1Fu) << 6 | bits(1)
        : size == 3
            ? (one[0] & 0x0Fu) << 12 | bits(1) << 6 | bits(2)
            : (one[0] & 0x07u) << 18 | bits(1) << 12 | bits(2) << 6 | bits(3);
    if (point > 0xFFFF) {
      point -= 0x1'0000;
      result += fmt::format("\\u{:04x}", 0xD800 + (point >> 10));
      point = 0xDC00 + (point & 0x3FF);
    }
    result += fmt::format("\\u{:04x}", point);
  }
  return result;
}

struct Write {
  std::uint32_t key;
  Atom value;
  friend bool operator==(const Write&, const Write&) = default;
};
struct WriteHash {
  std::size_t operator()(const Write& write) const {
    std::uint64_t hash = write.value.bits * 0x9E37'79B9'7F4A'7C15u;
    hash ^= write.key * 0xC2B2'AE3D'27D4'EB4Fu;
    return hash ^ static_cast<std::uint64_t>(write.value.kind) ^ hash >> 31;
  }
};

class Extract {
 public:
  Extract(const History& history, const Story& story)
      : history_(history), story_(story) {
    for (const StoryTxn& txn : story.txns) txns_.push_back(&txn);
    // Sessions in their order; which of them comes first does not matter.
    std::sort(
        txns_.begin(), txns_.end(),
        [](const StoryTxn* a, const StoryTxn* b) { return a->txn < b->txn; });
    for (const StoryTxn* txn : txns_) {
      for (const Exhibit& exhibit : txn->ops) {
        if (history.is_write(exhibit.op)) {
          shown_.insert({history.key(exhibit.op).v, history.value(exhibit.op)});
        }
      }
    }
  }

  Reproducer write() const {
    std::string text;
    const bool fits = fits_plume();
    {
      Sink sink(text);
      if (fits) {
        write_plume(sink);
      } else {
        write_jsonl(sink);
      }
    }
    return {fits ? "plume" : "awdit-jsonl", without_unseen(text),
            is_complete()};
  }

 private:
  bool was_shown(KeyId key, Atom value) const {
    return history_.is_initial(value) || shown_.contains({key.v, value});
  }

  bool belongs(const Exhibit& exhibit) const {
    const OpId op = exhibit.op;
    const Violation& violation = story_.violation;
    if (history_.is_write(op) || op == violation.read ||
        op == violation.other || exhibit.source == Source::txn) {
      return true;
    }
    const KeyId key = history_.key(op);
    if (!history_.has_lists()) return was_shown(key, history_.value(op));
    for (std::size_t i = 0; i < history_.list_size(op); ++i) {
      if (!shown_.contains({key.v, history_.element(op, i)})) return false;
    }
    return true;
  }

  bool is_complete() const {
    const Violation& violation = story_.violation;
    for (const StoryTxn* txn : txns_) {
      for (const Exhibit& exhibit : txn->ops) {
        const OpId op = exhibit.op;
        if (history_.is_write(op) || !belongs(exhibit)) continue;
        const KeyId key = history_.key(op);
        const bool thin =
            op == violation.read && violation.kind == Kind::thin_air_read;
        if (!history_.has_lists()) {
          if (!thin && !was_shown(key, history_.value(op))) return false;
          continue;
        }
        for (std::size_t i = 0; i < history_.list_size(op); ++i) {
          if (thin && i == violation.element) continue;
          if (!shown_.contains({key.v, history_.element(op, i)})) return false;
        }
      }
    }
    return true;
  }

  bool fits_plume() const {
    if (history_.has_lists() || !history_.initial_value() ||
        *history_.initial_value() != Atom::integer(0)) {
      return false;
    }
    for (const StoryTxn* txn : txns_) {
      const auto label = history_.txn_label(txn->txn);
      if (!label || *label < 0 ||
          history_.status(txn->txn) != Status::committed ||
          !is_natural(history_.session_atom(history_.session(txn->txn)))) {
        return false;
      }
      for (const Exhibit& exhibit : txn->ops) {
        if (!is_natural(history_.key_atom(history_.key(exhibit.op))) ||
            !is_natural(history_.value(exhibit.op))) {
          return false;
        }
      }
    }
    return true;
  }

  void write_plume(Sink& sink) const {
    for (const StoryTxn* txn : txns_) {
      for (const Exhibit& exhibit : txn->ops) {
        if (!belongs(exhibit)) continue;
        const OpId op = exhibit.op;
        sink.append(
            fmt::format("{}({},{},{},{})\n", history_.is_write(op) ? 'w' : 'r',
                        history_.key_label(history_.key(op)),
                        history_.to_string(history_.value(op)),
                        history_.session_label(history_.session(txn->txn)),
                        *history_.txn_label(txn->txn)));
      }
    }
  }

  void write_jsonl(Sink& sink) const {
    {
      JsonWriter json(sink);
      json.begin_object();
      json.field("awdit", 1);
      json.key("initial");
      if (history_.initial_value()) {
        write_atom(json, *history_.initial_value());
      } else {
        json.value(false);
      }
      json.end_object();
      sink.append('\n');
    }
    for (const StoryTxn* txn : txns_) write_line(*txn, sink);
  }

  void write_line(const StoryTxn& txn, Sink& sink) const {
    JsonWriter json(sink);
    json.begin_object();
    json.key("session");
    write_atom(json, history_.session_atom(history_.session(txn.txn)));
    if (history_.has_ids()) {
      json.key("id");
      if (const auto label = history_.txn_label(txn.txn)) {
        json.value(*label);
      } else {
        json.null();
      }
    }
    if (history_.status(txn.txn) != Status::committed) {
      json.field("status", name(history_.status(txn.txn)));
    }
    json.key("ops");
    json.begin_array();
    for (const Exhibit& exhibit : txn.ops) {
      if (belongs(exhibit)) write_op(json, exhibit.op);
    }
    json.end_array();
    json.end_object();
    sink.append('\n');
  }

  void write_op(JsonWriter& json, OpId op) const {
    const bool lists = history_.has_lists();
    json.begin_array();
    json.value(!history_.is_write(op) ? "r" : lists ? "append" : "w");
    write_atom(json, history_.key_atom(history_.key(op)));
    if (lists && !history_.is_write(op)) {
      json.begin_array();
      for (std::size_t i = 0; i < history_.list_size(op); ++i) {
        write_atom(json, history_.element(op, i));
      }
      json.end_array();
    } else {
      write_atom(json, history_.value(op));
    }
    json.end_array();
  }

  void write_atom(JsonWriter& json, Atom atom) const {
    switch (atom.kind) {
      case Atom::Kind::integer:
        json.value(static_cast<std::int64_t>(atom.bits));
        break;
      case Atom::Kind::natural:
        json.value(atom.bits);
        break;
      case Atom::Kind::string:
        json.value(history_.to_string(atom));
        break;
      case Atom::Kind::nil:
        json.null();
        break;
    }
  }

  const History& history_;
  const Story& story_;
  std::vector<const StoryTxn*> txns_;
  std::unordered_set<Write, WriteHash> shown_;
};

}  // namespace

Reproducer reproducer_of(const History& history, const Story& story) {
  return Extract(history, story).write();
}

}  // namespace awdit
