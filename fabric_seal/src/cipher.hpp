/// AES-256-GCM under one key, for one direction between two processes. Without encryption the whole
/// datagram is associated data, which makes the tag a GMAC.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "perigee/base/fabric_keys.hpp"

struct evp_cipher_ctx_st;

namespace perigee::fabric_seal {

inline constexpr std::size_t sealed_header_bytes = 18;
inline constexpr std::size_t tag_bytes = 16;

enum class Direction : std::uint8_t { Seals, Opens };

class Cipher {
 public:
  Cipher(Direction direction, FabricSealing sealing, const FabricKeyBytes& key);

  /// `out` begins with the sealed header, and has `records` and the tag behind it afterwards.
  void seal(std::uint64_t number, std::span<const std::byte> records, std::byte* out);
  /// Whether the tag is right; then the records are readable, in place. A datagram with a wrong tag
  /// is spoilt.
  bool open(std::uint64_t number, std::span<std::byte> datagram);

 private:
  struct Free {
    void operator()(evp_cipher_ctx_st* context) const;
  };
  void begin(std::uint64_t number);

  Direction direction_;
  bool encrypts_;
  std::unique_ptr<evp_cipher_ctx_st, Free> context_;
};

}  // namespace perigee::fabric_seal
