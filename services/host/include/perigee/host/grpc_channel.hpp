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

/// After a call found nobody there: the next attempt to connect begins at once. gRPC's own timer
/// for it waits for a moment of the wall clock, and stands still for an hour after somebody has set
/// this clock back by an hour.
void connect_again(const std::shared_ptr<grpc::Channel>& channel);

}  // namespace perigee::host
