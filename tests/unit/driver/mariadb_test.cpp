// What needs no server: addresses, and what errors mean.
#include <gtest/gtest.h>

#include "driver/mariadb_answers.h"
#include "driver/mariadb_url.h"

namespace awdit {
namespace {

MariadbAddress only(std::string_view url) {
  auto parsed = parse_mariadb_url(url);
  EXPECT_TRUE(parsed) << to_string(parsed.error());
  EXPECT_EQ(parsed->size(), 1U);
  return parsed->front();
}

TEST(MariadbUrl, HasAllParts) {
  const MariadbAddress address = only(
      "mariadb://me:p%40ss%3aword@db.example:3307/test%20one"
      "?ssl-ca=/etc/ca.pem&ssl-verify=on&ssl-cert=c&ssl-key=k&ssl=1");
  EXPECT_EQ(address.user, "me");
  EXPECT_EQ(address.password, "p@ss:word");
  EXPECT_EQ(address.host, "db.example");
  EXPECT_EQ(address.port, 3307U);
  EXPECT_EQ(address.database, "test one");
  EXPECT_EQ(address.tls_authority, "/etc/ca.pem");
  EXPECT_EQ(address.tls_certificate, "c");
  EXPECT_EQ(address.tls_key, "k");
  EXPECT_TRUE(address.tls_verify);
  EXPECT_TRUE(address.tls);
  EXPECT_TRUE(address.option_files);
  EXPECT_EQ(address.text(), "db.example:3307");
}

TEST(MariadbUrl, MayHaveNone) {
  for (const char* url : {"mariadb", "mysql://", "mariadb:///"}) {
    const MariadbAddress address = only(url);
    EXPECT_EQ(address.host, "") << url;
    EXPECT_EQ(address.user, "") << url;
    EXPECT_EQ(address.database, "") << url;
    EXPECT_EQ(address.text(), "localhost") << url;
  }
  EXPECT_EQ(only("mysql://root@/awdit?socket=/run/s").socket, "/run/s");
  EXPECT_EQ(only("mysql://me@[::1]:3308/d").host, "::1");
  EXPECT_EQ(only("mysql://me@[::1]:3308/d").port, 3308U);
  EXPECT_EQ(only("mysql://me:a@b@host/d").password, "a@b");
}

TEST(MariadbUrl, NamesSeveralServers) {
  const auto parsed = parse_mariadb_url("galera://me@one,two:3307,three/db");
  ASSERT_TRUE(parsed);
  ASSERT_EQ(parsed->size(), 3U);
  EXPECT_EQ((*parsed)[0].text(), "one");
  EXPECT_EQ((*parsed)[1].text(), "two:3307");
  EXPECT_EQ((*parsed)[2].text(), "three");
  for (const MariadbAddress& address : *parsed) {
    EXPECT_EQ(address.user, "me");
    EXPECT_EQ(address.database, "db");
  }
}

TEST(MariadbUrl, MistakesAreNamedWithoutThePassword) {
  for (const char* url :
       {"mariadb:secret", "mariadb://me:secret@host:port/db",
        "mariadb://me:secret@host:70000/db", "mariadb://me:secret%4@host/db",
        "mariadb://me:secret@host/db?colour=red",
        "mariadb://me:secret@host/db?ssl=maybe",
        "mariadb://me:secret%zz@host/db", "mariadb://me:secret@host/%00",
        // What should have been escaped.
        "mariadb://me:secret/x@host/db", "mariadb://me:1/secret@host/db",
        "mariadb://me:x/y?secret@host/db", "mariadb://me:x@y/secret@host/db",
        "mariadb://me:secret"}) {
    const auto parsed = parse_mariadb_url(url);
    ASSERT_FALSE(parsed) << url;
    EXPECT_EQ(to_string(parsed.error()).find("secret"), std::string::npos);
  }
}

TEST(MariadbAnswers, DependOnThePhase) {
  for (const bool committing : {false, true}) {
    for (const unsigned refused : {1020U, 1047U, 1205U, 1213U}) {
      EXPECT_EQ(answer_of_mariadb(refused, committing), Answer::refused);
    }
    for (const unsigned lost : {1053U, 1927U, 2002U, 2006U, 2013U, 5014U}) {
      EXPECT_EQ(answer_of_mariadb(lost, committing), Answer::lost) << lost;
    }
  }
  for (const unsigned other : {1021U, 1114U, 1146U, 1180U, 2014U}) {
    EXPECT_EQ(answer_of_mariadb(other, false), Answer::fatal) << other;
    EXPECT_EQ(answer_of_mariadb(other, true), Answer::ambiguous) << other;
  }
}

}  // namespace
}  // namespace awdit
