#include "perigee/host/grpc_server.hpp"

#include <grpc/grpc.h>
#include <grpcpp/ext/proto_server_reflection_plugin.h>
#include <grpcpp/grpcpp.h>
#include <grpcpp/health_check_service_interface.h>
#include <grpcpp/resource_quota.h>
#include <grpcpp/server_posix.h>

#include <charconv>
#include <chrono>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "grpc_log.hpp"
#include "perigee/base/assert.hpp"
#include "perigee/host/caller.hpp"
#include "perigee/host/guarded_listener.hpp"
#include "perigee/host/http2_guard.hpp"
#include "perigee/host/process.hpp"

namespace perigee::host {
namespace {

void set_up_services() {
  static std::once_flag once;
  std::call_once(once, [] {
    grpc::EnableDefaultHealthCheckService(true);
    // With its last object gRPC would end its threads, and wait for them for up to ten seconds.
    // So it keeps them until the process ends.
    grpc_init();
  });
}

void reflect(bool wanted) {
  static bool on = false;
  PERIGEE_ASSERT(wanted || !on, "servers without reflection must start before those with it");
  if (wanted && !std::exchange(on, true))
    grpc::reflection::InitProtoReflectionServerBuilderPlugin();
}

/// Callers by the descriptor that gRPC got. gRPC closes a descriptor after all calls of
/// its connection are over; only then can the kernel reuse the number.
class Clients {
 public:
  void set(int descriptor, const Caller& client) {
    const std::lock_guard lock(mutex_);
    by_descriptor_[descriptor] = client;
  }
  std::optional<Caller> get(int descriptor) {
    const std::lock_guard lock(mutex_);
    const auto found = by_descriptor_.find(descriptor);
    return found == by_descriptor_.end() ? std::nullopt : std::optional(found->second);
  }

 private:
  std::mutex mutex_;
  std::map<int, Caller> by_descriptor_;
};
/// For all servers of this process: a descriptor number identifies one connection.
Clients& clients() {
  static Clients all;
  return all;
}

void limit_server(grpc::ServerBuilder& builder, const GrpcLimits& limits) {
  // gRPC decompresses a message before it compares its size with the limit.
  for (const auto algorithm : {GRPC_COMPRESS_DEFLATE, GRPC_COMPRESS_GZIP}) {
    builder.SetCompressionAlgorithmSupportStatus(algorithm, false);
  }
  builder.AddChannelArgument(GRPC_ARG_ENABLE_PER_MESSAGE_DECOMPRESSION, 0);
  builder.SetMaxReceiveMessageSize(static_cast<int>(limits.request_bytes_max));
  const auto set = [&](const char* name, std::uint32_t value) {
    builder.AddChannelArgument(name, static_cast<int>(value));
  };
  set(GRPC_ARG_MAX_CONCURRENT_STREAMS, limits.calls_per_connection_max);
  set(GRPC_ARG_MAX_METADATA_SIZE, limits.metadata_bytes_max);
  set(GRPC_ARG_HTTP2_MAX_FRAME_SIZE, Http2Guard::frame_bytes_max);
  set(GRPC_ARG_HTTP2_BDP_PROBE, 0);  // it would widen windows, but requests are never large
  // gRPC sends GOAWAY first, so that no call is lost to a connection that is being closed.
  if (limits.idle_us_max != 0) {
    set(GRPC_ARG_MAX_CONNECTION_IDLE_MS, static_cast<std::uint32_t>(limits.idle_us_max / 2'000));
  }
  // Members ping on quiet streams. A connection that does not answer our pings is closed.
  set(GRPC_ARG_HTTP2_MIN_RECV_PING_INTERVAL_WITHOUT_DATA_MS, 1'000);
  set(GRPC_ARG_KEEPALIVE_PERMIT_WITHOUT_CALLS, 1);
  set(GRPC_ARG_KEEPALIVE_TIME_MS, 20'000);
  set(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, 10'000);
  grpc::ResourceQuota quota;
  quota.Resize(limits.memory_bytes_max).SetMaxThreads(static_cast<int>(limits.threads_max));
  builder.SetResourceQuota(quota);
  builder.SetSyncServerOption(grpc::ServerBuilder::NUM_CQS, 1);
  builder.SetSyncServerOption(grpc::ServerBuilder::MAX_POLLERS, 2);
}

}  // namespace

struct GrpcServer::Impl {
  std::unique_ptr<GuardedListener> listener;
  std::unique_ptr<grpc::Server> server;
};

Result<std::unique_ptr<GrpcServer>> GrpcServer::start(const Options& options,
                                                      std::span<grpc::Service* const> services) {
  const std::string listen = to_string(options.listen);
  const auto private_enough =
      check_network("gRPC", options.listen, options.insecure || options.tls != nullptr);
  if (!private_enough) return private_enough.error();
  auto listener = GuardedListener::open(options.listen, options.limits, options.tls);
  if (!listener) {
    return Error{"gRPC port " + listen + " cannot be opened (" + listener.error().message +
                 "); another process may hold it: choose another --port-base, or " +
                 "see ss -ltnp 'sport = :" + std::to_string(options.listen.port) + "'"};
  }
  quieten_grpc();
  set_up_services();
  reflect(options.limits.reflection);
  grpc::ServerBuilder builder;
  limit_server(builder, options.limits);
  for (grpc::Service* service : services) builder.RegisterService(service);
  auto impl = std::make_unique<Impl>();
  impl->listener = std::move(*listener);
  impl->server = builder.BuildAndStart();
  PERIGEE_ASSERT(impl->server != nullptr, "a gRPC server without a port of its own must start");
  impl->listener->start([server = impl->server.get()](int descriptor, const Caller& client) {
    clients().set(descriptor, client);
    grpc::AddInsecureChannelFromFd(server, descriptor);
  });
  std::unique_ptr<GrpcServer> server(new GrpcServer(std::move(impl)));
  server->set_healthy(true);
  return server;
}

GrpcServer::GrpcServer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
GrpcServer::~GrpcServer() {
  impl_->listener->stop_accepting();
  impl_->server->Shutdown(std::chrono::system_clock::now() + std::chrono::seconds(1));
  impl_->server->Wait();
}
void GrpcServer::set_healthy(bool healthy) {
  impl_->server->GetHealthCheckService()->SetServingStatus(healthy);
}
Counts<GrpcBreach> GrpcServer::breaches() const { return impl_->listener->breaches(); }
std::size_t GrpcServer::connections() const { return impl_->listener->connections(); }

std::optional<Caller> caller_of(std::string_view peer) {
  constexpr std::string_view prefix = "fd:";
  const std::size_t begin = peer.find(prefix);
  int descriptor = -1;
  if (begin == std::string_view::npos) return std::nullopt;
  const std::string_view number = peer.substr(begin + prefix.size());
  std::from_chars(number.data(), number.data() + number.size(), descriptor);
  return clients().get(descriptor);
}

}  // namespace perigee::host
