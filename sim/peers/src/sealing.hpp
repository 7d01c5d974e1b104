/// What libsodium does for links: keyed BLAKE2b-256, and ChaCha20-Poly1305 (RFC 8439) with the
/// number of the frame for a nonce.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "perigee/peers/core.hpp"

namespace perigee::peers {

inline constexpr std::size_t tag_bytes = 16;
using Digest = std::array<std::byte, 32>;

/// What a digest is for: digests for one purpose are worth nothing for another.
enum class Purpose : std::uint8_t { Hello = 1, Welcome, FromDialler, FromAccepter };

Digest digest(const Key& key, Purpose purpose, std::span<const std::byte> first,
              std::span<const std::byte> second = {});
/// Takes as long for a near miss as for a far one.
bool same(std::span<const std::byte> a, std::span<const std::byte> b);

/// Writes body.size() + tag_bytes to `out`.
void seal(const Key& key, std::uint64_t number, std::span<const std::byte> associated,
          std::span<const std::byte> body, std::byte* out);
/// Writes sealed.size() - tag_bytes to `out`. False: these bytes were not sealed so.
bool unseal(const Key& key, std::uint64_t number, std::span<const std::byte> associated,
            std::span<const std::byte> sealed, std::byte* out);

}  // namespace perigee::peers
