/// A network namespace with only a loopback interface: floods and saturation do not mix with other
/// traffic. Works for root, and for other users where unprivileged user namespaces are allowed.
#pragma once

#include "perigee/base/result.hpp"

namespace perigee::own_network {

/// Moves this process, and its future children, into a new network for good. Call it before any
/// thread is started.
Result<Ok> enter(int loopback_mtu = 65'536);

/// The same for the calling thread and its children, for the lifetime of this object.
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
