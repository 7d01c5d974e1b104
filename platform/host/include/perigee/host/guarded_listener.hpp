/// A TCP port that checks connections with Http2Guard before gRPC sees them. gRPC gets one end of a
/// socket pair for each connection; one thread copies bytes between the two sockets, and ends TLS.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

#include "perigee/base/address.hpp"
#include "perigee/base/result.hpp"
#include "perigee/host/caller.hpp"
#include "perigee/host/grpc_limits.hpp"
#include "perigee/host/tls.hpp"

namespace perigee::host {

class GuardedListener {
 public:
  /// Takes over the descriptor of a client's connection. Called on the listener's thread.
  using HandOver = std::function<void(int descriptor, const Caller& client)>;

  /// `tls`: clients must speak TLS, and gRPC gets what they say in it; null: plain. Must outlive
  /// the listener.
  static Result<std::unique_ptr<GuardedListener>> open(const Address& local,
                                                       const GrpcLimits& limits,
                                                       const TlsServer* tls = nullptr);
  /// Closes all connections.
  ~GuardedListener();
  GuardedListener(const GuardedListener&) = delete;
  GuardedListener& operator=(const GuardedListener&) = delete;

  /// Starts to accept connections. Call it once.
  void start(HandOver hand_over);
  /// Accepts no more; `hand_over` is not called after this returns.
  void stop_accepting();

  /// Any thread.
  Counts<GrpcBreach> breaches() const;
  /// Open ones, and closed ones that gRPC has not removed yet. Any thread.
  std::size_t connections() const;

 private:
  struct Impl;
  explicit GuardedListener(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace perigee::host
