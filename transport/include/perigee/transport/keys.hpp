/// Keys, and the source of random bytes: shells pass the system's generator, tests a seeded one.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <span>

#include "perigee/base/result.hpp"

namespace perigee::transport {

/// Key of ChaCha20-Poly1305 and XChaCha20-Poly1305.
using Key = std::array<std::byte, 32>;

/// Key of SipHash-2-4.
using SipKey = std::array<std::byte, 16>;

/// Fills the span. For keys and nonces it must be unpredictable: `system_random_bytes()`.
using RandomBytes = std::function<void(std::span<std::byte>)>;

/// Call once per process, before any other function of this library.
Result<Ok> init_crypto();
RandomBytes system_random_bytes();
Key random_key(const RandomBytes& random);
SipKey random_sip_key(const RandomBytes& random);

}  // namespace perigee::transport
