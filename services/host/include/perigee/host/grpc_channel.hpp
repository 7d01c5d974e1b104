/// A gRPC channel from one process of a cluster to another.
#pragma once

#include <memory>
#include <string>

namespace grpc {
class Channel;
}

namespace perigee::host {

/// Directly, whatever proxy the environment names. Tries again within a second at most while
/// `target` (host:port) is away, at whatever address its name has by then, and notices within
/// seconds when a stream's other end fell silent.
/// Larger answers than `message_bytes_max` fail their call.
std::shared_ptr<grpc::Channel> open_channel(const std::string& target,
                                            int message_bytes_max = 4 * 1024 * 1024);

}  // namespace perigee::host
