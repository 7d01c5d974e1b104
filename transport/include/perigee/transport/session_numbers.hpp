/// Session numbers: they look random, repeat only after 2^30 sessions, and are at least 2^24, so
/// that a sequence with the number in its upper half always has 8 bytes on the wire. They are below
/// 2^31, so that the sequence's top bit is 0 (the server's sequences start at 2^63).
#pragma once

#include <cstdint>

#include "perigee/transport/keys.hpp"

namespace perigee::transport {

inline constexpr std::uint32_t session_number_min = 1U << 24;
inline constexpr int session_number_shift = 32;

/// The session number in the upper half of a perigee client's sequence. 0: none.
constexpr std::uint32_t session_number_of(std::uint64_t sequence) {
  const std::uint64_t top = sequence >> session_number_shift;
  return top >= session_number_min && top < 1U << 31 ? static_cast<std::uint32_t>(top) : 0;
}

class SessionNumbers {
 public:
  explicit SessionNumbers(const SipKey& key) : key_(key) {}
  std::uint32_t next();

 private:
  std::uint32_t round(std::uint32_t number, std::uint32_t half) const;
  SipKey key_;
  std::uint32_t made_ = 0;
};

}  // namespace perigee::transport
