/// The last 8 of a token's 24 nonce bytes are the SipHash-2-4 of the first 16, expiry and protocol
/// id, all of which travel in clear. A forged request is thereby detected in 26 ns instead of 0.8
/// us. The standard accepts any 24 unique bytes as a nonce, so other servers accept these tokens,
/// too. A copied header passes the check: the check protects against flooding, the seal against
/// forgery.
#pragma once

#include <array>
#include <cstddef>

#include "perigee/transport/connect_token.hpp"
#include "perigee/transport/keys.hpp"

namespace perigee::transport {

inline constexpr std::size_t nonce_random_bytes = 16;

/// Derived from the backend key (BLAKE2b, context "pg-nonce", id 1), so that only one key has to be
/// kept.
SipKey nonce_key(const Key& backend_key);
/// Writes the last 8 bytes, from the rest of `sealing`.
void stamp_nonce(TokenSealing& sealing, const SipKey& key);
bool nonce_fits(const TokenSealing& sealing, const SipKey& key);

}  // namespace perigee::transport
