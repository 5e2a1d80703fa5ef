#include "report/reproducer.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/json.h"
#include "base/utf8.h"

namespace awdit {
namespace {

constexpr std::size_t kMostOps = 300;
constexpr std::size_t kMostElements = 300;
constexpr std::size_t kMostBytes = 8'000;

// JSON lines in which no character reorders or hides others.
std::string spelt_out(std::string_view lines) {
  std::string text;
  for (std::size_t at = 0; at < lines.size();) {
    const std::size_t size =
        std::max<std::size_t>(1, utf8_sequence(lines.substr(at)));
    const std::string_view one = lines.substr(at, size);
    at += size;
    // All of these have three bytes: they are U+200E ... U+2069, and U+FEFF.
    if (size != 3 || visible(one) == one) {
      text += one;
      continue;
    }
    const auto bits = [&](std::size_t i, unsigned mask) {
      return static_cast<unsigned char>(one[i]) & mask;
    };
    text += fmt::format(
        "\\u{:04x}", bits(0, 0x0F) << 12 | bits(1, 0x3F) << 6 | bits(2, 0x3F));
  }
  return text;
}

class Writer {
 public:
  Writer(const History& history, const Story& story)
      : history_(history), story_(story) {}

  Reproducer write() {
    if (story_.ops.size() + story_.silent.size() == 0 ||
        story_.ops.size() > kMostOps) {
      return {};
    }
    if (fits_plume()) return {"plume", plume()};
    std::size_t elements = 0;
    for (const OpId op : story_.ops) {
      if (!history_.has_lists() || history_.is_write(op)) continue;
      elements += history_.list_size(op);
    }
    if (elements > kMostElements) return {};
    std::string text;
    {
      Sink sink(text);
      header(sink);
      // Operations ascend in the order of the input, transaction by
      // transaction.
      std::size_t next = 0;
      for (const TxnId txn :
           extracted_txns(history_, story_.ops, story_.silent)) {
        next = transaction(txn, next, sink);
      }
    }
    if (!faithful_ || text.size() > kMostBytes) return {};
    return {"awdit-jsonl", spelt_out(text)};
  }

 private:
  static bool is_natural(Atom atom) {
    return atom.kind == Atom::Kind::integer && atom.bits >> 63 == 0;
  }

  // Whether times may be what it rests on.
  bool timed() const { return story_.level->real_time; }

  bool fits_plume() const {
    if (history_.has_lists() || timed() ||
        history_.initial_value() != Atom::integer(0)) {
      return false;
    }
    return std::ranges::all_of(story_.ops, [&](const OpId op) {
      const TxnId txn = history_.txn_of(op);
      const auto label = history_.txn_label(txn);
      return label && *label >= 0 &&
             history_.status(txn) == Status::committed &&
             is_natural(history_.session_atom(history_.session(txn))) &&
             is_natural(history_.key_atom(history_.key(op))) &&
             is_natural(history_.value(op));
    });
  }

  std::string plume() const {
    std::string text;
    for (const OpId op : story_.ops) {
      const TxnId txn = history_.txn_of(op);
      text +=
          fmt::format("{}({},{},{},{})\n", history_.is_write(op) ? 'w' : 'r',
                      history_.key_label(history_.key(op)),
                      history_.to_string(history_.value(op)),
                      history_.session_label(history_.session(txn)),
                      *history_.txn_label(txn));
    }
    return text;
  }

  void header(Sink& sink) {
    JsonWriter json(sink);
    json.begin_object();
    json.field("awdit", 1);
    json.key("initial");
    if (history_.initial_value()) {
      write(*history_.initial_value(), json);
    } else {
      json.value(false);
    }
    if (timed()) {
      json.field("clock", name(history_.clock()));
      if (history_.has_one_clock()) clock_domain(0, json);
      clock_relations(json);
    }
    json.end_object();
    sink.append('\n');
  }

  // From story_.ops[i] on; returns where the next one begins.
  std::size_t transaction(TxnId txn, std::size_t i, Sink& sink) {
    const auto id = history_.txn_label(txn);
    const Status status = history_.status(txn);
    JsonWriter json(sink);
    json.begin_object();
    json.key("session");
    write(history_.session_atom(history_.session(txn)), json);
    if (id) {
      json.field("id", *id);
    } else if (history_.has_ids()) {
      json.null("id");
    }
    if (status != Status::committed) json.field("status", name(status));
    if (timed()) {
      times("times", history_.times(txn), json);
      times("ticks", history_.ticks(txn), json);
      if (!history_.has_one_clock()) {
        clock_domain(history_.clock_domain(txn), json);
      }
    }
    json.begin_array("ops");
    const IdRange<OpId> ops = history_.ops(txn);
    for (; i < story_.ops.size() && ops.contains(story_.ops[i]); ++i) {
      operation(story_.ops[i], json);
    }
    json.end_array();
    json.end_object();
    sink.append('\n');
    return i;
  }

  void clock_domain(std::uint32_t domain, JsonWriter& json) const {
    const auto names = history_.clock_domains().names();
    if (domain >= names.size() || names[domain].empty()) return;
    json.field("clock_domain", names[domain]);
  }

  void clock_relations(JsonWriter& json) const {
    const ClockDomains& domains = history_.clock_domains();
    if (domains.relations().empty()) return;
    json.array("clock_relations", domains.relations(), [&](const auto& it) {
      json.begin_array();
      json.value(std::string_view(domains.names()[it.from]));
      json.value(std::string_view(domains.names()[it.to]));
      json.value(it.offset);
      json.value(it.error);
      json.end_array();
    });
  }

  static void times(std::string_view field,
                    const std::optional<History::Times>& times,
                    JsonWriter& json) {
    if (!times) return;
    json.begin_array(field);
    for (const std::int64_t at : {times->begin, times->end}) {
      if (at == kNoTime) {
        json.null();
      } else {
        json.value(at);
      }
    }
    json.end_array();
  }

  void operation(OpId op, JsonWriter& json) {
    const bool is_write = history_.is_write(op);
    json.begin_array();
    json.value(!is_write ? "r" : history_.has_lists() ? "append" : "w");
    write(history_.key_atom(history_.key(op)), json);
    if (!is_write && history_.has_lists()) {
      json.begin_array();
      for (std::size_t i = 0; i < history_.list_size(op); ++i) {
        write(history_.element(op, i), json);
      }
      json.end_array();
    } else {
      write(history_.value(op), json);
    }
    json.end_array();
  }

  void write(Atom atom, JsonWriter& json) {
    switch (atom.kind) {
      case Atom::Kind::integer:
        json.value(static_cast<std::int64_t>(atom.bits));
        break;
      case Atom::Kind::natural:
        json.value(atom.bits);
        break;
      case Atom::Kind::string: {
        const std::string_view text = history_.strings()[atom.bits];
        // JSON could not hold it as it is.
        if (!is_utf8(text)) faithful_ = false;
        json.value(text);
        break;
      }
      case Atom::Kind::nil:
        if (atom == Atom::nil()) {
          json.null();
        } else {
          json.begin_object();
          json.end_object();
        }
        break;
    }
  }

  const History& history_;
  const Story& story_;
  bool faithful_ = true;
};

}  // namespace

Reproducer reproducer_of(const History& history, const Story& story) {
  return Writer(history, story).write();
}

}  // namespace awdit
