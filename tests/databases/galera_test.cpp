// A Galera cluster of our own: three servers, all of which take writes.
#include <unistd.h>

#include "unit/driver/by_hand.h"

namespace awdit {
namespace {

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
  EXPECT_FALSE(database_->begin_fault(Fault::kill, random));
  const Outcome restarted = database_->end_fault(Fault::kill);
  ASSERT_FALSE(restarted) << to_string(*restarted);
  for (int i = 0; i < 3; ++i) {
    Connection& again = connect();
    while (committed_id(again, "x") != 4) {
    }
  }
}

}  // namespace
}  // namespace awdit
