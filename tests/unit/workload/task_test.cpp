// Tasks and their parts: steps come one by one, answers arrive where they were
// asked for, and what is thrown away in the middle leaves nothing behind.
#include "workload/task.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace awdit {
namespace {

int alive = 0;

// Stands for everything that a body holds.
struct Held {
  Held() { ++alive; }
  Held(const Held&) { ++alive; }
  Held(Held&&) noexcept { ++alive; }
  Held& operator=(const Held&) = default;
  Held& operator=(Held&&) noexcept = default;
  ~Held() { --alive; }
};

Task pay(std::string from, std::string to) {
  co_await step::begin("transfer");
  const Row row = co_await step::read(from);
  std::string payload = row.payload + "+1";
  co_await step::write(to, std::move(payload));
  co_await step::commit();
}

TEST(Task, AsksForOneStepAfterTheOther) {
  Task task = pay("a", "a key that is too long to be kept in the string");
  const Request* step = task.next();
  ASSERT_NE(step, nullptr);
  EXPECT_EQ(step->kind, Request::Kind::begin);
  EXPECT_EQ(step->label, "transfer");
  EXPECT_FALSE(step->read_only);
  step = task.next();
  EXPECT_EQ(step->kind, Request::Kind::read);
  EXPECT_EQ(step->key, "a");
  task.reply() = Row{.exists = true, .payload = "5"};
  step = task.next();
  EXPECT_EQ(step->kind, Request::Kind::write);
  EXPECT_EQ(step->key, "a key that is too long to be kept in the string");
  EXPECT_EQ(step->payload, "5+1");
  step = task.next();
  EXPECT_EQ(step->kind, Request::Kind::commit);
  EXPECT_EQ(task.next(), nullptr);
}

TEST(Task, StepsSayWhatTheyAre) {
  const auto all = []() -> Task {
    co_await step::begin("look", true);
    co_await step::append("list");
    co_await step::read_list("list");
    co_await step::rollback();
  };
  Task task = all();
  const Request* step = task.next();
  EXPECT_TRUE(step->read_only);
  step = task.next();
  EXPECT_EQ(step->kind, Request::Kind::append);
  EXPECT_EQ(step->key, "list");
  EXPECT_EQ(task.next()->kind, Request::Kind::read_list);
  EXPECT_EQ(task.next()->kind, Request::Kind::rollback);
  EXPECT_EQ(task.next(), nullptr);
}

// -- parts --------------------------------------------------------------------

Part<int> number(std::string key) {
  const Held held;
  const Row row = co_await step::read(key);
  co_return row.exists ? std::stoi(row.payload) : -1;
}

Part<int> sum(std::string a, std::string b) {
  const Held held;
  const int first = co_await number(a);
  const int second = co_await number(b);
  co_return first + second;
}

// A part that asks for nothing.
Part<std::string> text(int value) { co_return std::to_string(value); }

Task add(int rounds) {
  const Held held;
  co_await step::begin("add");
  for (int i = 0; i < rounds; ++i) {
    const int result = co_await sum("a", "b");
    const std::string payload = co_await text(result);
    co_await step::write("sum", payload);
  }
  co_await step::commit();
}

TEST(Part, PartsOfPartsGiveTheirValues) {
  Task task = add(2);
  task.next();
  for (int round = 0; round < 2; ++round) {
    EXPECT_EQ(task.next()->key, "a");
    task.reply() = Row{.exists = true, .payload = std::to_string(round)};
    EXPECT_EQ(task.next()->key, "b");
    task.reply() = Row{.exists = true, .payload = "40"};
    const Request* const step = task.next();
    EXPECT_EQ(step->kind, Request::Kind::write);
    EXPECT_EQ(step->payload, std::to_string(round + 40));
  }
  EXPECT_EQ(task.next()->kind, Request::Kind::commit);
  EXPECT_EQ(task.next(), nullptr);
}

TEST(Part, AnAnswerIsForOneRead) {
  Task task = add(1);
  task.next();
  task.next();
  task.reply() = Row{.exists = true, .payload = "7"};
  task.next();
  task.reply() = Row{};
  EXPECT_EQ(task.next()->payload, "6");
}

TEST(Task, ThrownAwayAnywhereItLeavesNothing) {
  for (int steps = 0; steps <= 9; ++steps) {
    {
      Task task = add(2);
      const Request* step = nullptr;
      for (int i = 0; i < steps; ++i) {
        step = task.next();
        task.reply() = Row{.exists = true, .payload = "1"};
      }
      EXPECT_EQ(step == nullptr, steps == 0 || steps == 9) << steps;
      EXPECT_EQ(alive > 0, steps > 0 && steps < 9) << steps;
    }
    EXPECT_EQ(alive, 0) << steps;
  }
}

TEST(Task, TheArgumentsOfOneThatNeverBeganGoToo) {
  const auto body = [](Held) -> Task { co_await step::begin("never"); };
  {
    const Task task = body(Held());
    EXPECT_GT(alive, 0);
  }
  EXPECT_EQ(alive, 0);
}

TEST(Task, AMovedOneGoesOn) {
  {
    Task task = add(1);
    task.next();
    Task other = std::move(task);
    EXPECT_EQ(other.next()->key, "a");
    Task third = add(1);
    third = std::move(other);
    third.reply() = Row{.exists = true, .payload = "1"};
    EXPECT_EQ(third.next()->key, "b");
  }
  EXPECT_EQ(alive, 0);
}

}  // namespace
}  // namespace awdit
