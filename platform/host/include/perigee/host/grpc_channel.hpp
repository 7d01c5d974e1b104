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
/// The same over TLS. The server's certificate has to name the host of `target`, and to be signed
/// by a certificate of `ca_file` (PEM; "system": those that this machine trusts). Empty: without
/// TLS.
Result<std::shared_ptr<grpc::Channel>> open_channel_with_ca(const std::string& target,
                                                            const std::string& ca_file);

/// Call it after a call found the server unreachable: the next connection attempt starts at once.
/// gRPC's own retry timer uses the wall clock and stalls for an hour if that clock is set back by
/// an hour.
void connect_again(const std::shared_ptr<grpc::Channel>& channel);

}  // namespace perigee::host
