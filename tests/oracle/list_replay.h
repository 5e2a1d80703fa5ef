// Lists along a commit order: which list every key has when, and so where each
// read got its list from.
#pragma once

#include <vector>

#include "oracle/oracle.h"

namespace awdit::oracle {

// The versions of every key, made by those who were placed so far.
class ListReplay {
 public:
  explicit ListReplay(const Facts& facts);

  // The next one in the order. Returns its reads with their sources; nothing,
  // and it is not placed, if one returned what it cannot have seen.
  std::optional<std::vector<Read>> place(std::uint32_t t);
  // Takes back the last one that was placed.
  void take_back(std::uint32_t t);

 private:
  struct Version {
    std::uint32_t maker;
    List list;
  };
  std::uint32_t source_of(const ListRead& read) const;

  const Facts& facts_;
  std::vector<std::vector<Version>> versions_;  // [key], the first is empty
};

// `facts` with reads, directly_before and past as that order tells them;
// nothing if it contains no session order, or if some read returned what it
// cannot have seen. REQUIRES: facts.lists; `order` lists the live transactions.
std::optional<Facts> told_along(const Facts& facts,
                                const std::vector<std::uint32_t>& order);

// brute_force and replays for lists.
bool some_order_of_lists(const Facts& facts, const Oracle& oracle);
bool replays_lists(const Facts& facts, const Oracle& oracle,
                   const std::vector<std::uint32_t>& order,
                   const std::vector<std::uint32_t>& snapshots);

}  // namespace awdit::oracle
