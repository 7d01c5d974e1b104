/// Opening UDP sockets: address, kernel buffers, stamps, and two sockets that share a port.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "descriptor.hpp"
#include "perigee/host/udp_socket.hpp"

namespace perigee::host {

/// `beside`: a second socket on a port that share_port() opened for it.
Result<Descriptor> bind_udp(const Address& local, const UdpOptions& options, bool beside = false);
/// The receive buffer that the kernel granted.
std::size_t receive_buffer_bytes(int fd);
Address bound_address(int fd);
/// Datagrams lost so far because the receive buffer was full.
std::uint64_t kernel_dropped(int fd);

/// Lets further sockets bind this socket's port. Called only after its own bind, which had to fail
/// if another process uses the port.
void share_port(int fd);
/// Of two sockets on one port, the first gets datagrams of this shape, the second all others. With
/// `peers`: the first gets only theirs, the second those of unauthenticated senders.
Result<Ok> steer(int fd, const UdpShape& first,
                 std::optional<std::span<const Address>> peers = std::nullopt);

}  // namespace perigee::host
