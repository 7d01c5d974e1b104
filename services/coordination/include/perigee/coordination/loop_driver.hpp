/// A store on a process's event loop.
#pragma once

#include <memory>

#include "perigee/coordination/store.hpp"
#include "perigee/host/loop.hpp"

namespace perigee::coordination {

/// Polls the store on the loop's thread: as soon as something arrives, and every 50 ms.
class LoopDriver {
 public:
  LoopDriver(host::Loop& loop, Store& store);
  ~LoopDriver();

 private:
  Store& store_;
  std::shared_ptr<const bool> alive_ = std::make_shared<bool>(true);
  host::Timer timer_;
};

}  // namespace perigee::coordination
