/// Cryptography of links, from libsodium: keyed BLAKE2b-256, and ChaCha20-Poly1305 (RFC 8439) with
/// the number of the frame as nonce.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "perigee/peers/core.hpp"

namespace perigee::peers {

inline constexpr std::size_t tag_bytes = 16;
using Digest = std::array<std::byte, 32>;

/// Separates domains: a digest for one purpose is not valid for another.
enum class Purpose : std::uint8_t { Hello = 1, Welcome, FromDialler, FromAccepter };

Digest digest(const Key& key, Purpose purpose, std::span<const std::byte> first,
              std::span<const std::byte> second = {});
/// Constant-time comparison.
bool same(std::span<const std::byte> a, std::span<const std::byte> b);

/// Writes body.size() + tag_bytes to `out`.
void seal(const Key& key, std::uint64_t number, std::span<const std::byte> associated,
          std::span<const std::byte> body, std::byte* out);
/// Writes sealed.size() - tag_bytes to `out`. False: authentication failed.
bool unseal(const Key& key, std::uint64_t number, std::span<const std::byte> associated,
            std::span<const std::byte> sealed, std::byte* out);

}  // namespace perigee::peers
