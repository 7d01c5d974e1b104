/// A network of our own, with nothing but a loopback interface: what floods and saturates does not
/// meet anybody else's traffic. Works for root, and for others where unprivileged user namespaces
/// are allowed.
#pragma once

#include "perigee/netcode/result.hpp"

namespace perigee::own_network {

/// Moves this process, and the children it will start, into a fresh network for good. Before any
/// thread is started.
Result<Ok> enter(int loopback_mtu = 65'536);

/// The same for the calling thread and its children, until the end of this object.
class Stay {
 public:
  explicit Stay(int loopback_mtu);
  ~Stay();
  Stay(const Stay&) = delete;
  Stay& operator=(const Stay&) = delete;

  /// An error: this machine does not allow it.
  const Result<Ok>& entered() const { return entered_; }

 private:
  int former_;
  Result<Ok> entered_;
};

}  // namespace perigee::own_network
