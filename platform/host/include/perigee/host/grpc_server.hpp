/// A gRPC server with our common features: limits, health service, reflection, errors with a
/// remedy.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "perigee/base/address.hpp"
#include "perigee/base/result.hpp"
#include "perigee/host/grpc_limits.hpp"
#include "perigee/host/tls.hpp"

namespace grpc {
class Service;
}

namespace perigee::host {

class GrpcServer {
 public:
  struct Options {
    Address listen;
    /// Without a certificate gRPC listens on loopback only, unless the operator declares the
    /// network to be private (--insecure).
    bool insecure = false;
    GrpcLimits limits;
    const TlsServer* tls = nullptr;  ///< must outlive the server; null: plain
  };
  /// Calls arrive on gRPC's threads. The services must outlive the server. A process must start its
  /// servers without reflection before those with it: gRPC enables reflection for all later
  /// servers.
  static Result<std::unique_ptr<GrpcServer>> start(const Options& options,
                                                   std::span<grpc::Service* const> services);
  /// Waits up to a second for calls in flight.
  ~GrpcServer();
  GrpcServer(const GrpcServer&) = delete;
  GrpcServer& operator=(const GrpcServer&) = delete;

  /// The health service's answer for the whole server. Serving from the start.
  void set_healthy(bool healthy);
  /// Connections that were closed because they broke a limit.
  Counts<GrpcBreach> breaches() const;
  /// Connections that count against the limit.
  std::size_t connections() const;

 private:
  struct Impl;
  explicit GrpcServer(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace perigee::host
