// What small workloads share: clients that keep nothing from one task to the
// next, and at the end a look at every key. Private to workload/.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "workload/workload.h"

namespace awdit {

// Reads every key once more, so that the last writes are seen; `lists`: the
// keys are of lists.
Task final_reads(std::vector<std::string> keys, bool lists);

// `Kind` derives from it and has Task task(Random random, std::uint32_t
// session), safe to be called by the threads of all sessions, and
// std::vector<std::string> all() const, the keys that there are; kLists: of
// lists.
template <typename Kind, bool kLists = false>
class SmallWorkload : public Workload {
 public:
  std::unique_ptr<Client> client(std::uint32_t session) override {
    return std::make_unique<PlainClient>(static_cast<Kind&>(*this), session);
  }
  std::optional<Task> finale() override {
    return final_reads(static_cast<const Kind&>(*this).all(), kLists);
  }

 private:
  class PlainClient final : public Client {
   public:
    PlainClient(Kind& workload, std::uint32_t session)
        : workload_(workload), session_(session) {}
    Task task(Random random) override {
      return workload_.task(random, session_);
    }

   private:
    Kind& workload_;
    std::uint32_t session_;
  };
};

}  // namespace awdit
