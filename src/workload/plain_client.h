// A client that keeps nothing from one task to the next: it asks its workload
// for each. Private to workload/.
#pragma once

#include <cstdint>

#include "workload/workload.h"

namespace awdit {

// `Kind` has Task task(Random random, std::uint32_t session), safe to be called
// by the threads of all sessions.
template <typename Kind>
class PlainClient final : public Client {
 public:
  PlainClient(Kind& workload, std::uint32_t session)
      : workload_(workload), session_(session) {}
  Task task(Random random) override { return workload_.task(random, session_); }

 private:
  Kind& workload_;
  std::uint32_t session_;
};

}  // namespace awdit
