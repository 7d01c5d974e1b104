/// Challenge tokens: a server sends one to an unauthenticated peer, and commits a slot only once
/// the peer has returned it. Only the server reads the content, so binding a challenge to address
/// and connect token does not affect clients.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "perigee/base/address.hpp"
#include "perigee/transport/constants.hpp"
#include "perigee/transport/keys.hpp"

namespace perigee::transport {

inline constexpr std::size_t binding_bytes = 20;  ///< the spare bytes of the plaintext
using Binding = std::array<std::byte, binding_bytes>;

struct ChallengeToken {
  std::uint64_t client_id = 0;
  UserData user_data{};
  Binding binding{};
};

/// Keyed BLAKE2b of source address, port and the connect token's tag. Without the binding, a client
/// could answer with another client's challenge and get that client's id.
Binding bind_challenge(const Address& from, const Tag& token_tag, const Key& key);
bool same_binding(const Binding& a, const Binding& b);

/// The 308 bytes of a challenge packet: sequence and sealed token.
std::array<std::byte, challenge_body_bytes> seal_challenge(const ChallengeToken& token,
                                                           std::uint64_t sequence, const Key& key);
std::optional<ChallengeToken> open_challenge(std::span<const std::byte, challenge_body_bytes> body,
                                             const Key& key);

}  // namespace perigee::transport
