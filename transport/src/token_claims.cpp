#include "perigee/transport/token_claims.hpp"

#include "perigee/transport/server_settings.hpp"

namespace perigee::transport {
namespace {

/// A claim id is a serial number above the index of its handshake.
constexpr int handshake_index_bits = 16;
static_assert(clients_limit * mappings_per_client <= 1U << handshake_index_bits);

}  // namespace

void TokenClaims::request(Micros now_us, std::uint32_t index) {
  Handshake& handshake = needs_.handshakes[index];
  if (handshake.claim_id == 0) {
    needs_.handshakes.begin_claim(index, ++made_ << handshake_index_bits | index);
  }
  handshake.next_claim_us = now_us + claim_period_us;
  needs_.outbox.claim({.claim_id = handshake.claim_id,
                       .token_tag = handshake.token_tag,
                       .client_id = handshake.client_id,
                       .issue = handshake.issue,
                       .expire_time_s = handshake.expire_time_s});
}

void TokenClaims::on_answer(Micros now_us, std::uint64_t claim_id, ClaimAnswer answer) {
  const auto index = static_cast<std::uint32_t>(claim_id & ((1U << handshake_index_bits) - 1));
  if (index >= needs_.handshakes.capacity() || claim_id == 0 ||
      needs_.handshakes[index].claim_id != claim_id) {
    return needs_.drops.add(Drop::ClaimForgotten);
  }
  if (answer == ClaimAnswer::Refused) return refuse(index);
  const Handshake& handshake = needs_.handshakes[index];
  // The situation may have changed since the claim: another session of the client, or at its
  // address.
  if (const auto refused =
          needs_.admission.refusal(handshake.address, handshake.client_id, handshake.issue)) {
    needs_.drops.add(*refused);
    return needs_.handshakes.end(index);
  }
  if (needs_.admission.full_for_granted(handshake.client_id)) {
    needs_.admission.deny(handshake);
    return needs_.handshakes.end(index);
  }
  needs_.admission.establish(now_us, handshake);
}

void TokenClaims::refuse_client(std::uint64_t client_id) {
  for (std::uint32_t index = 0; index < needs_.handshakes.capacity(); ++index) {
    const Handshake& handshake = needs_.handshakes[index];
    if (handshake.used && handshake.claim_id != 0 && handshake.client_id == client_id) {
      refuse(index);
    }
  }
}

void TokenClaims::refuse(std::uint32_t index) {
  const Handshake& handshake = needs_.handshakes[index];
  const Tag token_tag = handshake.token_tag;
  needs_.drops.add(Drop::ClaimRefused);
  needs_.sender.send_global(handshake.address, handshake.send_key, PacketType::Denied, {});
  needs_.handshakes.end(index);
  // If another claim for the same token is pending, this one may have lost against it. Otherwise
  // the token is used up.
  if (!needs_.handshakes.claim_pending(token_tag)) needs_.handshakes.consume(token_tag);
}

}  // namespace perigee::transport
