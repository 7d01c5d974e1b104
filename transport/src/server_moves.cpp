// Moves: a perigee client puts its session's number into its sequences, so it is identified at any
// address. Its packets from a new address count at once; the server sends there only after the
// client has returned a number that was sent to that address. A copied packet or a forged source
// address therefore never redirects a session's stream.
#include <sodium.h>

#include <algorithm>

#include "aead.hpp"
#include "perigee/transport/server.hpp"

namespace perigee::transport {
namespace {

/// A keep-alive's body: the session's number, and the challenge on a new path, otherwise
/// clients_max.
using KeepAliveBody = std::array<std::uint32_t, 2>;
static_assert(sizeof(KeepAliveBody) == keep_alive_body_bytes);

}  // namespace

const std::uint32_t* Server::named_session(std::uint64_t sequence) const {
  const std::uint32_t number = session_number_of(sequence);
  return number != 0 ? session_of_number_.find(number) : nullptr;
}

void Server::on_other_path(Micros now_us, std::uint32_t slot, const Address& from, PacketType type,
                           std::span<const std::byte> body) {
  Session& session = sessions_[slot];
  if (now_us < session.next_move_us) return drops_.add(Drop::MoveTooSoon);
  const KeepAliveBody challenge{session.number, path_challenge(session, from)};
  if (type == PacketType::KeepAlive &&
      std::ranges::equal(body, std::as_bytes(std::span(challenge)))) {
    return move(now_us, slot, from);
  }
  if (now_us < session.next_path_us) return;
  session.next_path_us = now_us + path_period_us;
  send_to(from, session, PacketType::KeepAlive, std::as_bytes(std::span(challenge)));
}

std::uint32_t Server::path_challenge(const Session& session, const Address& from) const {
  // Not stored: of several addresses that are challenged at once, each can prove itself.
  const std::array<std::uint64_t, 2> input{
      from.hash(), static_cast<std::uint64_t>(session.moves) << 32 | session.number};
  std::uint64_t hash = 0;
  crypto_shorthash(reinterpret_cast<unsigned char*>(&hash),
                   reinterpret_cast<const unsigned char*>(input.data()), sizeof input,
                   octets(path_key_.data()));
  return static_cast<std::uint32_t>(hash);
}

void Server::move(Micros now_us, std::uint32_t slot, const Address& to) {
  Session& session = sessions_[slot];
  session_at_.erase(session.address);
  session_at_.insert(to, slot);
  session.address = to;
  ++session.moves;
  session.next_move_us = now_us + move_period_us;
  push_event({.kind = ServerEvent::Kind::Moved,
              .slot = slot,
              .client_id = session.client_id,
              .address = to});
}

}  // namespace perigee::transport
