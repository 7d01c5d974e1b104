/// The packets of netcode 1.02: [prefix][sequence, 1..8 bytes][ciphertext][tag], and the request,
/// in which the sealed private token is embedded in clear fields.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "perigee/transport/connect_token.hpp"
#include "perigee/transport/constants.hpp"
#include "perigee/transport/drops.hpp"
#include "perigee/transport/keys.hpp"

namespace perigee::transport {

enum class PacketType : std::uint8_t {
  Request,
  Denied,
  Challenge,
  Response,
  KeepAlive,
  Payload,
  Disconnect,
  last = Disconnect
};

enum class Receiver : std::uint8_t { Server, Client };

/// Everything before the ciphertext of a packet of type 1..6.
struct PacketHead {
  PacketType type = PacketType::Denied;
  std::uint64_t sequence = 0;
  std::size_t bytes = 0;  ///< prefix and sequence
};

/// Minimal number of bytes for a sequence: 1..8, and 1 for 0.
std::size_t sequence_size(std::uint64_t sequence);

/// A datagram is a request only if its whole first byte is 0.
bool is_request(std::span<const std::byte> datagram);

/// The head of a datagram that is not a request. None: `why` gives the reason.
std::optional<PacketHead> read_head(std::span<const std::byte> datagram, Receiver receiver,
                                    Drop& why);

/// Writes a whole packet of type 1..6 and returns its size. `out` holds datagram_bytes_max.
std::size_t seal_packet(PacketType type, std::uint64_t sequence, std::span<const std::byte> body,
                        std::uint64_t protocol_id, const Key& key, std::span<std::byte> out);

/// Decrypts in place. None if the tag does not verify; the bytes are then destroyed.
std::optional<std::span<std::byte>> open_packet(const PacketHead& head,
                                                std::span<std::byte> datagram,
                                                std::uint64_t protocol_id, const Key& key);

/// Whether an opened body has the size that its type demands.
bool body_size_fits(PacketType type, std::size_t bytes);

struct RequestPacket {
  TokenSealing sealing;
  std::span<const std::byte, private_token_bytes> sealed;  ///< view into the datagram or token
};
void write_request(const RequestPacket& request, std::span<std::byte, request_bytes> out);
/// None: `why` distinguishes size, version and protocol id. The caller checks time and seal.
std::optional<RequestPacket> read_request(std::span<const std::byte> datagram,
                                          std::uint64_t protocol_id, Drop& why);

}  // namespace perigee::transport
