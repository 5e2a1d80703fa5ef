// The proxy between us and a toy server, which answers "ok" to every message of
// PostgreSQL's protocol and remembers the COMMITs.
#include "server/proxy.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "base/temporary_directory.h"

namespace awdit {
namespace {

sockaddr_un address_of(const std::string& path) {
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, path.data(), path.size());
  return address;
}

const sockaddr* generic(const sockaddr_un& address) {
  return reinterpret_cast<const sockaddr*>(&address);
}

// As many bytes as are wanted; fewer at the end.
std::string receive(int from, std::size_t wanted) {
  std::string bytes(wanted, '\0');
  std::size_t got = 0;
  while (got < wanted) {
    const ssize_t more = recv(from, bytes.data() + got, wanted - got, 0);
    if (more <= 0) break;
    got += static_cast<std::size_t>(more);
  }
  bytes.resize(got);
  return bytes;
}

std::string number(std::size_t value) {
  std::string bytes;
  for (int shift = 24; shift >= 0; shift -= 8) {
    bytes += static_cast<char>(value >> shift);
  }
  return bytes;
}

std::string query(const std::string& text) {
  return "Q" + number(4 + text.size()) + text;
}

// A connection per thread; ends when the clients have gone.
class ToyServer {
 public:
  explicit ToyServer(const std::string& path)
      : listener_(socket(AF_UNIX, SOCK_STREAM, 0)) {
    const sockaddr_un address = address_of(path);
    EXPECT_EQ(bind(listener_, generic(address), sizeof(address)), 0);
    EXPECT_EQ(listen(listener_, 100), 0);
    acceptor_ = std::thread([this] { accept_all(); });
  }
  ~ToyServer() { stop(); }
  void stop() {
    if (!acceptor_.joinable()) return;
    shutdown(listener_, SHUT_RDWR);
    acceptor_.join();
    for (std::thread& thread : threads_) thread.join();
    close(listener_);
  }
  int commits() const { return commits_; }

 private:
  void accept_all() {
    for (;;) {
      const int client = accept(listener_, nullptr, nullptr);
      if (client < 0) return;
      threads_.emplace_back([this, client] { answer(client); });
    }
  }
  void answer(int client) {
    receive(client, 8);  // the message without a type
    for (;;) {
      const std::string header = receive(client, 5);
      if (header.size() < 5) break;
      std::size_t size = 0;
      for (const char byte : header.substr(1)) {
        size = size << 8 | static_cast<unsigned char>(byte);
      }
      const std::string body = receive(client, size - 4);
      if (body.size() < size - 4) break;
      if (body == "COMMIT") ++commits_;
      // Answers with what was asked, twice: big questions, bigger answers.
      const std::string reply = body + body;
      std::size_t sent = 0;
      while (sent < reply.size()) {
        const ssize_t more = send(client, reply.data() + sent,
                                  reply.size() - sent, MSG_NOSIGNAL);
        if (more <= 0) break;
        sent += static_cast<std::size_t>(more);
      }
    }
    close(client);
  }

  int listener_;
  std::thread acceptor_;
  std::vector<std::thread> threads_;
  std::atomic<int> commits_{0};
};

class Client {
 public:
  explicit Client(const std::string& path)
      : socket_(::socket(AF_UNIX, SOCK_STREAM, 0)) {
    const sockaddr_un address = address_of(path);
    EXPECT_EQ(connect(socket_, generic(address), sizeof(address)), 0);
    say(number(8) + number(0x30000));
  }
  ~Client() { close(socket_); }
  void say(const std::string& bytes) {
    std::size_t sent = 0;
    while (sent < bytes.size()) {
      const ssize_t more =
          send(socket_, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
      if (more <= 0) return;
      sent += static_cast<std::size_t>(more);
    }
  }
  // The answer to a query; shorter if the connection ends.
  std::string ask(const std::string& text) {
    // Two threads: neither the server nor the proxy keeps all of a big one.
    std::thread speaker([&] { say(query(text)); });
    std::string answer = receive(socket_, 2 * text.size());
    speaker.join();
    return answer;
  }

 private:
  int socket_;
};

class ProxyTest : public testing::Test {
 protected:
  void SetUp() override {
    server_ = std::make_unique<ToyServer>(back());
    auto proxy = Proxy::start(front(), back(), WireProtocol::postgres, 1);
    ASSERT_TRUE(proxy) << to_string(proxy.error());
    proxy_ = std::move(*proxy);
  }
  void TearDown() override {
    proxy_.reset();  // first: the server waits for its clients
    server_.reset();
  }
  static TemporaryDirectory made() {
    auto directory = TemporaryDirectory::make();
    EXPECT_TRUE(directory);
    return std::move(*directory);
  }
  std::string front() const { return directory_.file("front"); }
  std::string back() const { return directory_.file("back"); }

  TemporaryDirectory directory_ = made();
  std::unique_ptr<ToyServer> server_;
  std::unique_ptr<Proxy> proxy_;
};

TEST_F(ProxyTest, BytesGoThrough) {
  Client first(front());
  Client second(front());
  EXPECT_EQ(first.ask("one"), "oneone");
  EXPECT_EQ(second.ask("COMMIT"), "COMMITCOMMIT");
  EXPECT_EQ(first.ask("two"), "twotwo");
  // More than any socket holds at once.
  const std::string big(4'000'000, 'b');
  EXPECT_EQ(first.ask(big), big + big);
  EXPECT_EQ(proxy_->dropped().requests + proxy_->dropped().replies, 0u);
}

TEST_F(ProxyTest, CommitsAreLostBeforeOrAfterTheServer) {
  constexpr int kTries = 64;
  proxy_->drop_commits(true);
  for (int i = 0; i < kTries; ++i) {
    Client client(front());
    EXPECT_EQ(client.ask("harmless"), "harmlessharmless");
    EXPECT_EQ(client.ask("COMMIT"), "");
  }
  const Proxy::Count dropped = proxy_->dropped();
  EXPECT_EQ(dropped.requests + dropped.replies, std::uint64_t{kTries});
  // The seed draws: one of them being 0 would be 1 in 2^63.
  EXPECT_GT(dropped.requests, 0u);
  EXPECT_GT(dropped.replies, 0u);
  EXPECT_EQ(std::uint64_t(server_->commits()), dropped.replies);

  proxy_->drop_commits(false);
  EXPECT_EQ(Client(front()).ask("COMMIT"), "COMMITCOMMIT");
  EXPECT_EQ(std::uint64_t(server_->commits()), dropped.replies + 1);
}

TEST_F(ProxyTest, TheSeedDrawsTheSame) {
  std::vector<std::string> drawn_by;
  for (const std::uint64_t seed : {5u, 5u, 6u}) {
    auto proxy = Proxy::start(directory_.file("other"), back(),
                              WireProtocol::postgres, seed);
    ASSERT_TRUE(proxy);
    (*proxy)->drop_commits(true);
    std::string drawn;
    for (int i = 0; i < 32; ++i) {
      const auto before = (*proxy)->dropped().requests;
      EXPECT_EQ(Client(directory_.file("other")).ask("COMMIT"), "");
      drawn += (*proxy)->dropped().requests > before ? 'q' : 'a';
    }
    drawn_by.push_back(drawn);
  }
  EXPECT_EQ(drawn_by[0], drawn_by[1]);
  EXPECT_NE(drawn_by[0], drawn_by[2]);
}

TEST_F(ProxyTest, WithoutAServerClientsAreSentAway) {
  Client held(front());
  EXPECT_EQ(held.ask("one"), "oneone");
  proxy_.reset();
  server_.reset();
  unlink(back().c_str());
  auto proxy = Proxy::start(front(), back(), WireProtocol::postgres, 1);
  ASSERT_TRUE(proxy) << to_string(proxy.error());
  EXPECT_EQ(held.ask("two"), "") << "its proxy has ended";
  EXPECT_EQ(Client(front()).ask("three"), "");
  // The server comes: so do the clients, without a new proxy.
  server_ = std::make_unique<ToyServer>(back());
  EXPECT_EQ(Client(front()).ask("four"), "fourfour");
  proxy_ = std::move(*proxy);
}

TEST_F(ProxyTest, AnUnusablePathIsAnError) {
  const std::string far = directory_.file(std::string(120, 'f'));
  EXPECT_FALSE(Proxy::start(far, back(), WireProtocol::postgres, 1));
  EXPECT_FALSE(Proxy::start(front(), back(), WireProtocol::postgres, 1))
      << "somebody listens there";
}

}  // namespace
}  // namespace awdit
