// The handshake half of the server: request -> challenge, response -> session.
#include <algorithm>

#include "perigee/transport/connect_token.hpp"
#include "perigee/transport/nonce_check.hpp"
#include "perigee/transport/server.hpp"

namespace perigee::transport {
namespace {

std::uint64_t nonce_hash(const TokenNonce& nonce) {
  std::array<std::uint64_t, 3> words{};
  std::memcpy(words.data(), nonce.data(), sizeof words);
  return mix64(words[0], words[1], words[2]);
}

/// Hashes an IPv6 source by its /64: a host with one address can use all 2^64 addresses beside it.
std::uint64_t source_hash(const Address& from) {
  Address source = from;
  source.port = 0;
  if (from.family == Address::Family::IPv6) std::fill(source.ip.begin() + 8, source.ip.end(), 0);
  return source.hash();
}

}  // namespace

void Server::on_request(Micros now_us, std::uint64_t unix_s, const Address& from,
                        Datagram datagram) {
  Drop why{};
  const auto request = read_request(datagram, settings_.protocol_id, why);
  if (!request) return drops_.add(why);
  if (const auto refused = refusal_unopened(now_us, unix_s, from, *request)) {
    return drops_.add(*refused);
  }
  const OpenedToken opened = open_token(*request);
  if (!opened.token) {
    return drops_.add(opened.fault == TokenFault::Forged ? Drop::RequestForged
                                                         : Drop::RequestMalformed);
  }
  const PrivateToken& token = *opened.token;
  if (std::find(token.addresses.begin(), token.addresses.end(), settings_.address) ==
      token.addresses.end()) {
    return drops_.add(Drop::RequestNotForUs);
  }
  const Tag tag = tag_of(request->sealed);
  const std::uint64_t expire_s = request->sealing.expire_time_s;
  const std::uint64_t issue = settings_.issue_of ? settings_.issue_of(token.user_data) : expire_s;
  if (const auto refused = refusal(from, token.client_id, issue)) return drops_.add(*refused);
  if (full_for(token.client_id)) {
    drops_.add(Drop::ServerFull);
    return send_global(from, token.server_to_client, PacketType::Denied, {});
  }
  TokenHistory::Entry* entry = tokens_.remember(tag, expire_s);
  if (!entry) return drops_.add(Drop::TokenHistoryFull);
  Mapping* mapping = map(from, token, issue, *entry);
  if (!mapping) return drops_.add(Drop::MappingsFull);
  if (mapping->claim_id == 0) mapping->last_received_us = now_us;
  const ChallengeToken challenge{token.client_id, token.user_data,
                                 bind_challenge(from, tag, binding_key_)};
  send_global(from, mapping->send_key, PacketType::Challenge,
              seal_challenge(challenge, challenge_sequence_++, challenge_key_));
}

std::optional<Drop> Server::refusal_unopened(Micros now_us, std::uint64_t unix_s,
                                             const Address& from, const RequestPacket& request) {
  const std::uint64_t expire_s = request.sealing.expire_time_s;
  if (expire_s <= unix_s) return Drop::RequestExpired;
  if (expire_s - unix_s > token_life_s_max) return Drop::RequestTooLongLived;
  // With claims the store remembers the tokens that this server lost in a restart.
  if (!settings_.claims && expire_s < settings_.started_at_s + token_life_s) {
    return Drop::RequestBeforeStart;
  }
  if (std::none_of(backend_keys_.begin(), backend_keys_.end(),
                   [&](const BackendKey& key) { return may_have_sealed(key, request.sealing); })) {
    return Drop::RequestBadNonce;
  }
  // The tag travels in clear: repeated requests of connected clients are refused without
  // decryption.
  const auto* known = tokens_.find(tag_of(request.sealed));
  if (known && known->consumed) return Drop::RequestTokenUsed;
  // The nonce is charged first: copies of one header must not use up their source's share.
  if (work_of_nonce_.take(nonce_hash(request.sealing.nonce), now_us)) {
    return Drop::RequestNonceOverRate;
  }
  if (work_of_source_.take(source_hash(from), now_us)) return Drop::SourceOverRate;
  return std::nullopt;
}

bool Server::may_have_sealed(const BackendKey& key, const TokenSealing& sealing) const {
  return !settings_.nonce_checks || nonce_fits(sealing, key.nonce);
}

OpenedToken Server::open_token(const RequestPacket& request) const {
  OpenedToken opened;
  for (const BackendKey& key : backend_keys_) {
    if (!may_have_sealed(key, request.sealing)) continue;
    opened = open_private_token(request.sealed, request.sealing, key.seal);
    if (opened.token || opened.fault != TokenFault::Forged) break;
  }
  return opened;
}

std::optional<Drop> Server::refusal(const Address& from, std::uint64_t client_id,
                                    std::uint64_t issue) const {
  if (const std::uint32_t* slot = session_at_.find(from);
      slot && sessions_[*slot].client_id != client_id) {
    return Drop::RequestAddressBusy;
  }
  // A crashed client reconnects with a newer token before its old session has timed out.
  if (const std::uint32_t* slot = session_of_client_.find(client_id);
      slot && sessions_[*slot].issue > issue) {
    return Drop::RequestOlderToken;
  }
  return std::nullopt;
}

bool Server::full_for(std::uint64_t client_id) const {
  // A slot is reserved for each pending claim: a granted token must not end in a `denied`.
  return free_sessions_.size() <= claims_pending_ && !session_of_client_.find(client_id);
}

Server::Mapping* Server::map(const Address& from, const PrivateToken& token, std::uint64_t issue,
                             TokenHistory::Entry& entry) {
  if (const std::uint32_t* index = mapping_of_.find(from)) {
    if (mappings_[*index].token_tag == entry.tag) return &mappings_[*index];
    unmap(*index);  // the client has given up its former token
  }
  if (!make_room(entry) || free_mappings_.empty()) return nullptr;
  const std::uint32_t index = free_mappings_.back();
  free_mappings_.pop_back();
  mapping_of_.insert(from, index);
  entry.candidates.push_back(from);
  mappings_[index] = {.used = true,
                      .address = from,
                      .token_tag = entry.tag,
                      .client_id = token.client_id,
                      .issue = issue,
                      .expire_time_s = entry.expire_time_s,
                      .receive_key = token.client_to_server,
                      .send_key = token.server_to_client,
                      .timeout_s = token.timeout_s,
                      .user_data = token.user_data};
  return &mappings_[index];
}

bool Server::make_room(TokenHistory::Entry& entry) {
  if (!entry.candidates.full()) return true;
  // Evicts the oldest candidate without a pending claim: a claim proves possession of the token's
  // keys.
  for (const Address& address : entry.candidates) {
    if (claim_pending_at(address)) continue;
    unmap_address(Address(address));
    return true;
  }
  return false;
}

void Server::unmap(std::uint32_t index) {
  Mapping& mapping = mappings_[index];
  TokenHistory::Entry* entry = tokens_.find(mapping.token_tag);
  PERIGEE_ASSERT(entry, "a token must be remembered while it has candidates");
  auto& candidates = entry->candidates;
  const auto* at = std::find(candidates.begin(), candidates.end(), mapping.address);
  PERIGEE_ASSERT(at != candidates.end(), "each mapping must be a candidate of its token");
  candidates.erase(static_cast<std::size_t>(at - candidates.begin()));
  mapping_of_.erase(mapping.address);
  if (mapping.claim_id != 0) --claims_pending_;
  mapping = Mapping{};
  free_mappings_.push_back(index);
}

void Server::unmap_address(const Address& address) {
  const std::uint32_t* index = mapping_of_.find(address);
  PERIGEE_ASSERT(index, "each candidate must have a mapping");
  unmap(*index);
}

void Server::unmap_all(const TokenHistory::Entry& entry) {
  while (!entry.candidates.empty()) unmap_address(Address(entry.candidates[0]));
}

void Server::on_response(Micros now_us, const Address& from, const PacketHead& head,
                         Datagram datagram) {
  const std::uint32_t* index = mapping_of_.find(from);
  if (!index) {
    // A connected client repeats its response until it receives the first keep-alive.
    return drops_.add(session_at_.find(from) ? Drop::WrongState : Drop::UnknownSource);
  }
  Mapping& mapping = mappings_[*index];
  if (mapping.claim_id != 0 && now_us < mapping.next_claim_us) {
    return drops_.add(Drop::ClaimPending);
  }
  if (work_of_source_.take(source_hash(from), now_us)) return drops_.add(Drop::SourceOverRate);
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
  if (const auto refused = refusal(from, mapping.client_id, mapping.issue)) {
    return drops_.add(*refused);
  }
  if (mapping.claim_id != 0) return claim(now_us, *index);
  mapping.last_received_us = now_us;
  if (full_for(mapping.client_id)) return deny(mapping);
  if (settings_.claims) return claim(now_us, *index);
  establish(now_us, Mapping(mapping));
}

void Server::deny(const Mapping& mapping) {
  drops_.add(Drop::ServerFull);
  send_global(mapping.address, mapping.send_key, PacketType::Denied, {});
}

void Server::establish(Micros now_us, const Mapping& mapping) {
  TokenHistory::Entry* entry = tokens_.find(mapping.token_tag);
  PERIGEE_ASSERT(entry && !entry->consumed, "a consumed token must have no mappings");
  entry->consumed = true;
  unmap_all(*entry);

  if (const std::uint32_t* old = session_of_client_.find(mapping.client_id)) {
    const std::uint32_t slot = *old;
    if (sessions_[slot].address != mapping.address) say_goodbye(now_us, sessions_[slot]);
    free_session(slot, DisconnectReason::Replaced);
  }
  PERIGEE_ASSERT(!free_sessions_.empty(), "a full server must have denied before");
  const std::uint32_t slot = free_sessions_.back();
  free_sessions_.pop_back();
  sessions_[slot] = {.used = true,
                     .address = mapping.address,
                     .client_id = mapping.client_id,
                     .issue = mapping.issue,
                     .number = session_numbers_.next(),
                     .receive_key = mapping.receive_key,
                     .send_key = mapping.send_key,
                     .timeout_s = mapping.timeout_s,
                     .rate = TokenBucket(settings_.packets_per_s_max, packet_burst, now_us),
                     .last_received_us = now_us,
                     .last_sent_us = now_us};
  session_at_.insert(mapping.address, slot);
  session_of_client_.insert(mapping.client_id, slot);
  session_of_number_.insert(sessions_[slot].number, slot);
  ++clients_;
  push_event({.kind = ServerEvent::Kind::Connected,
              .slot = slot,
              .client_id = mapping.client_id,
              .address = mapping.address,
              .user_data = mapping.user_data});
  send_keep_alive(now_us, slot);
}

}  // namespace perigee::transport
