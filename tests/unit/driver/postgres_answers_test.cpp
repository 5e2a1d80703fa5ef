// Which errors mean a no, and which mean nothing.
#include "driver/postgres_answers.h"

#include <gtest/gtest.h>

namespace awdit {
namespace {

using enum PostgresProduct;

Answer body(const char* sqlstate) {
  return postgres_answer("ERROR", sqlstate, Phase::body, postgres);
}
Answer commit(const char* sqlstate, PostgresProduct product = postgres) {
  return postgres_answer("ERROR", sqlstate, Phase::commit, product);
}

TEST(PostgresAnswers, BeforeCommitAnErrorIsANo) {
  for (const char* code : {"40001", "40P01", "23505", "25P02", "25006", "55P03",
                           "57014", "40003", "0A000", "XX000", "53300"}) {
    EXPECT_EQ(body(code), Answer::refused) << code;
  }
}

TEST(PostgresAnswers, SomeErrorsWillStay) {
  for (const char* code : {"42P01", "42501", "53100", "58030", "26000"}) {
    EXPECT_EQ(body(code), Answer::fatal) << code;
  }
}

TEST(PostgresAnswers, AServerThatLeavesDoesNotAnswer) {
  for (const Phase phase : {Phase::body, Phase::commit}) {
    EXPECT_EQ(postgres_answer("FATAL", "57P01", phase, postgres), Answer::lost);
    EXPECT_EQ(postgres_answer("PANIC", "53100", phase, postgres), Answer::lost);
  }
}

TEST(PostgresAnswers, AfterCommitItDependsOnWhoSpeaks) {
  for (const char* code : {"40001", "40P01", "23505", "25P02"}) {
    for (const PostgresProduct product : {postgres, cockroachdb, yugabytedb}) {
      EXPECT_EQ(commit(code, product), Answer::refused) << code;
    }
  }
  for (const char* code : {"40003", "08007"}) {
    EXPECT_EQ(commit(code), Answer::ambiguous) << code;
    EXPECT_EQ(commit(code, cockroachdb), Answer::ambiguous) << code;
  }
  // PostgreSQL rolls back; the others may not know.
  for (const char* code : {"XX000", "57014", "42P01", "53100"}) {
    EXPECT_EQ(commit(code), Answer::refused) << code;
    EXPECT_EQ(commit(code, cockroachdb), Answer::ambiguous) << code;
    EXPECT_EQ(commit(code, yugabytedb), Answer::ambiguous) << code;
  }
}

TEST(PostgresAnswers, TellsProductsByTheirVersion) {
  EXPECT_EQ(postgres_product("PostgreSQL 15.18 (Debian 15.18-0) on x86_64"),
            postgres);
  EXPECT_EQ(postgres_product("CockroachDB CCL v24.1.0 (x86_64-pc-linux-gnu)"),
            cockroachdb);
  EXPECT_EQ(postgres_product("PostgreSQL 11.2-YB-2.21.0.0-b0 on x86_64"),
            yugabytedb);
}

}  // namespace
}  // namespace awdit
