/// A gRPC server with the common face: health service, reflection, one remedy per refusal.
#pragma once

#include <memory>
#include <span>

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
  };
  /// Calls arrive on gRPC's threads. The services outlive the server.
  static Result<std::unique_ptr<GrpcServer>> start(const Options& options,
                                                   std::span<grpc::Service* const> services);
  /// Waits up to a second for calls in flight.
  ~GrpcServer();
  GrpcServer(const GrpcServer&) = delete;
  GrpcServer& operator=(const GrpcServer&) = delete;

  /// What the health service answers for the whole server. Serving from the start.
  void set_healthy(bool healthy);

 private:
  struct Impl;
  explicit GrpcServer(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace perigee::host
