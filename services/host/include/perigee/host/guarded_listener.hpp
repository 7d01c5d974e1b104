/// A TCP port whose connections pass a guard before gRPC sees them. gRPC gets the far end of a
/// socket pair for each of them; one thread passes bytes between the two.
#pragma once

#include <functional>
#include <memory>

#include "perigee/host/grpc_limits.hpp"
#include "perigee/netcode/address.hpp"
#include "perigee/netcode/result.hpp"

namespace perigee::host {

class GuardedListener {
 public:
  /// Takes the descriptor over, and learns who is behind it. Called on the listener's thread.
  using HandOver = std::function<void(int descriptor, const Address& client)>;

  static Result<std::unique_ptr<GuardedListener>> open(const Address& local,
                                                       const GrpcLimits& limits);
  /// Closes all connections.
  ~GuardedListener();
  GuardedListener(const GuardedListener&) = delete;
  GuardedListener& operator=(const GuardedListener&) = delete;

  /// Accepts from now on. Once.
  void start(HandOver hand_over);
  /// Accepts nothing more; hand_over is not called after this returned.
  void stop_accepting();

  /// Any thread.
  Counts<GrpcBreach> breaches() const;

 private:
  struct Impl;
  explicit GuardedListener(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace perigee::host
