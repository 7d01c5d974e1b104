/// A gRPC channel from one process of a cluster to another.
#pragma once

#include <memory>
#include <string>

#include "perigee/base/result.hpp"
#include "perigee/host/cluster_tls.hpp"

namespace grpc {
class Channel;
}

namespace perigee::host {

/// Connects directly, ignoring proxies in the environment. While `target` (host:port) is
/// unreachable, the channel retries at least once a second, resolving the name each time. It
/// detects within seconds that a stream's other end is silent.
struct ChannelOptions {
  const ClusterTls* tls = nullptr;          ///< null: without TLS. Read during the call alone
  PeerRole server = PeerRole::Member;       ///< with TLS: the role that the server has to have
  int message_bytes_max = 4 * 1024 * 1024;  ///< larger replies fail their call
};
std::shared_ptr<grpc::Channel> open_channel(const std::string& target,
                                            const ChannelOptions& options = {});

/// Value of settings for CA files: the certificates that this machine trusts.
inline constexpr const char* ca_of_system = "system";
/// TLS to a server that is known by its host name, and not by a role. Files in PEM.
struct HostTls {
  /// A certificate of this file has signed the server's; or ca_of_system; empty: without TLS.
  std::string ca_file;
  std::string certificate_file;  ///< of this process, then its chain; empty: none
  std::string key_file;          ///< of the certificate
};
/// The same over TLS. The server's certificate has to name the host of `target`. Files that are
/// replaced are read again. An error, which names the file: it is missing or not PEM now.
Result<std::shared_ptr<grpc::Channel>> open_channel_to_host(
    const std::string& target, const HostTls& tls,
    int message_bytes_max = ChannelOptions{}.message_bytes_max);

/// Call it after a call found the server unreachable: the next connection attempt starts at once.
/// gRPC's own retry timer uses the wall clock and stalls for an hour if that clock is set back by
/// an hour.
void connect_again(const std::shared_ptr<grpc::Channel>& channel);

}  // namespace perigee::host
