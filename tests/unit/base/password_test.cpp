// No piece of a password is shown, however odd the URL.
#include "base/password.h"

#include <gtest/gtest.h>

#include <vector>

namespace awdit {
namespace {

TEST(Password, IsLeftOutOfUrls) {
  EXPECT_EQ(without_password("unknown argument 'postgres://me:pw@host/db'"),
            "unknown argument 'postgres://me:***@host/db'");
  // The characters that should have been escaped, and were not.
  for (const char* password :
       {"PW", "PW@", "@PW", "P@W", "P/W", "/PW", "P:W", "P?W", "P#W", "P W",
        "P'W", "P%W", "123/PW", "P@W/P@W", "a://PW:x@PW"}) {
    const std::string url =
        "mariadb://me:" + std::string(password) + "@host:3306/db";
    EXPECT_EQ(without_password(url), "mariadb://me:***@host:3306/db");
    EXPECT_EQ(without_password("'" + url + "'; did you mean 'x'?"),
              "'mariadb://me:***@host:3306/db'; did you mean 'x'?");
  }
}

TEST(Password, WhatIsNoneStays) {
  for (const char* text :
       {"postgres://me@host:5432/db", "postgres://host:5432/db",
        "postgres://[::1]:5432/db", "mysql://host", "mysql://", "key 10:30@x",
        "history.txt:3:7: no number", "Access denied (using password: YES)",
        "a@b", ""}) {
    EXPECT_EQ(without_password(text), text);
  }
}

TEST(Password, AUrlWithoutAHostHasNoPort) {
  EXPECT_EQ(without_password("'postgres://me:secret'"), "'postgres://me:***'");
  EXPECT_EQ(without_password("postgres://me:secret/db"),
            "postgres://me:***/db");
}

TEST(Password, IsLeftOutOfParameters) {
  EXPECT_EQ(without_password("postgres://h/d?password=secret&x=1"),
            "postgres://h/d?password=***&x=1");
  EXPECT_EQ(without_password("postgres:host=h password='a \\' b' dbname=d"),
            "postgres:host=h password=*** dbname=d");
  EXPECT_EQ(without_password("sslpassword=secret"), "sslpassword=***");
  EXPECT_EQ(without_password("password='open"), "password=***");
}

TEST(Password, AWordMayBeAnAddressWithoutAScheme) {
  EXPECT_EQ(address_without_password("me:secret@host/db"), "me:***@host/db");
  EXPECT_EQ(address_without_password("postgres:me:se@cret@host"),
            "postgres:***@host");
  EXPECT_EQ(address_without_password("history:1.txt"), "history:1.txt");
}

TEST(Password, SecretsAreFoundAnywhere) {
  const std::vector<std::string> secrets = {"open", "", "open sesame"};
  EXPECT_EQ(without_secrets("say open sesame, not open", secrets),
            "say ***, not ***");
  EXPECT_EQ(without_secrets("nothing", secrets), "nothing");
}

}  // namespace
}  // namespace awdit
