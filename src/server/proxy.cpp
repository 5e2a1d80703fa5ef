#include "server/proxy.h"

#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <list>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "base/descriptor.h"
#include "base/random.h"

namespace awdit {
namespace {

std::optional<sockaddr_un> address_of(const std::string& path) {
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof(address.sun_path)) return std::nullopt;
  std::memcpy(address.sun_path, path.data(), path.size());
  return address;
}

Descriptor make_socket() {
  return Descriptor(
      socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
}

const sockaddr* generic(const sockaddr_un& address) {
  return reinterpret_cast<const sockaddr*>(&address);
}

// One way of a connection. What the receiver does not take at once is kept, and
// nothing is read until it has gone.
struct Way {
  std::string kept;
  bool ended = false;  // nothing comes any more

  // Returns false if the receiver is gone.
  bool send(int to, std::string_view bytes) {
    kept += bytes;
    while (!kept.empty()) {
      const ssize_t sent = ::send(to, kept.data(), kept.size(), MSG_NOSIGNAL);
      if (sent > 0) {
        kept.erase(0, static_cast<std::size_t>(sent));
      } else if (errno != EINTR) {
        return errno == EAGAIN;
      }
    }
    return true;
  }
  bool over() const { return ended && kept.empty(); }
};

struct Pair {
  Descriptor client;
  Descriptor server;
  CommitWatch watch;
  Way up;    // client to server
  Way down;  // server to client
  // The server has got a COMMIT whose reply is to be lost.
  bool doomed = false;
  bool over = false;
};

}  // namespace

struct Proxy::State {
  std::string front;
  sockaddr_un back;
  WireProtocol protocol;
  Random random;
  Descriptor listener;
  Descriptor alarm;
  std::thread thread;
  std::atomic<bool> drop{false};
  std::atomic<bool> stop{false};
  std::atomic<std::uint64_t> requests{0};
  std::atomic<std::uint64_t> replies{0};
  std::list<Pair> pairs;
  std::array<char, 1 << 16> buffer;

  State(std::string path, const sockaddr_un& server, WireProtocol wire,
        std::uint64_t seed)
      : front(std::move(path)), back(server), protocol(wire), random(seed) {}

  void serve();
  void accept_all();
  void pump(Pair& pair, short client, short server);
  std::optional<std::string_view> receive(int from, Way& way);
  void forward_up(Pair& pair, std::string_view bytes);
  void forward_down(Pair& pair, std::string_view bytes);
};

// -- the thread ---------------------------------------------------------------

void Proxy::State::serve() {
  std::vector<pollfd> wanted;
  while (!stop) {
    wanted.clear();
    wanted.push_back({listener.number(), POLLIN, 0});
    wanted.push_back({alarm.number(), POLLIN, 0});
    for (const Pair& pair : pairs) {
      // Each way reads or writes, never both.
      const auto events = [](const Way& in, const Way& out) {
        const int read = in.kept.empty() && !in.ended ? POLLIN : 0;
        const int write = out.kept.empty() ? 0 : POLLOUT;
        return static_cast<short>(read | write);
      };
      wanted.push_back({pair.client.number(), events(pair.up, pair.down), 0});
      wanted.push_back({pair.server.number(), events(pair.down, pair.up), 0});
    }
    if (poll(wanted.data(), wanted.size(), -1) < 0) continue;
    std::size_t at = 2;
    for (Pair& pair : pairs) {
      pump(pair, wanted[at].revents, wanted[at + 1].revents);
      at += 2;
    }
    pairs.remove_if([](const Pair& pair) { return pair.over; });
    if (wanted[0].revents != 0) accept_all();
  }
}

void Proxy::State::accept_all() {
  for (;;) {
    Descriptor client(accept4(listener.number(), nullptr, nullptr,
                              SOCK_NONBLOCK | SOCK_CLOEXEC));
    if (!client.good()) {
      // Out of files: do not ask again at once.
      if (errno == EMFILE || errno == ENFILE) {
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
      }
      return;
    }
    Descriptor server = make_socket();
    // No server, no connection: the client is told by closing its own.
    if (connect(server.number(), generic(back), sizeof(back)) != 0) continue;
    pairs.push_back({.client = std::move(client),
                     .server = std::move(server),
                     .watch = CommitWatch(protocol),
                     .up = {},
                     .down = {}});
  }
}

// What has come; nothing: nothing, or the end.
std::optional<std::string_view> Proxy::State::receive(int from, Way& way) {
  const ssize_t got = recv(from, buffer.data(), buffer.size(), 0);
  if (got > 0)
    return std::string_view(buffer.data(), static_cast<std::size_t>(got));
  if (got == 0 || (errno != EAGAIN && errno != EINTR)) way.ended = true;
  return std::nullopt;
}

void Proxy::State::pump(Pair& pair, short client, short server) {
  constexpr short kGone = POLLHUP | POLLERR;
  const auto step = [&](short from, short to, Way& way, int receiver) {
    if ((to & POLLOUT) != 0 && !way.send(receiver, {})) pair.over = true;
    if (way.kept.empty() && !way.ended) return (from & (POLLIN | kGone)) != 0;
    // Nobody can be waiting for what is still kept.
    if ((from & kGone) != 0) pair.over = true;
    return false;
  };
  if (step(client, server, pair.up, pair.server.number())) {
    if (const auto bytes = receive(pair.client.number(), pair.up)) {
      forward_up(pair, *bytes);
    }
  }
  if (step(server, client, pair.down, pair.client.number()) && !pair.over) {
    if (const auto bytes = receive(pair.server.number(), pair.down)) {
      forward_down(pair, *bytes);
    }
  }
  if (pair.up.over() || pair.down.over()) pair.over = true;
}

void Proxy::State::forward_up(Pair& pair, std::string_view bytes) {
  if (pair.watch.take(bytes) && drop && !pair.doomed) {
    if (random.below(2) == 0) {
      // What the server has got of it so far, if anything, is no message.
      ++requests;
      pair.over = true;
      return;
    }
    pair.doomed = true;
  }
  if (!pair.up.send(pair.server.number(), bytes)) pair.over = true;
}

// A client waits for the answer to each request before it sends the next, so
// what comes behind a COMMIT is the answer to it.
void Proxy::State::forward_down(Pair& pair, std::string_view bytes) {
  if (pair.doomed) {
    ++replies;
    pair.over = true;
  } else if (!pair.down.send(pair.client.number(), bytes)) {
    pair.over = true;
  }
}

// -- the owner ----------------------------------------------------------------

Proxy::Proxy(std::unique_ptr<State> state) : state_(std::move(state)) {}

Result<std::unique_ptr<Proxy>> Proxy::start(const std::string& front,
                                            const std::string& back,
                                            WireProtocol protocol,
                                            std::uint64_t seed) {
  const auto own = address_of(front);
  const auto server = address_of(back);
  if (!own || !server) {
    return Error{.where = own ? back : front,
                 .message = "is too long for the path of a socket",
                 .hint = "Set TMPDIR to a shorter path."};
  }
  auto state = std::make_unique<State>(front, *server, protocol, seed);
  state->listener = make_socket();
  state->alarm = Descriptor(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC));
  const int listener = state->listener.number();
  if (!state->listener.good() || !state->alarm.good() ||
      bind(listener, generic(*own), sizeof(*own)) != 0 ||
      listen(listener, SOMAXCONN) != 0) {
    return Error{.where = front,
                 .message = "cannot be listened at: " +
                            std::generic_category().message(errno)};
  }
  // Handlers of signals run in threads that others know, not in this one.
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  std::optional<Error> trouble;
  try {
    state->thread = std::thread([&own_state = *state] { own_state.serve(); });
  } catch (const std::system_error& error) {
    trouble = Error{.message = error.code().message()};
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (trouble) return *trouble;
  return std::unique_ptr<Proxy>(new Proxy(std::move(state)));
}

Proxy::~Proxy() {
  state_->stop = true;
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t rung =
      write(state_->alarm.number(), &one, sizeof(one));
  state_->thread.join();
  unlink(state_->front.c_str());
}

void Proxy::drop_commits(bool drop) { state_->drop = drop; }

Proxy::Count Proxy::dropped() const {
  return {.requests = state_->requests, .replies = state_->replies};
}

}  // namespace awdit
