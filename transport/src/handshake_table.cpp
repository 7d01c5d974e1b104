#include "perigee/transport/handshake_table.hpp"

#include <algorithm>

#include "free_indices.hpp"
#include "perigee/base/assert.hpp"
#include "perigee/transport/server_settings.hpp"

namespace perigee::transport {

HandshakeTable::HandshakeTable(Needs needs)
    : handshakes_(needs.clients_max * mappings_per_client),
      free_(all_free(needs.clients_max * mappings_per_client)),
      index_of_(needs.clients_max * mappings_per_client, needs.salt),
      tokens_(needs.clients_max * tokens_per_client, needs.salt) {}

Handshake* HandshakeTable::begin(const Address& from, const PrivateToken& token, const Tag& tag,
                                 std::uint64_t issue, std::uint64_t expire_time_s, Drop& why) {
  TokenHistory::Entry* entry = tokens_.remember(tag, expire_time_s);
  why = entry ? Drop::MappingsFull : Drop::TokenHistoryFull;
  if (!entry) return nullptr;
  if (const std::uint32_t* index = index_of_.find(from)) {
    if (handshakes_[*index].token_tag == tag) return &handshakes_[*index];
    end(*index);  // the client has given up its former token
  }
  if (!make_room(*entry) || free_.empty()) return nullptr;
  const std::uint32_t index = free_.back();
  free_.pop_back();
  index_of_.insert(from, index);
  entry->candidates.push_back(from);
  handshakes_[index] = {.used = true,
                        .address = from,
                        .token_tag = tag,
                        .client_id = token.client_id,
                        .issue = issue,
                        .expire_time_s = entry->expire_time_s,
                        .receive_key = token.client_to_server,
                        .send_key = token.server_to_client,
                        .timeout_s = token.timeout_s,
                        .user_data = token.user_data};
  return &handshakes_[index];
}

bool HandshakeTable::make_room(TokenHistory::Entry& entry) {
  if (!entry.candidates.full()) return true;
  // Evicts the oldest candidate without a pending claim: a claim proves possession of the token's
  // keys.
  for (const Address& address : entry.candidates) {
    if (claim_pending_at(address)) continue;
    end_at(Address(address));
    return true;
  }
  return false;
}

void HandshakeTable::end(std::uint32_t index) {
  Handshake& handshake = handshakes_[index];
  TokenHistory::Entry* entry = tokens_.find(handshake.token_tag);
  PERIGEE_ASSERT(entry, "a token must be remembered while it has candidates");
  auto& candidates = entry->candidates;
  const auto* at = std::find(candidates.begin(), candidates.end(), handshake.address);
  PERIGEE_ASSERT(at != candidates.end(), "each handshake must be a candidate of its token");
  candidates.erase(static_cast<std::size_t>(at - candidates.begin()));
  index_of_.erase(handshake.address);
  if (handshake.claim_id != 0) --claims_pending_;
  handshake = Handshake{};
  free_.push_back(index);
}

void HandshakeTable::end_at(const Address& address) {
  const std::uint32_t* index = index_of_.find(address);
  PERIGEE_ASSERT(index, "each candidate must have a handshake");
  end(*index);
}

void HandshakeTable::consume(const Tag& token_tag) {
  TokenHistory::Entry* entry = tokens_.find(token_tag);
  PERIGEE_ASSERT(entry, "a token must be remembered until it expires");
  PERIGEE_ASSERT(!entry->consumed, "a consumed token must have no handshakes");
  entry->consumed = true;
  while (!entry->candidates.empty()) end_at(Address(entry->candidates[0]));
}

bool HandshakeTable::consumed(const Tag& token_tag) const {
  const TokenHistory::Entry* entry = tokens_.find(token_tag);
  return entry && entry->consumed;
}

void HandshakeTable::sweep(Micros now_us, std::uint64_t unix_s) {
  constexpr std::int32_t default_timeout_s = 10;  // for tokens without a timeout of their own
  constexpr Micros second_us = 1'000'000;
  for (std::uint32_t index = 0; index < handshakes_.size(); ++index) {
    const Handshake& handshake = handshakes_[index];
    const Micros life_us =
        (handshake.timeout_s > 0 ? handshake.timeout_s : default_timeout_s) * second_us;
    if (handshake.used && now_us - handshake.last_received_us >= life_us) end(index);
  }
  tokens_.forget_expired(unix_s);
}

void HandshakeTable::begin_claim(std::uint32_t index, std::uint64_t claim_id) {
  PERIGEE_ASSERT(handshakes_[index].claim_id == 0, "a handshake has one claim at a time");
  handshakes_[index].claim_id = claim_id;
  ++claims_pending_;
}

bool HandshakeTable::claim_pending(const Tag& token_tag) const {
  const TokenHistory::Entry* entry = tokens_.find(token_tag);
  return entry && std::any_of(entry->candidates.begin(), entry->candidates.end(),
                              [this](const Address& a) { return claim_pending_at(a); });
}

bool HandshakeTable::claim_pending_at(const Address& address) const {
  const std::uint32_t* index = index_of_.find(address);
  return index && handshakes_[*index].claim_id != 0;
}

}  // namespace perigee::transport
