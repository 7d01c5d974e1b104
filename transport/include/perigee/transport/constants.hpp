/// The constants of the netcode 1.02 standard. All integers are little-endian.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "perigee/base/tick.hpp"

namespace perigee::transport {

/// "NETCODE 1.02" and its terminating zero.
inline constexpr std::array<std::byte, 13> version_info = {
    std::byte{'N'}, std::byte{'E'}, std::byte{'T'}, std::byte{'C'}, std::byte{'O'},
    std::byte{'D'}, std::byte{'E'}, std::byte{' '}, std::byte{'1'}, std::byte{'.'},
    std::byte{'0'}, std::byte{'2'}, std::byte{0}};
/// "perigee1" read as a little-endian number. Fixed: values that may differ between releases (wire
/// version, game schema) are in the log-in and in the token's user data.
inline constexpr std::uint64_t perigee_protocol_id = 0x3165656769726570ULL;

inline constexpr std::size_t tag_bytes = 16;
inline constexpr std::size_t token_nonce_bytes = 24;
inline constexpr std::size_t connect_token_bytes = 2048;
inline constexpr std::size_t private_token_bytes = 1024;  ///< sealed: 1008 + tag
inline constexpr std::size_t token_addresses_max = 32;
inline constexpr std::size_t user_data_bytes = 256;
inline constexpr std::size_t challenge_token_bytes = 300;  ///< sealed: 284 + tag
inline constexpr std::size_t challenge_body_bytes = 8 + challenge_token_bytes;
inline constexpr std::size_t keep_alive_body_bytes = 8;
inline constexpr std::size_t request_bytes = 1078;
inline constexpr std::size_t payload_bytes_max = 1200;
inline constexpr std::size_t packet_overhead_bytes_max = 1 + 8 + tag_bytes;
inline constexpr std::size_t datagram_bytes_max = payload_bytes_max + packet_overhead_bytes_max;

/// Period of requests, responses and keep-alives: 10 per second.
inline constexpr Micros send_period_us = 100'000;
/// A disconnect is not acknowledged, so this many packets are sent at once.
inline constexpr int disconnect_packets = 10;

using UserData = std::array<std::byte, user_data_bytes>;
using Tag = std::array<std::byte, tag_bytes>;
using TokenNonce = std::array<std::byte, token_nonce_bytes>;

}  // namespace perigee::transport
