#include "perigee/host/grpc_channel.hpp"

#include <grpc/support/log.h>
#include <grpcpp/grpcpp.h>

#include <utility>

#include "grpc_log.hpp"
#include "perigee/host/log.hpp"
#include "perigee/host/read_file.hpp"

namespace perigee::host {
namespace {

/// gRPC's default is 30 s. A member is declared dead after 5 s of silence, so a directory that
/// restarts at another address must be found sooner.
constexpr int resolutions_ms_min = 500;

/// Timeout of a connection attempt: gRPC calls it a backoff, and its default is 20 s. A connection
/// takes two round trips, plus the time until a busy server's threads respond.
constexpr int connect_ms_max = 2'000;

constexpr std::size_t ca_bytes_max = 4U << 20U;

std::shared_ptr<grpc::Channel> open_with(const std::string& target, int message_bytes_max,
                                         const std::shared_ptr<grpc::ChannelCredentials>& with) {
  quieten_grpc();
  grpc::ChannelArguments arguments;
  arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
  arguments.SetInt(GRPC_ARG_INITIAL_RECONNECT_BACKOFF_MS, 100);
  arguments.SetInt(GRPC_ARG_MIN_RECONNECT_BACKOFF_MS, connect_ms_max);
  arguments.SetInt(GRPC_ARG_MAX_RECONNECT_BACKOFF_MS, 1'000);
  arguments.SetInt(GRPC_ARG_DNS_MIN_TIME_BETWEEN_RESOLUTIONS_MS, resolutions_ms_min);
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIME_MS, 5'000);
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, 2'000);
  arguments.SetMaxReceiveMessageSize(message_bytes_max);
  return grpc::CreateCustomChannel(target, with, arguments);
}

}  // namespace

void quieten_grpc() {
  gpr_set_log_function([](gpr_log_func_args* line) { log_debug(line->message); });
}

std::shared_ptr<grpc::Channel> open_channel(const std::string& target,
                                            const ChannelOptions& options) {
  return open_with(target, options.message_bytes_max,
                   options.tls == nullptr ? grpc::InsecureChannelCredentials()
                                          : options.tls->for_calls_to(options.server));
}

Result<std::shared_ptr<grpc::Channel>> open_channel_with_ca(const std::string& target,
                                                            const std::string& ca_file) {
  if (ca_file.empty()) return open_channel(target);
  grpc::SslCredentialsOptions options;
  if (ca_file != ca_of_system) {
    auto text = read_if_present(ca_file, ca_bytes_max);
    if (!text) return Error{"CA file " + text.error().message};
    if (!*text || (*text)->find("-----BEGIN CERTIFICATE-----") == std::string::npos) {
      return Error{"CA file " + ca_file +
                   " has no certificate in PEM; it is the certificate that signed the server's, or "
                   "the server's own, or 'system' for those that this machine trusts"};
    }
    options.pem_root_certs = std::move(**text);
  }
  return open_with(target, ChannelOptions{}.message_bytes_max, grpc::SslCredentials(options));
}

void connect_again(const std::shared_ptr<grpc::Channel>& channel) {
  grpc::experimental::ChannelResetConnectionBackoff(channel.get());
}

}  // namespace perigee::host
