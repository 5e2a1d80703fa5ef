#include "report/reproducer.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/json.h"
#include "base/utf8.h"
#include "history/builder.h"
#include "report/exhibit.h"

namespace awdit {
namespace {

constexpr std::size_t kMostOps = 300;
constexpr std::size_t kMostElements = 300;
constexpr std::size_t kMostBytes = 8'000;
constexpr std::string_view kOthers = "others";

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

// Writes the lines and builds the history they stand for at the same time.
class Writer {
 public:
  Writer(const History& history, const Report& report, const Story& story)
      : history_(history),
        report_(report),
        story_(story),
        builder_({.initial_value = {}, .labels_are_ids = history.has_ids()}),
        shard_(builder_.add_shard()),
        exhibits_(exhibits_of(history, story.violation)) {
    if (const auto initial = history.initial_value()) {
      builder_.set_initial_value(copied(*initial));
    }
  }

  Reproducer write() {
    std::size_t elements = 0;
    for (const Exhibit& exhibit : exhibits_) {
      if (!history_.has_lists() || history_.is_write(exhibit.op)) continue;
      elements += history_.list_size(exhibit.op);
    }
    if (exhibits_.size() > kMostOps || elements > kMostElements) return {};
    std::string text;
    {
      Sink sink(text);
      header(sink);
      others(sink);
      for (const TxnId txn : in_input_order()) transaction(txn, sink);
    }
    if (!faithful_ || text.size() > kMostBytes) return {};
    return {.text = spelt_out(text), .reproduces = violates()};
  }

 private:
  std::vector<TxnId> in_input_order() const {
    std::vector<TxnId> txns;
    for (const StoryTxn& shown : story_.txns) {
      if (!exhibits_in(history_, shown.txn, exhibits_).empty()) {
        txns.push_back(shown.txn);
      }
    }
    std::sort(txns.begin(), txns.end(), [&](TxnId a, TxnId b) {
      return history_.ops(a).first < history_.ops(b).first;
    });
    return txns;
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
    json.end_object();
    sink.append('\n');
  }

  void transaction(TxnId txn, Sink& sink) {
    const Atom session = history_.session_atom(history_.session(txn));
    const auto id = history_.txn_label(txn);
    const Status status = status_of(txn);
    // Without ids any number does; the nameless one among named ones has none.
    const std::int64_t label = id                   ? *id
                               : history_.has_ids() ? Builder::kNoLabel
                                                    : std::int64_t{txn.v};
    shard_.select(copied(session), label, status);
    JsonWriter json(sink);
    json.begin_object();
    json.key("session");
    write(session, json);
    if (id) {
      json.field("id", *id);
    } else if (history_.has_ids()) {
      json.key("id");
      json.null();
    }
    if (status != Status::committed) json.field("status", name(status));
    json.key("ops");
    json.begin_array();
    for (const Exhibit& exhibit : exhibits_in(history_, txn, exhibits_)) {
      operation(exhibit.op, json);
    }
    json.end_array();
    json.end_object();
    sink.append('\n');
  }

  // Who made a transaction of unknown outcome count as committed need not be
  // part of the story.
  Status status_of(TxnId txn) const {
    const bool promoted = std::binary_search(report_.promoted.begin(),
                                             report_.promoted.end(), txn);
    return promoted ? Status::committed : history_.status(txn);
  }

  void operation(OpId op, JsonWriter& json) {
    const bool is_write = history_.is_write(op);
    const Atom key = history_.key_atom(history_.key(op));
    const Atom value = history_.value(op);
    json.begin_array();
    json.value(!is_write ? "r" : history_.has_lists() ? "append" : "w");
    write(key, json);
    if (!is_write && history_.has_lists()) {
      std::vector<Atom> list;
      json.begin_array();
      for (std::size_t i = 0; i < history_.list_size(op); ++i) {
        write(history_.element(op, i), json);
        list.push_back(copied(history_.element(op, i)));
      }
      json.end_array();
      shard_.read_list(copied(key), list);
    } else {
      write(value, json);
      if (is_write && history_.has_lists()) {
        shard_.append(copied(key), copied(value));
      } else if (is_write) {
        shard_.write(copied(key), copied(value));
      } else {
        shard_.read(copied(key), copied(value));
      }
    }
    json.end_array();
  }

  struct Written {
    KeyId key;
    Atom value;
    bool operator==(const Written&) const = default;
  };

  // Writes of what the story's reads returned and nobody in it wrote.
  void others(Sink& sink) {
    std::vector<Written> there;
    for (const Exhibit& exhibit : exhibits_) {
      const OpId op = exhibit.op;
      if (!history_.is_write(op)) continue;
      there.push_back({history_.key(op), history_.value(op)});
    }
    const Violation& violation = story_.violation;
    if (violation.kind == Kind::thin_air_read) {
      const OpId read = violation.read;
      const Atom nobodys = violation.element == kNoId
                               ? history_.value(read)
                               : history_.element(read, violation.element);
      there.push_back({history_.key(read), nobodys});
    }
    std::int64_t id = 0;
    for (const TxnId txn : in_input_order()) {
      id = std::max(id, history_.txn_label(txn).value_or(0));
    }
    const auto need = [&](KeyId key, Atom value) {
      const Written written{key, value};
      if (std::find(there.begin(), there.end(), written) != there.end()) return;
      there.push_back(written);
      other(++id, written, sink);
    };
    for (const Exhibit& exhibit : exhibits_) {
      const OpId op = exhibit.op;
      if (history_.is_write(op)) continue;
      const KeyId key = history_.key(op);
      if (history_.has_lists()) {
        for (std::size_t i = 0; i < history_.list_size(op); ++i) {
          need(key, history_.element(op, i));
        }
      } else if (!history_.is_initial(history_.value(op))) {
        need(key, history_.value(op));
      }
    }
  }

  void other(std::int64_t id, const Written& written, Sink& sink) {
    const Atom key = history_.key_atom(written.key);
    shard_.select(builder_.string(kOthers), id);
    if (history_.has_lists()) {
      shard_.append(copied(key), copied(written.value));
    } else {
      shard_.write(copied(key), copied(written.value));
    }
    JsonWriter json(sink);
    json.begin_object();
    json.field("session", kOthers);
    if (history_.has_ids()) json.field("id", id);
    json.key("ops");
    json.begin_array();
    json.begin_array();
    json.value(history_.has_lists() ? "append" : "w");
    write(key, json);
    write(written.value, json);
    json.end_array();
    json.end_array();
    json.end_object();
    sink.append('\n');
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

  Atom copied(Atom atom) {
    if (atom.kind != Atom::Kind::string) return atom;
    return builder_.string(history_.strings()[atom.bits]);
  }

  bool violates() {
    const Result<History> small = builder_.finish(1);
    if (!small) return false;
    const Level* const asked[] = {story_.level};
    const Result<Report> report = check(*small, asked, {});
    if (!report) return false;
    const std::vector<Violation>& found = report->levels[0].violations;
    return std::any_of(found.begin(), found.end(), [&](const Violation& v) {
      return v.kind == story_.violation.kind;
    });
  }

  const History& history_;
  const Report& report_;
  const Story& story_;
  bool faithful_ = true;
  Builder builder_;
  Builder::Shard& shard_;
  std::vector<Exhibit> exhibits_;
};

}  // namespace

Reproducer reproducer_of(const History& history, const Report& report,
                         const Story& story) {
  return Writer(history, report, story).write();
}

}  // namespace awdit
