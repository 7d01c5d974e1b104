#include "perigee/transport/handshake_packets.hpp"

#include <algorithm>

#include "perigee/transport/connect_token.hpp"

namespace perigee::transport {

void HandshakePackets::on_request(Micros now_us, std::uint64_t unix_s, const Sender& from,
                                  std::span<std::byte> datagram) {
  Drop why{};
  const auto request = read_request(datagram, needs_.settings.protocol_id, why);
  if (!request) return needs_.drops.add(why);
  if (const auto refused = refusal_unopened(now_us, unix_s, from, *request)) {
    return needs_.drops.add(*refused);
  }
  const OpenedToken opened = needs_.keys.open(*request);
  if (!opened.token) {
    return needs_.drops.add(opened.fault == TokenFault::Forged ? Drop::RequestForged
                                                               : Drop::RequestMalformed);
  }
  const PrivateToken& token = *opened.token;
  if (std::find(token.addresses.begin(), token.addresses.end(), needs_.settings.address) ==
      token.addresses.end()) {
    return needs_.drops.add(Drop::RequestNotForUs);
  }
  const std::uint64_t expire_s = request->sealing.expire_time_s;
  const auto issue_of = needs_.settings.issue_of;
  const std::uint64_t issue = issue_of ? issue_of(token.user_data) : expire_s;
  if (const auto refused = needs_.admission.refusal(from.path, token.client_id, issue)) {
    return needs_.drops.add(*refused);
  }
  if (needs_.admission.full_for(token.client_id)) {
    needs_.drops.add(Drop::ServerFull);
    return needs_.sender.send_global(from.path, token.server_to_client, PacketType::Denied, {});
  }
  Handshake* handshake =
      needs_.handshakes.begin(from.path, token, tag_of(request->sealed), issue, expire_s, why);
  if (!handshake) return needs_.drops.add(why);
  if (handshake->claim_id == 0) handshake->last_received_us = now_us;
  needs_.sender.send_global(from.path, handshake->send_key, PacketType::Challenge,
                            needs_.challenges.make(*handshake));
}

std::optional<Drop> HandshakePackets::refusal_unopened(Micros now_us, std::uint64_t unix_s,
                                                       const Sender& from,
                                                       const RequestPacket& request) {
  const ServerSettings& settings = needs_.settings;
  const std::uint64_t expire_s = request.sealing.expire_time_s;
  if (expire_s <= unix_s) return Drop::RequestExpired;
  if (expire_s - unix_s > token_life_s_max) return Drop::RequestTooLongLived;
  // With claims the store remembers the tokens that this server lost in a restart.
  if (!settings.claims && expire_s < settings.started_at_s + token_life_s) {
    return Drop::RequestBeforeStart;
  }
  if (!needs_.keys.may_have_sealed(request.sealing)) return Drop::RequestBadNonce;
  // The tag travels in clear: repeated requests of connected clients are refused without
  // decryption.
  if (needs_.handshakes.consumed(tag_of(request.sealed))) return Drop::RequestTokenUsed;
  return needs_.work_limits.charge_request(now_us, from.player, request.sealing.nonce);
}

void HandshakePackets::on_response(Micros now_us, const Sender& from, const PacketHead& head,
                                   std::span<std::byte> datagram) {
  const std::uint32_t* index = needs_.handshakes.find(from.path);
  if (!index) {
    // A connected client repeats its response until it receives the first keep-alive.
    return needs_.drops.add(needs_.connections.at(from.path) ? Drop::WrongState
                                                             : Drop::UnknownSource);
  }
  Handshake& handshake = needs_.handshakes[*index];
  if (handshake.claim_id != 0 && now_us < handshake.next_claim_us) {
    return needs_.drops.add(Drop::ClaimPending);
  }
  if (const auto refused = needs_.work_limits.charge_response(now_us, from.player)) {
    return needs_.drops.add(*refused);
  }
  const auto body = open_packet(head, datagram, needs_.settings.protocol_id, handshake.receive_key);
  if (!body) return needs_.drops.add(Drop::Forged);
  if (!body_size_fits(head.type, body->size())) return needs_.drops.add(Drop::BadBodySize);
  if (const auto refused = needs_.challenges.judge(
          handshake,
          std::span<const std::byte, challenge_body_bytes>(body->data(), challenge_body_bytes))) {
    return needs_.drops.add(*refused);
  }
  if (const auto refused =
          needs_.admission.refusal(from.path, handshake.client_id, handshake.issue)) {
    return needs_.drops.add(*refused);
  }
  if (handshake.claim_id != 0) return needs_.claims.request(now_us, *index);
  handshake.last_received_us = now_us;
  if (needs_.admission.full_for(handshake.client_id)) return needs_.admission.deny(handshake);
  if (needs_.settings.claims) return needs_.claims.request(now_us, *index);
  needs_.admission.establish(now_us, handshake);
}

}  // namespace perigee::transport
