#pragma once

#include "perigee/replication/observer.hpp"
#include "perigee/worker/core.hpp"

namespace perigee::worker {

/// An observer with the record that is about to take effect.
struct Core::ObserverState {
  replication::Observer observer;
  std::optional<ObserverRecord> coming;
  Tick effective;  ///< of the record in force
  bool in_force = false;
};

}  // namespace perigee::worker
