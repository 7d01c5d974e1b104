#include "perigee/transport/work_limits.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "perigee/base/hash.hpp"
#include "perigee/transport/server_settings.hpp"

namespace perigee::transport {
namespace {

constexpr Micros period_us(std::uint32_t per_s) { return Micros{1'000'000} / per_s; }

std::uint64_t nonce_hash(const TokenNonce& nonce) {
  std::array<std::uint64_t, 3> words{};
  std::memcpy(words.data(), nonce.data(), sizeof words);
  return mix64(words[0], words[1], words[2]);
}

/// Hashes an IPv6 source by its /64: a host with one address can use all 2^64 addresses beside it.
std::uint64_t source_hash(const Address& from) {
  Address source = from;
  source.port = 0;
  if (from.family == Address::Family::IPv6) std::fill(source.ip.begin() + 8, source.ip.end(), 0);
  return source.hash();
}

}  // namespace

WorkLimits::WorkLimits(std::uint64_t salt)
    : of_source_(work_places, period_us(work_per_source_per_s), work_per_source_burst, salt),
      of_nonce_(work_places, period_us(work_per_nonce_per_s), work_per_nonce_burst, salt) {}

std::optional<Drop> WorkLimits::charge_request(Micros now_us, const Address& from,
                                               const TokenNonce& nonce) {
  // The nonce is charged first: copies of one header must not use up their source's share.
  if (of_nonce_.take(nonce_hash(nonce), now_us)) return Drop::RequestNonceOverRate;
  return charge_response(now_us, from);
}

std::optional<Drop> WorkLimits::charge_response(Micros now_us, const Address& from) {
  if (of_source_.take(source_hash(from), now_us)) return Drop::SourceOverRate;
  return std::nullopt;
}

}  // namespace perigee::transport
