// The handshake half of the server: request -> challenge, response -> session.
#include <algorithm>

#include "perigee/transport/connect_token.hpp"
#include "perigee/transport/server.hpp"

namespace perigee::transport {

void Server::on_request(Micros now_us, std::uint64_t unix_s, const Address& from,
                        Datagram datagram) {
  Drop why{};
  const auto request = read_request(datagram, settings_.protocol_id, why);
  if (!request) return drops_.add(why);
  const std::uint64_t expire_s = request->sealing.expire_time_s;
  if (expire_s <= unix_s) return drops_.add(Drop::RequestExpired);
  if (expire_s < settings_.started_at_s + token_life_s) {
    return drops_.add(Drop::RequestBeforeStart);
  }
  const Tag tag = tag_of(request->sealed);
  // The tag travels in clear: repeated requests of connected clients need not cost an open.
  if (const auto* known = tokens_.find(tag); known && known->consumed) {
    return drops_.add(Drop::RequestTokenUsed);
  }
  const OpenedToken opened =
      open_private_token(request->sealed, request->sealing, settings_.private_key);
  if (!opened.token) {
    return drops_.add(opened.fault == TokenFault::Forged ? Drop::RequestForged
                                                         : Drop::RequestMalformed);
  }
  const PrivateToken& token = *opened.token;
  if (std::find(token.addresses.begin(), token.addresses.end(), settings_.address) ==
      token.addresses.end()) {
    return drops_.add(Drop::RequestNotForUs);
  }
  if (const auto refused = refusal(from, token.client_id, expire_s)) return drops_.add(*refused);
  if (full_for(token.client_id)) {
    drops_.add(Drop::ServerFull);
    return send_global(from, token.server_to_client, PacketType::Denied, {});
  }
  TokenHistory::Entry* entry = tokens_.remember(tag, expire_s);
  if (!entry) return drops_.add(Drop::TokenHistoryFull);
  Mapping* mapping = map(from, token, *entry);
  if (!mapping) return drops_.add(Drop::MappingsFull);
  mapping->last_received_us = now_us;
  const ChallengeToken challenge{token.client_id, token.user_data,
                                 bind_challenge(from, tag, binding_key_)};
  send_global(from, mapping->send_key, PacketType::Challenge,
              seal_challenge(challenge, challenge_sequence_++, challenge_key_));
}

std::optional<Drop> Server::refusal(const Address& from, std::uint64_t client_id,
                                    std::uint64_t expire_time_s) const {
  if (const std::uint32_t* slot = session_at_.find(from);
      slot && sessions_[*slot].client_id != client_id) {
    return Drop::RequestAddressBusy;
  }
  // A crashed client comes back with a newer token before its old session timed out.
  if (const std::uint32_t* slot = session_of_client_.find(client_id);
      slot && sessions_[*slot].token_expire_s > expire_time_s) {
    return Drop::RequestOlderToken;
  }
  return std::nullopt;
}

bool Server::full_for(std::uint64_t client_id) const {
  return free_sessions_.empty() && !session_of_client_.find(client_id);
}

Server::Mapping* Server::map(const Address& from, const PrivateToken& token,
                             TokenHistory::Entry& entry) {
  if (const std::uint32_t* index = mapping_of_.find(from)) {
    if (mappings_[*index].token_tag == entry.tag) return &mappings_[*index];
    unmap(*index);  // the client gave up its former token
  }
  if (entry.candidates.full()) unmap_address(entry.candidates[0]);
  if (free_mappings_.empty()) return nullptr;
  const std::uint32_t index = free_mappings_.back();
  free_mappings_.pop_back();
  mapping_of_.insert(from, index);
  entry.candidates.push_back(from);
  mappings_[index] = {.used = true,
                      .address = from,
                      .token_tag = entry.tag,
                      .client_id = token.client_id,
                      .expire_time_s = entry.expire_time_s,
                      .receive_key = token.client_to_server,
                      .send_key = token.server_to_client,
                      .timeout_s = token.timeout_s};
  return &mappings_[index];
}

void Server::unmap(std::uint32_t index) {
  Mapping& mapping = mappings_[index];
  TokenHistory::Entry* entry = tokens_.find(mapping.token_tag);
  PERIGEE_ASSERT(entry, "a token is remembered while somebody stands for it");
  auto& candidates = entry->candidates;
  const auto* at = std::find(candidates.begin(), candidates.end(), mapping.address);
  PERIGEE_ASSERT(at != candidates.end(), "each mapping is its token's candidate");
  candidates.erase(static_cast<std::size_t>(at - candidates.begin()));
  mapping_of_.erase(mapping.address);
  mapping = Mapping{};
  free_mappings_.push_back(index);
}

void Server::unmap_address(const Address& address) {
  const std::uint32_t* index = mapping_of_.find(address);
  PERIGEE_ASSERT(index, "each candidate has its mapping");
  unmap(*index);
}

void Server::on_response(Micros now_us, const Address& from, const PacketHead& head,
                         Datagram datagram) {
  const std::uint32_t* index = mapping_of_.find(from);
  if (!index) {
    // A connected client repeats its response until the first keep-alive arrives.
    return drops_.add(session_at_.find(from) ? Drop::WrongState : Drop::UnknownSource);
  }
  Mapping& mapping = mappings_[*index];
  const auto body = open_packet(head, datagram, settings_.protocol_id, mapping.receive_key);
  if (!body) return drops_.add(Drop::Forged);
  if (!body_size_fits(head.type, body->size())) return drops_.add(Drop::BadBodySize);
  const auto challenge = open_challenge(
      std::span<const std::byte, challenge_body_bytes>(body->data(), challenge_body_bytes),
      challenge_key_);
  if (!challenge) return drops_.add(Drop::ChallengeForged);
  if (challenge->client_id != mapping.client_id ||
      !same_binding(challenge->binding, bind_challenge(from, mapping.token_tag, binding_key_))) {
    return drops_.add(Drop::ChallengeNotBound);
  }
  mapping.last_received_us = now_us;
  if (const auto refused = refusal(from, mapping.client_id, mapping.expire_time_s)) {
    return drops_.add(*refused);
  }
  if (full_for(mapping.client_id)) {
    drops_.add(Drop::ServerFull);
    return send_global(from, mapping.send_key, PacketType::Denied, {});
  }
  establish(now_us, Mapping(mapping), challenge->user_data);
}

void Server::establish(Micros now_us, const Mapping& mapping, const UserData& user_data) {
  TokenHistory::Entry* entry = tokens_.find(mapping.token_tag);
  PERIGEE_ASSERT(entry && !entry->consumed, "consuming a token ends all its mappings");
  entry->consumed = true;
  while (!entry->candidates.empty()) unmap_address(entry->candidates[0]);

  if (const std::uint32_t* old = session_of_client_.find(mapping.client_id)) {
    const std::uint32_t slot = *old;
    if (sessions_[slot].address != mapping.address) say_goodbye(now_us, sessions_[slot]);
    free_session(slot, DisconnectReason::Replaced);
  }
  PERIGEE_ASSERT(!free_sessions_.empty(), "full servers deny before this");
  const std::uint32_t slot = free_sessions_.back();
  free_sessions_.pop_back();
  sessions_[slot] = {.used = true,
                     .address = mapping.address,
                     .client_id = mapping.client_id,
                     .token_expire_s = mapping.expire_time_s,
                     .receive_key = mapping.receive_key,
                     .send_key = mapping.send_key,
                     .timeout_s = mapping.timeout_s,
                     .last_received_us = now_us,
                     .last_sent_us = now_us};
  session_at_.insert(mapping.address, slot);
  session_of_client_.insert(mapping.client_id, slot);
  ++clients_;
  push_event({.kind = ServerEvent::Kind::Connected,
              .slot = slot,
              .client_id = mapping.client_id,
              .address = mapping.address,
              .user_data = user_data});
  send_keep_alive(now_us, slot);
}

}  // namespace perigee::transport
