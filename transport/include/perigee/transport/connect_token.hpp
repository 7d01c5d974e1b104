/// Connect tokens: 2048 bytes that the session service creates and the client receives over TLS.
/// The public part gives the client the addresses to dial; the private part is sealed for the
/// gateways.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "perigee/base/address.hpp"
#include "perigee/base/result.hpp"
#include "perigee/base/ring.hpp"
#include "perigee/transport/constants.hpp"
#include "perigee/transport/keys.hpp"

namespace perigee::transport {

using AddressList = FixedVector<Address, token_addresses_max>;
using ConnectToken = std::array<std::byte, connect_token_bytes>;
using SealedPrivateToken = std::array<std::byte, private_token_bytes>;

/// Time from log-in to expiry. Session service and gateways must use the same value: a restarted
/// gateway has lost the set of used tokens, and refuses every token that may have been used before.
inline constexpr std::uint32_t token_life_s = 30;

struct ConnectTokenSpec {
  std::uint64_t protocol_id = perigee_protocol_id;
  std::uint64_t create_time_s = 0;  ///< unix time
  std::uint64_t expire_time_s = 0;  ///< deadline of the request; create_time_s + token_life_s
  std::int32_t timeout_s = 5;       ///< silence that ends the session; <= 0: none, development only
  AddressList public_addresses;     ///< dialled by the client in this order
  AddressList server_addresses;  ///< each server finds its own address here; as many as public ones
  std::uint64_t client_id = 0;
  UserData user_data{};
};

/// Draws, in this order: nonce (16 bytes; the other 8 check it, see nonce_check.hpp),
/// client-to-server key (32), server-to-client key (32).
Result<ConnectToken> make_connect_token(const ConnectTokenSpec& spec, const Key& private_key,
                                        const RandomBytes& random);

/// The part that the client reads.
struct PublicToken {
  std::uint64_t protocol_id = 0;
  std::uint64_t create_time_s = 0;
  std::uint64_t expire_time_s = 0;
  TokenNonce nonce{};
  SealedPrivateToken sealed{};
  std::int32_t timeout_s = 0;
  AddressList addresses;
  Key client_to_server{};
  Key server_to_client{};
};
/// None: wrong size or version, 0 or more than 32 addresses, an unknown address type, or created
/// after its own expiry.
std::optional<PublicToken> read_connect_token(std::span<const std::byte> token);

/// The part that the server reads.
struct PrivateToken {
  std::uint64_t client_id = 0;
  std::int32_t timeout_s = 0;
  AddressList addresses;
  Key client_to_server{};
  Key server_to_client{};
  UserData user_data{};
};
/// The clear values that the seal authenticates.
struct TokenSealing {
  std::uint64_t protocol_id = 0;
  std::uint64_t expire_time_s = 0;
  TokenNonce nonce{};
};
enum class TokenFault : std::uint8_t { Forged, Malformed };
struct OpenedToken {
  std::optional<PrivateToken> token;
  TokenFault fault = TokenFault::Forged;  ///< if there is no token
};
OpenedToken open_private_token(std::span<const std::byte, private_token_bytes> sealed,
                               const TokenSealing& sealing, const Key& private_key);
/// The last 16 bytes of the sealed part; they identify a token in the list of used ones.
Tag tag_of(std::span<const std::byte, private_token_bytes> sealed);

}  // namespace perigee::transport
