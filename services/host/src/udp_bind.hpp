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
/// What the kernel granted for receiving.
std::size_t receive_buffer_bytes(int fd);
Address bound_address(int fd);
/// Datagrams lost so far because the receive buffer was full.
std::uint64_t kernel_dropped(int fd);

/// Lets further sockets bind this one's port. Only now: at its own bind, a port that somebody else
/// uses had to be refused.
void share_port(int fd);
/// Of two sockets on one port, the first gets datagrams of this shape, the second all others. With
/// peers: only theirs, and the second those of strangers.
Result<Ok> steer(int fd, const UdpShape& first,
                 std::optional<std::span<const Address>> peers = std::nullopt);

}  // namespace perigee::host
