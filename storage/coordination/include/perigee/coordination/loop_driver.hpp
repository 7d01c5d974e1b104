/// A store on a process's event loop.
#pragma once

#include <functional>
#include <memory>

#include "perigee/coordination/store.hpp"
#include "perigee/host/loop.hpp"

namespace perigee::coordination {

/// Polls the store on the loop's thread: as soon as something arrives, and every 50 ms.
class LoopDriver {
 public:
  LoopDriver(host::Loop& loop, Store& store);
  /// `poll` polls the store, for callers that hold a lock around it.
  LoopDriver(host::Loop& loop, Store& store, std::function<void()> poll);
  ~LoopDriver();

 private:
  Store& store_;
  std::shared_ptr<const std::function<void()>> poll_;
  host::Timer timer_;
};

}  // namespace perigee::coordination
