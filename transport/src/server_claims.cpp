// Claims: before a valid response opens a session, the store of used tokens must grant the claim.
#include <algorithm>

#include "perigee/transport/server.hpp"

namespace perigee::transport {
namespace {

/// A claim id is a serial number above the index of its mapping.
constexpr int mapping_index_bits = 16;
static_assert(clients_limit * mappings_per_client <= 1U << mapping_index_bits);

}  // namespace

void Server::claim(Micros now_us, std::uint32_t index) {
  Mapping& mapping = mappings_[index];
  if (mapping.claim_id == 0) {
    mapping.claim_id = ++claims_made_ << mapping_index_bits | index;
    ++claims_pending_;
  }
  mapping.next_claim_us = now_us + claim_period_us;
  outbox_.claim({.claim_id = mapping.claim_id,
                 .token_tag = mapping.token_tag,
                 .client_id = mapping.client_id,
                 .issue = mapping.issue,
                 .expire_time_s = mapping.expire_time_s});
}

bool Server::claim_pending_at(const Address& address) const {
  const std::uint32_t* index = mapping_of_.find(address);
  return index && mappings_[*index].claim_id != 0;
}

void Server::on_claim(Micros now_us, std::uint64_t claim_id, ClaimAnswer answer) {
  const auto index = static_cast<std::uint32_t>(claim_id & ((1U << mapping_index_bits) - 1));
  if (index >= mappings_.size() || claim_id == 0 || mappings_[index].claim_id != claim_id) {
    return drops_.add(Drop::ClaimForgotten);
  }
  if (answer == ClaimAnswer::Refused) return refuse_claim(index);
  const Mapping mapping = mappings_[index];
  // The situation may have changed since the claim: another session of the client, or at its
  // address.
  if (const auto refused = refusal(mapping.address, mapping.client_id, mapping.issue)) {
    drops_.add(*refused);
    return unmap(index);
  }
  if (free_sessions_.empty() && !session_of_client_.find(mapping.client_id)) {
    deny(mapping);
    return unmap(index);
  }
  establish(now_us, mapping);
}

void Server::refuse_claim(std::uint32_t index) {
  const Mapping mapping = mappings_[index];
  drops_.add(Drop::ClaimRefused);
  send_global(mapping.address, mapping.send_key, PacketType::Denied, {});
  unmap(index);
  TokenHistory::Entry* entry = tokens_.find(mapping.token_tag);
  PERIGEE_ASSERT(entry, "a token must be remembered until it expires");
  // If another claim for the same token is pending, this one may have lost against it. Otherwise
  // the token is used up.
  const auto& rivals = entry->candidates;
  if (std::any_of(rivals.begin(), rivals.end(),
                  [this](const Address& a) { return claim_pending_at(a); })) {
    return;
  }
  entry->consumed = true;
  unmap_all(*entry);
}

}  // namespace perigee::transport
