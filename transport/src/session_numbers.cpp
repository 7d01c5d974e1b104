#include "perigee/transport/session_numbers.hpp"

#include "aead.hpp"

namespace perigee::transport {
namespace {

constexpr std::uint32_t half_bits = 15;
constexpr std::uint32_t half_mask = (1U << half_bits) - 1;
constexpr std::uint32_t rounds = 4;  ///< Luby and Rackoff: indistinguishable from random

}  // namespace

std::uint32_t SessionNumbers::round(std::uint32_t number, std::uint32_t half) const {
  const std::array<std::uint32_t, 2> input{number, half};
  std::uint64_t hash = 0;
  crypto_shorthash(reinterpret_cast<unsigned char*>(&hash),
                   reinterpret_cast<const unsigned char*>(input.data()), sizeof input,
                   octets(key_.data()));
  return static_cast<std::uint32_t>(hash) & half_mask;
}

std::uint32_t SessionNumbers::next() {
  // A Feistel network permutes the counter: a number repeats only after all others.
  std::uint32_t left = made_ >> half_bits & half_mask;
  std::uint32_t right = made_ & half_mask;
  ++made_;
  for (std::uint32_t n = 0; n < rounds; ++n) {
    const std::uint32_t mixed = left ^ round(n, right);
    left = right;
    right = mixed;
  }
  return session_number_min + (left << half_bits | right);
}

}  // namespace perigee::transport
