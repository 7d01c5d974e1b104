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
  /// What the client has of a patch near it, as far as it has said, and what it was sent; by chunk.
  struct Chunks {
    std::vector<std::uint16_t> has, sent;
  };
  std::map<Handle, Chunks> chunks;
  double contents_left = 0;  ///< that it may be sent
};

}  // namespace perigee::worker
