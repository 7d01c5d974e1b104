/// AES-256-GCM under one key, for one direction between two processes. Without encryption the whole
/// datagram is associated data, which makes the tag a GMAC.
///
/// Two libraries compute the same bytes. OpenSSL runs on every processor and is faster for long
/// texts. libsodium needs instructions of x86, and has a third of the overhead per datagram, so it
/// makes the tags where it can.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "perigee/base/fabric_keys.hpp"

struct evp_cipher_ctx_st;
struct crypto_aead_aes256gcm_state_;

namespace perigee::fabric_seal {

inline constexpr std::size_t sealed_header_bytes = 18;
inline constexpr std::size_t tag_bytes = 16;

enum class Direction : std::uint8_t { Seals, Opens };
enum class Library : std::uint8_t { OpenSsl, Sodium };
/// The faster one of those that this processor can use.
Library library_for(FabricSealing sealing);

class Cipher {
 public:
  Cipher(Direction direction, FabricSealing sealing, const FabricKeyBytes& key)
      : Cipher(direction, sealing, key, library_for(sealing)) {}
  Cipher(Direction direction, FabricSealing sealing, const FabricKeyBytes& key, Library library);

  /// `out` begins with the sealed header, and has `records` and the tag behind it afterwards.
  void seal(std::uint64_t number, std::span<const std::byte> records, std::byte* out);
  /// Whether the tag is right; then the records are readable, in place. A datagram with a wrong tag
  /// is spoilt.
  bool open(std::uint64_t number, std::span<std::byte> datagram);

 private:
  struct Free {
    void operator()(evp_cipher_ctx_st* context) const;
    void operator()(crypto_aead_aes256gcm_state_* schedule) const;
  };
  void seal_by_openssl(std::uint64_t number, std::span<std::byte> datagram);
  bool open_by_openssl(std::uint64_t number, std::span<std::byte> datagram);
  void pass_through_openssl(std::uint64_t number, std::span<std::byte> text);

  Direction direction_;
  bool encrypts_;
  std::unique_ptr<evp_cipher_ctx_st, Free> openssl_;
  std::unique_ptr<crypto_aead_aes256gcm_state_, Free> sodium_;  ///< null: OpenSSL is used
};

}  // namespace perigee::fabric_seal
