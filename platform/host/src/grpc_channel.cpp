#include "perigee/host/grpc_channel.hpp"

#include <grpc/support/log.h>
#include <grpcpp/grpcpp.h>
#include <grpcpp/security/tls_certificate_provider.h>
#include <grpcpp/security/tls_credentials_options.h>

#include <string_view>
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

constexpr std::size_t pem_bytes_max = 4U << 20U;
constexpr unsigned files_looked_at_s = 1;

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

struct PemFile {
  std::string_view what, label;  ///< what it has to have, and the label of that
  std::string role, path;        ///< for the error
};
Result<Ok> check(const PemFile& file) {
  const auto text = read_if_present(file.path, pem_bytes_max);
  if (!text) return Error{file.role + " " + text.error().message};
  const auto has = [&text](std::string_view label) {
    return *text && (*text)->find(label) != std::string::npos;
  };
  if (has("ENCRYPTED")) {
    return Error{file.role + " " + file.path + " is encrypted; remove its passphrase"};
  }
  if (has("-----BEGIN ") && has(std::string(file.label) + "-----")) return Ok{};
  return Error{file.role + " " + file.path + " has no " + std::string(file.what) + " in PEM"};
}

std::shared_ptr<grpc::ChannelCredentials> credentials_from(const HostTls& files, bool own_ca) {
  namespace tls = grpc::experimental;
  tls::TlsChannelCredentialsOptions options;
  const bool identified = !files.certificate_file.empty();
  const std::string ca = own_ca ? files.ca_file : std::string();
  if (identified || own_ca) {
    options.set_certificate_provider(std::make_shared<tls::FileWatcherCertificateProvider>(
        files.key_file, files.certificate_file, ca, files_looked_at_s));
  }
  if (own_ca) options.watch_root_certs();
  if (identified) options.watch_identity_key_cert_pairs();
  return tls::TlsCredentials(options);
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

Result<std::shared_ptr<grpc::Channel>> open_channel_to_host(const std::string& target,
                                                            const HostTls& files,
                                                            int message_bytes_max) {
  if (files.certificate_file.empty() != files.key_file.empty()) {
    return Error{"a certificate and its key are set together, or neither"};
  }
  if (files.ca_file.empty() && !files.certificate_file.empty()) {
    return Error{"a certificate is set, but no CA file that says which server may see it"};
  }
  if (files.ca_file.empty()) return open_channel(target, {.message_bytes_max = message_bytes_max});
  const bool system = files.ca_file == ca_of_system;
  if (!system) {
    if (const auto fits = check({"certificate", "CERTIFICATE", "CA file", files.ca_file}); !fits) {
      return Error{fits.error().message +
                   "; it is the certificate that signed the server's, or the server's own, or "
                   "'system' for those that this machine trusts"};
    }
  }
  if (!files.certificate_file.empty()) {
    for (const PemFile& file :
         {PemFile{"certificate", "CERTIFICATE", "certificate file", files.certificate_file},
          PemFile{"private key", "PRIVATE KEY", "key file", files.key_file}}) {
      if (const auto fits = check(file); !fits) return fits.error();
    }
  }
  return open_with(target, message_bytes_max, credentials_from(files, !system));
}

void connect_again(const std::shared_ptr<grpc::Channel>& channel) {
  grpc::experimental::ChannelResetConnectionBackoff(channel.get());
}

}  // namespace perigee::host
