// A session of the simulated database: its transactions, what is refused at
// commit, and where planted bugs strike.
//
// Nothing waits and nothing is in doubt: a transaction keeps its writes to
// itself until it commits, and commits at once or is refused. Appends are
// merged at commit: behind the elements of those who committed before. Whoever
// has read a list with own elements at its end is therefore refused if others
// have appended since; their lists would contradict each other.
//
// A bug breaks its level and no weaker one because whatever would break more is
// refused as well: reads of refused transactions are not judged.
#include <algorithm>

#include "simulated/world.h"

namespace awdit::simulated {
namespace {

class Session final : public Connection {
 public:
  Session(World& world, std::uint32_t number)
      : world_(world), number_(number), past_(world.sessions[number]) {}
  ~Session() override { close(); }

  Answer begin(bool) override {
    if (broken_) return Answer::lost;
    close();
    writes_.clear();
    extended_.clear();
    struck_ = guarded_ = false;
    guess_ = {};
    const Instant now = world_.store.now();
    const Instant far = world_.ago(world_.lag);
    snapshot_ = now;
    frontier_.fill(now);
    switch (world_.mechanism.view) {
      case View::Rule::statement:
      case View::Rule::atomic:
        view_.reset(world_.mechanism.view, number_, far);
        break;
      case View::Rule::replica:
        frontier_ = world_.bug == Bug::long_fork
                        ? world_.fork(past_)
                        : world_.receive(replica_of(number_));
        past_.frontier = frontier_;
        view_.reset(View::Rule::replica, number_,
                    *std::min_element(frontier_.begin(), frontier_.end()));
        view_.frontier = frontier_;
        break;
      case View::Rule::prefix: {
        const Instant least = std::max(far, past_.seen);
        if (world_.random.below(2) == 0) {
          snapshot_ = least + world_.random.below_wide(now - least + 1);
        }
        past_.seen = snapshot_;
        view_.reset(View::Rule::prefix, number_, snapshot_);
        break;
      }
    }
    plant();
    world_.opened(view_);
    open_ = true;
    return Answer::done;
  }

  Answer read(std::string_view text, Content& content) override {
    if (broken_) return Answer::lost;
    if (!open_) return Answer::refused;
    const std::uint32_t number = world_.store.key(text, false);
    const Write* own = own_write(number, false);
    if (own != nullptr && !world_.strikes(Bug::own_write)) {
      const Write* earlier = own_write(number, true);
      if (earlier != nullptr && world_.strikes(Bug::stale_own_write)) {
        own = earlier;
      }
      content.id = own->id;
      content.payload = own->payload;
      return Answer::done;
    }
    std::ptrdiff_t chosen = View::kAbsent;
    const Answer answer = look(number, false, chosen);
    if (answer != Answer::done) return answer;
    const bool thin_air = world_.last_id != 0 && world_.strikes(Bug::thin_air);
    const bool future = own == nullptr && guesses(number);
    if (chosen == View::kAbsent && !thin_air && !future) return Answer::absent;
    if (chosen == View::kAbsent) {
      content.payload.clear();
    } else {
      const Version& version =
          world_.store[number].versions[static_cast<std::size_t>(chosen)];
      content.id = version.id;
      content.payload = version.payload;
    }
    if (thin_air) content.id = world_.nobodys_id();
    if (future) content.id = guess_.id;
    return Answer::done;
  }

  Answer write(std::string_view text, WriteId id,
               std::string_view payload) override {
    if (broken_) return Answer::lost;
    if (!open_) return Answer::refused;
    return put(world_.store.key(text, false), id, payload);
  }

  Answer append(std::string_view text, WriteId element) override {
    if (broken_) return Answer::lost;
    if (!open_) return Answer::refused;
    return put(world_.store.key(text, true), element, {});
  }

  Answer read_list(std::string_view text,
                   std::vector<WriteId>& elements) override {
    if (broken_) return Answer::lost;
    if (!open_) return Answer::refused;
    elements.clear();
    const std::uint32_t number = world_.store.key(text, true);
    const bool extends =
        own_write(number, false) != nullptr && !world_.strikes(Bug::own_write);
    std::ptrdiff_t chosen = View::kAbsent;
    const Answer answer = look(number, extends, chosen);
    if (answer != Answer::done) return answer;
    const Key& key = world_.store[number];
    Instant at = 0;
    if (chosen != View::kAbsent) {
      const Version& version = key.versions[static_cast<std::size_t>(chosen)];
      at = version.at;
      elements.assign(key.elements.begin(),
                      key.elements.begin() + version.length);
    }
    if (extends) {
      extended_.push_back({number, at});
      for (const Write& write : writes_) {
        if (write.key == number) elements.push_back(write.id);
      }
      if (own_write(number, true) != nullptr &&
          world_.strikes(Bug::stale_own_write)) {
        elements.pop_back();
      }
      return Answer::done;
    }
    if (chosen > 0 && world_.bug == Bug::reordered) {
      // Of two transactions that appended one element each: otherwise it would
      // tear apart what one of them appended.
      const auto last = static_cast<std::size_t>(chosen);
      const std::size_t before_both =
          last > 1 ? key.versions[last - 2].length : 0;
      if (key.versions[last - 1].length + 1 == elements.size() &&
          before_both + 1 == key.versions[last - 1].length &&
          world_.strikes(Bug::reordered)) {
        std::swap(elements.back(), elements[elements.size() - 2]);
      }
    }
    if (world_.last_id != 0 && world_.strikes(Bug::thin_air)) {
      elements.push_back(world_.nobodys_id());
    } else if (own_write(number, false) == nullptr && guesses(number)) {
      elements.push_back(guess_.id);
    }
    return elements.empty() ? Answer::absent : Answer::done;
  }

  Answer commit() override {
    if (broken_) return Answer::lost;
    if (!open_) return Answer::refused;
    if (const Key* key = obstacle()) return refuse(*key);
    if (world_.aborts(world_.random)) {
      return give_up(Answer::refused, "aborted", "refused at random");
    }
    if (world_.unknown(world_.random)) {
      if (world_.random.below(2) == 0) install();
      broken_ = true;
      return give_up(Answer::lost, "lost", "the answer to the commit was lost");
    }
    if (!writes_.empty()) {
      if (world_.strikes(Bug::aborted)) {
        install();
        return give_up(Answer::refused, "conflict", "refused, but not undone");
      }
      // A list that was read with own elements must not be taken back.
      if (!extended_.empty() || !world_.strikes(Bug::lost_commit)) {
        install();
        past_.seen = past_.last_commit = world_.store.now();
        past_.frontier.fill(past_.seen);
      }
    }
    close();
    return Answer::done;
  }

  Answer rollback() override {
    close();
    return broken_ ? Answer::lost : Answer::done;
  }

  const Trouble& trouble() const override { return trouble_; }

 private:
  struct Write {
    std::uint32_t key;
    WriteId id;
    std::string payload;
  };

  // Bugs of whole transactions: they see by another rule than the level's.
  void plant() {
    const Instant far = world_.ago(world_.memory());
    if (world_.strikes(Bug::fractured)) {
      view_.reset(View::Rule::statement, number_, far);
      view_.repeats = true;
      struck_ = guarded_ = true;
    } else if (world_.strikes(Bug::causal)) {
      view_.reset(View::Rule::atomic, number_, far);
      struck_ = true;
    } else if (past_.last_commit > far && world_.strikes(Bug::stale_session)) {
      view_.reset(View::Rule::prefix, number_, past_.last_commit - 1);
      struck_ = true;
    }
  }

  // The version that a read of the key returns, as far as others wrote it.
  Answer look(std::uint32_t number, bool newest, std::ptrdiff_t& version) {
    const Key& key = world_.store[number];
    const View::Read* before = view_.read_of(number);
    const std::ptrdiff_t seen = world_.bug == Bug::non_monotonic
                                    ? view_.newest_seen(key)
                                    : View::kAbsent;
    if (before != nullptr && key.newest() > before->at &&
        world_.strikes(Bug::non_repeatable)) {
      version = std::ssize(key.versions) - 1;
      struck_ = guarded_ = true;
    } else if (seen >= (key.pruned ? 1 : 0) &&
               world_.strikes(Bug::non_monotonic)) {
      version = seen - 1;
      struck_ = true;
    } else {
      version = view_.choose(world_.store, number, newest, world_.random);
      if (guarded_ && view_.goes_back(world_.store, number, version)) {
        return refuse(key);
      }
    }
    view_.note(world_.store, number, version);
    return Answer::done;
  }

  const Write* own_write(std::uint32_t key, bool last_but_one) const {
    for (std::size_t i = writes_.size(); i-- > 0;) {
      if (writes_[i].key != key) continue;
      if (!last_but_one) return &writes_[i];
      last_but_one = false;
    }
    return nullptr;
  }

  // Whether the key shall be read as the session's next write, whose id is
  // known beforehand as sessions count their writes. A write that turns out to
  // be another one is refused.
  bool guesses(std::uint32_t key) {
    if (guess_.id != 0 || past_.last_id == 0 || !world_.strikes(Bug::future)) {
      return false;
    }
    guess_ = {key, past_.last_id + 1};
    return true;
  }

  Answer put(std::uint32_t key, WriteId id, std::string_view payload) {
    past_.last_id = world_.last_id = id;
    if (guess_.id != 0 && own_write(guess_.key, false) == nullptr &&
        (key != guess_.key || id != guess_.id)) {
      return refuse(world_.store[guess_.key]);
    }
    writes_.push_back({key, id, std::string(payload)});
    return Answer::done;
  }

  // -- how it ends

  bool saw(const Version& version) const {
    return world_.mechanism.view == View::Rule::replica
               ? received(frontier_, version)
               : version.at <= snapshot_;
  }

  // A key that it wrote and whose newest version it did not see;
  // `but_for_updates` excuses keys that it also read.
  const Key* overwritten(bool but_for_updates) const {
    for (const Write& write : writes_) {
      const Key& key = world_.store[write.key];
      if (key.versions.empty() || saw(key.versions.back())) continue;
      if (but_for_updates && view_.read_of(write.key) != nullptr) continue;
      return &key;
    }
    return nullptr;
  }

  // A key that it read and that was replaced since; `but_for_updates` excuses
  // keys that it also wrote.
  const Key* outdated(bool but_for_updates) const {
    for (const View::Read& read : view_.reads()) {
      const Key& key = world_.store[read.key];
      if (key.newest() == read.at) continue;
      if (but_for_updates && own_write(read.key, false) != nullptr) continue;
      return &key;
    }
    return nullptr;
  }

  // Whether it read the list with own elements at its end.
  bool extended(std::uint32_t key) const {
    return std::any_of(extended_.begin(), extended_.end(),
                       [&](const View::Read& read) { return read.key == key; });
  }

  // A list that it read with own elements behind what is not the end any more.
  const Key* contradicted() const {
    for (const View::Read& read : extended_) {
      const Key& key = world_.store[read.key];
      if (key.newest() != read.at) return &key;
    }
    return nullptr;
  }

  // A key because of which the level refuses the commit. A transaction that
  // writes nothing takes its place behind what it saw.
  const Key* conflict(bool but_for_updates) const {
    if (writes_.empty()) return nullptr;
    if (world_.mechanism.guards_overwrites) {
      if (const Key* key = overwritten(but_for_updates)) return key;
    }
    if (world_.mechanism.validates_reads && !struck_) {
      return outdated(but_for_updates);
    }
    return nullptr;
  }

  // A key because of which it must not commit; nullptr: it may.
  const Key* obstacle() {
    if (guess_.id != 0 && own_write(guess_.key, false) == nullptr) {
      return &world_.store[guess_.key];
    }
    if (const Key* key = contradicted()) return key;
    const Key* key = conflict(false);
    if (key == nullptr) return nullptr;
    if (world_.strikes(Bug::lost_update)) return conflict(true);
    // Snapshot isolation, once.
    if (world_.strikes(Bug::write_skew)) return overwritten(false);
    return key;
  }

  void install() {
    if (writes_.empty()) return;
    VersionStore& store = world_.store;
    std::vector<std::uint32_t>& keys = store.commit(number_, frontier_).keys;
    for (Write& write : writes_) {
      Key& key = store[write.key];
      const bool again = key.newest() == store.now();
      if (again && !extended(write.key) && world_.strikes(Bug::intermediate)) {
        continue;
      }
      Version& version = store.add(write.key, number_);
      if (!again) keys.push_back(write.key);
      version.id = write.id;
      version.payload = std::move(write.payload);
      if (!key.list) continue;
      key.elements.push_back(write.id);
      if (world_.strikes(Bug::duplicate)) key.elements.push_back(write.id);
      version.length = static_cast<std::uint32_t>(key.elements.size());
    }
    std::sort(keys.begin(), keys.end());
    world_.tidy();
  }

  void close() {
    if (open_) world_.closed(view_);
    open_ = false;
  }

  Answer refuse(const Key& key) {
    trouble_.text = "another transaction wrote ";
    trouble_.text += key.text;
    return give_up(Answer::refused, "conflict", trouble_.text);
  }

  Answer give_up(Answer answer, std::string_view code, std::string_view text) {
    close();
    trouble_ = Trouble{std::string(code), std::string(text)};
    return answer;
  }

  World& world_;
  std::uint32_t number_;
  Past& past_;
  Trouble trouble_;
  bool open_ = false;
  bool broken_ = false;  // no answer will ever come

  // The transaction.
  View view_;
  Instant snapshot_ = 0;  // what the level lets it see, whatever it sees
  Frontier frontier_{};   // likewise
  std::vector<Write> writes_;
  std::vector<View::Read> extended_;  // lists read with own elements behind
  bool struck_ = false;               // it read what its level does not allow
  bool guarded_ = false;              // it must not go back on what it read
  // A future read: its next write shall be that one.
  struct {
    std::uint32_t key = 0;
    WriteId id = 0;  // 0: none
  } guess_;
};

}  // namespace

std::unique_ptr<Connection> make_connection(World& world,
                                            std::uint32_t session) {
  return std::make_unique<Session>(world, session);
}

}  // namespace awdit::simulated
