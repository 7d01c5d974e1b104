/// A gRPC server with the common face: limits, health service, reflection, one remedy per refusal.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "perigee/host/grpc_limits.hpp"
#include "perigee/netcode/address.hpp"
#include "perigee/netcode/result.hpp"

namespace grpc {
class Service;
}

namespace perigee::host {

class GrpcServer {
 public:
  struct Options {
    Address listen;
    /// Without certificates gRPC stays on loopback, unless the operator says that the network
    /// around it is private (--insecure).
    bool insecure = false;
    GrpcLimits limits;
  };
  /// Calls arrive on gRPC's threads. The services outlive the server. A process starts its servers
  /// without reflection before those with it: gRPC knows reflection for all later servers only.
  static Result<std::unique_ptr<GrpcServer>> start(const Options& options,
                                                   std::span<grpc::Service* const> services);
  /// Waits up to a second for calls in flight.
  ~GrpcServer();
  GrpcServer(const GrpcServer&) = delete;
  GrpcServer& operator=(const GrpcServer&) = delete;

  /// What the health service answers for the whole server. Serving from the start.
  void set_healthy(bool healthy);
  /// Connections that were closed because they broke a limit.
  Counts<GrpcBreach> breaches() const;

 private:
  struct Impl;
  explicit GrpcServer(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

/// The address behind `peer`, as a call's context names it, within that call. Invalid if `peer` is
/// no connection of a GrpcServer of this process.
Address client_address(std::string_view peer);

}  // namespace perigee::host
