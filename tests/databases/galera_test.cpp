// A Galera cluster of our own: three servers, all of which take writes.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <thread>

#include "base/descendants.h"
#include "unit/driver/by_hand.h"

namespace awdit {
namespace {

// The sockets that our descendants have open, by inode.
std::set<std::string> sockets_of_servers() {
  std::set<std::string> found;
  for (const int process : descendants(getpid())) {
    std::error_code trouble;
    std::filesystem::directory_iterator entry(
        "/proc/" + std::to_string(process) + "/fd", trouble);
    for (; !trouble && entry != std::filesystem::directory_iterator();
         entry.increment(trouble)) {
      std::error_code gone;
      const std::string target =
          std::filesystem::read_symlink(entry->path(), gone).string();
      if (target.rfind("socket:[", 0) == 0) {
        found.insert(target.substr(8, target.size() - 9));
      }
    }
  }
  return found;
}

struct Listening {
  std::string address;  // hexadecimal
  std::uint16_t port = 0;
};

// Where our servers listen.
std::vector<Listening> listening() {
  const std::set<std::string> own = sockets_of_servers();
  std::vector<Listening> found;
  for (const char* table : {"/proc/net/tcp", "/proc/net/tcp6"}) {
    std::ifstream file(table);
    std::string line;
    std::getline(file, line);  // titles
    while (std::getline(file, line)) {
      std::istringstream words(line);
      std::string number, local, remote, state, queues, timer, retries, user,
          probes, inode;
      words >> number >> local >> remote >> state >> queues >> timer >>
          retries >> user >> probes >> inode;
      if (state != "0A" || own.count(inode) == 0) continue;
      const std::size_t colon = local.find(':');
      found.push_back({.address = local.substr(0, colon),
                       .port = static_cast<std::uint16_t>(
                           std::stoul(local.substr(colon + 1), nullptr, 16))});
    }
  }
  return found;
}

// What it says, within a moment, to a stranger who says `greeting`; "":
// nothing, or nobody listens.
std::string heard_by_a_stranger(std::uint16_t port,
                                std::string_view greeting = {}) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(port);
  const int handle = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (connect(handle, reinterpret_cast<sockaddr*>(&address), sizeof address) !=
      0) {
    close(handle);
    return "";
  }
  send(handle, greeting.data(), greeting.size(), MSG_NOSIGNAL);
  std::string heard;
  pollfd one = {.fd = handle, .events = POLLIN, .revents = 0};
  while (poll(&one, 1, 500) > 0) {
    char bytes[512];
    const ssize_t got = recv(handle, bytes, sizeof bytes, 0);
    if (got <= 0) break;
    heard.append(bytes, static_cast<std::size_t>(got));
  }
  close(handle);
  return heard;
}

// The ports of full transfers: they are in the option files, which are ours.
std::set<std::uint16_t> transfer_ports() {
  constexpr std::string_view kFile = "--defaults-file=";
  constexpr std::string_view kPort = "wsrep_sst_receive_address=127.0.0.1:";
  std::set<std::uint16_t> found;
  for (const int process : descendants(getpid())) {
    std::ifstream words("/proc/" + std::to_string(process) + "/cmdline");
    for (std::string word; std::getline(words, word, '\0');) {
      if (word.rfind(kFile, 0) != 0) continue;
      std::ifstream options(word.substr(kFile.size()));
      for (std::string line; std::getline(options, line);) {
        if (line.rfind(kPort, 0) != 0) continue;
        found.insert(
            static_cast<std::uint16_t>(std::stoul(line.substr(kPort.size()))));
      }
    }
  }
  return found;
}

// Whoever joins opens a port that rsync writes to: what it says to a stranger
// who asks for the node's files.
void ask_for_files(const std::set<std::uint16_t>& ports,
                   const std::atomic<bool>& over, std::string& answers) {
  while (!over) {
    for (const std::uint16_t port : ports) {
      answers += heard_by_a_stranger(port, "@RSYNCD: 31.0\nrsync_sst\n");
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

class Galera : public ByHand {
 protected:
  Galera() : ByHand("mariadb") { url_ = "galera"; }
};

TEST_F(Galera, ThreeNodes) {
  if (access("/usr/lib/galera/libgalera_smm.so", R_OK) != 0) {
    GTEST_SKIP() << "Galera is not installed";
  }
  start("repeatable-read");
  EXPECT_EQ(database_->nodes(),
            (std::vector<std::string>{"node1", "node2", "node3"}));
  for (unsigned session = 0; session < 3; ++session) {
    for (unsigned node = 0; node < 3; ++node) {
      // The same server, whoever asks.
      EXPECT_EQ(database_->place(session, node), (session + node) % 3);
    }
  }
  // Their ports are this machine's, and say nothing to a stranger. (Without
  // TLS a node would introduce itself.)
  const std::vector<Listening> open = listening();
  EXPECT_GE(open.size(), 3U);
  for (const Listening& place : open) {
    EXPECT_EQ(place.address, "0100007F") << place.port;
    if (access("/usr/bin/openssl", X_OK) != 0) continue;
    EXPECT_EQ(heard_by_a_stranger(place.port), "") << place.port;
  }
  // Sessions 0, 1 and 2 are at home on different nodes; all can write.
  Connection& a = connect();
  Connection& b = connect();
  Connection& c = connect();
  write_alone(a, "a", 1);
  write_alone(b, "b", 2);
  write_alone(c, "c", 3);
  // They will see it, sooner or later.
  for (Connection* session : {&a, &b, &c}) {
    while (committed_id(*session, "a") != 1 ||
           committed_id(*session, "b") != 2 ||
           committed_id(*session, "c") != 3) {
    }
  }
  // First committer wins, wherever it is; the other one is told at once or by
  // COMMIT.
  EXPECT_ANSWER(a, begin(false), Answer::done);
  EXPECT_ANSWER(b, begin(false), Answer::done);
  EXPECT_ANSWER(a, write("x", 4, ""), Answer::done);
  EXPECT_ANSWER(b, write("x", 5, ""), Answer::done);
  EXPECT_ANSWER(a, commit(), Answer::done);
  EXPECT_ANSWER(b, commit(), Answer::refused);
  EXPECT_EQ(b.trouble().code, "1213");
  EXPECT_ANSWER(b, rollback(), Answer::done);

  // A node is killed, and comes back with what the others did meanwhile.
  Random random(1);
  const std::set<std::uint16_t> transfers = transfer_ports();
  EXPECT_EQ(transfers.size(), 3U);
  EXPECT_FALSE(database_->begin_fault(Fault::kill, random));
  std::atomic<bool> over = false;
  std::string answers;
  std::thread stranger([&] { ask_for_files(transfers, over, answers); });
  const Outcome restarted = database_->end_fault(Fault::kill);
  over = true;
  stranger.join();
  EXPECT_EQ(answers.find("@RSYNCD: OK"), std::string::npos) << answers;
  EXPECT_NE(answers.find("@RSYNCD: AUTHREQD"), std::string::npos) << answers;
  ASSERT_FALSE(restarted) << to_string(*restarted);
  for (int i = 0; i < 3; ++i) {
    Connection& again = connect();
    while (committed_id(again, "x") != 4) {
    }
  }
}

}  // namespace
}  // namespace awdit
