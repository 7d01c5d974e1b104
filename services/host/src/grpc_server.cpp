#include "perigee/host/grpc_server.hpp"

#include <grpcpp/ext/proto_server_reflection_plugin.h>
#include <grpcpp/grpcpp.h>
#include <grpcpp/health_check_service_interface.h>

#include <chrono>
#include <mutex>
#include <string>
#include <utility>

#include "grpc_log.hpp"

namespace perigee::host {
namespace {

bool is_loopback(const Address& address) {
  if (address.family == Address::Family::IPv4) return address.ip[0] == 127;
  return to_string(Address{address.family, 0, address.ip}) == "[::1]:0";
}

void set_up_services() {
  static std::once_flag once;
  std::call_once(once, [] {
    grpc::EnableDefaultHealthCheckService(true);
    grpc::reflection::InitProtoReflectionServerBuilderPlugin();
  });
}

}  // namespace

struct GrpcServer::Impl {
  std::unique_ptr<grpc::Server> server;
};

Result<std::unique_ptr<GrpcServer>> GrpcServer::start(const Options& options,
                                                      std::span<grpc::Service* const> services) {
  const std::string listen = to_string(options.listen);
  if (!is_loopback(options.listen) && !options.insecure) {
    return Error{"gRPC on " + listen + " would be open to that network without certificates; " +
                 "listen on 127.0.0.1, or add --insecure if the network is private"};
  }
  quieten_grpc();
  set_up_services();
  grpc::ServerBuilder builder;
  // A second server on the same port would otherwise silently share it.
  builder.AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT, 0);
  // Members' keep-alive pings on quiet streams are welcome.
  builder.AddChannelArgument(GRPC_ARG_HTTP2_MIN_RECV_PING_INTERVAL_WITHOUT_DATA_MS, 1'000);
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_PERMIT_WITHOUT_CALLS, 1);
  int port = 0;
  builder.AddListeningPort(listen, grpc::InsecureServerCredentials(), &port);
  for (grpc::Service* service : services) builder.RegisterService(service);
  auto impl = std::make_unique<Impl>();
  impl->server = builder.BuildAndStart();
  if (impl->server == nullptr || port == 0) {
    return Error{"gRPC port " + listen +
                 " cannot be opened; another process may hold it: choose another --port-base, or " +
                 "see ss -ltnp 'sport = :" + std::to_string(options.listen.port) + "'"};
  }
  std::unique_ptr<GrpcServer> server(new GrpcServer(std::move(impl)));
  server->set_healthy(true);
  return server;
}

GrpcServer::GrpcServer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
GrpcServer::~GrpcServer() {
  impl_->server->Shutdown(std::chrono::system_clock::now() + std::chrono::seconds(1));
  impl_->server->Wait();
}
void GrpcServer::set_healthy(bool healthy) {
  impl_->server->GetHealthCheckService()->SetServingStatus(healthy);
}

}  // namespace perigee::host
