#include "perigee/transport/challenges.hpp"

namespace perigee::transport {

std::array<std::byte, challenge_body_bytes> Challenges::make(const Handshake& handshake) {
  const ChallengeToken token{
      handshake.client_id, handshake.user_data,
      bind_challenge(handshake.address, handshake.token_tag, needs_.binding_key)};
  return seal_challenge(token, next_sequence_++, needs_.challenge_key);
}

std::optional<Drop> Challenges::judge(const Handshake& handshake,
                                      std::span<const std::byte, challenge_body_bytes> body) const {
  const auto token = open_challenge(body, needs_.challenge_key);
  if (!token) return Drop::ChallengeForged;
  if (token->client_id != handshake.client_id ||
      !same_binding(token->binding,
                    bind_challenge(handshake.address, handshake.token_tag, needs_.binding_key))) {
    return Drop::ChallengeNotBound;
  }
  return std::nullopt;
}

}  // namespace perigee::transport
