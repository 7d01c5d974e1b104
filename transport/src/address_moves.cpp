#include "perigee/transport/address_moves.hpp"

#include <sodium.h>

#include <algorithm>
#include <array>

#include "aead.hpp"
#include "perigee/transport/server_settings.hpp"

namespace perigee::transport {
namespace {

/// A keep-alive's body: the session's number, and the challenge on a new path, otherwise
/// clients_max.
using KeepAliveBody = std::array<std::uint32_t, 2>;
static_assert(sizeof(KeepAliveBody) == keep_alive_body_bytes);

}  // namespace

void AddressMoves::on_other_path(Micros now_us, std::uint32_t slot, const Address& from,
                                 PacketType type, std::span<const std::byte> body) {
  Connection& connection = needs_.connections[slot];
  if (now_us < connection.next_move_us) return needs_.drops.add(Drop::MoveTooSoon);
  const KeepAliveBody challenge{connection.number, path_challenge(connection, from)};
  if (type == PacketType::KeepAlive &&
      std::ranges::equal(body, std::as_bytes(std::span(challenge)))) {
    return needs_.connections.move(now_us, slot, from);
  }
  if (now_us < connection.next_path_us) return;
  connection.next_path_us = now_us + path_period_us;
  needs_.sender.send_at(from, connection, PacketType::KeepAlive,
                        std::as_bytes(std::span(challenge)));
}

std::uint32_t AddressMoves::path_challenge(const Connection& connection,
                                           const Address& from) const {
  // Not stored: of several addresses that are challenged at once, each can prove itself.
  const std::array<std::uint64_t, 2> input{
      from.hash(), static_cast<std::uint64_t>(connection.moves) << 32 | connection.number};
  std::uint64_t hash = 0;
  crypto_shorthash(reinterpret_cast<unsigned char*>(&hash),
                   reinterpret_cast<const unsigned char*>(input.data()), sizeof input,
                   octets(needs_.path_key.data()));
  return static_cast<std::uint32_t>(hash);
}

}  // namespace perigee::transport
