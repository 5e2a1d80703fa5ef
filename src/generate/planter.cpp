#include "generate/planter.h"

#include <algorithm>
#include <utility>

#include "base/assert.h"
#include "history/text.h"

namespace awdit {
namespace {

// The values of a script under numbers that are new to the run.
class Numbers {
 public:
  explicit Numbers(Scribe& scribe) : scribe_(scribe) {}

  Atom of(KeyId key, Atom value) {
    for (const Entry& entry : entries_) {
      if (entry.key == key && entry.value == value) return entry.number;
    }
    entries_.push_back({key, value, Atom::integer(scribe_.fresh_value())});
    return entries_.back().number;
  }

 private:
  struct Entry {
    KeyId key;
    Atom value;
    Atom number;
  };
  Scribe& scribe_;
  std::vector<Entry> entries_;
};

// What a read of a list returns where the script names only its last element:
// everything written to the key up to it.
std::vector<Atom> list_up_to(const History& script, OpId read) {
  std::vector<Atom> list;
  if (script.is_initial(script.value(read))) return list;
  for (const std::uint32_t txn : script.input_order()) {
    for (const OpId op : script.ops(TxnId(txn))) {
      if (!script.is_write(op) || script.key(op) != script.key(read)) continue;
      list.push_back(script.value(op));
      if (list.back() == script.value(read)) return list;
    }
  }
  return {script.value(read)};
}

std::vector<Atom> list_of(const History& script, OpId read) {
  if (!script.has_lists()) return list_up_to(script, read);
  std::vector<Atom> list;
  for (std::size_t i = 0; i < script.list_size(read); ++i) {
    list.push_back(script.element(read, i));
  }
  return list;
}

}  // namespace

History script_of(const Gadget& gadget) {
  Result<History> history = parse_text(gadget.script, gadget.name);
  AWDIT_ASSERT(history.has_value());
  return std::move(*history);
}

void plant(const Gadget& gadget, bool lists,
           std::span<const std::uint32_t> sessions, FreshKeys& keys,
           Scribe& scribe) {
  const History script = script_of(gadget);
  std::vector<Atom> labels;
  for (std::uint32_t key = 0; key < script.num_keys(); ++key) {
    labels.push_back(Atom::integer(keys.take()));
  }
  Numbers numbers(scribe);
  for (const std::uint32_t number : script.input_order()) {
    const TxnId txn(number);
    Builder::Shard& shard =
        scribe.open(sessions[script.session(txn).v], script.status(txn));
    for (const OpId op : script.ops(txn)) {
      const KeyId key = script.key(op);
      const Atom value = script.value(op);
      if (script.is_write(op)) {
        shard.operation(lists ? OpKind::append : OpKind::write, labels[key.v],
                        numbers.of(key, value), {});
      } else if (lists) {
        std::vector<Atom> list = list_of(script, op);
        for (Atom& element : list) element = numbers.of(key, element);
        shard.read_list(labels[key.v], list);
      } else {
        shard.read(labels[key.v],
                   script.is_initial(value) ? value : numbers.of(key, value));
      }
    }
  }
}

std::vector<std::uint32_t> choose_sessions(const Gadget& gadget,
                                           std::uint32_t sessions,
                                           Random& random) {
  std::vector<std::uint32_t> chosen;
  for (std::uint32_t wanted = sessions_of(gadget); chosen.size() < wanted;) {
    const std::uint32_t session = random.below(sessions);
    if (std::find(chosen.begin(), chosen.end(), session) == chosen.end()) {
      chosen.push_back(session);
    }
  }
  return chosen;
}

}  // namespace awdit
