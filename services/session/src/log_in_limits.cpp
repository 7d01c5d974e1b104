#include "perigee/session/log_in_limits.hpp"

#include <algorithm>

#include "perigee/netcode/assert.hpp"
#include "perigee/netcode/hash.hpp"

namespace perigee::session {
namespace {

constexpr Micros minute_us = 60'000'000;

std::uint64_t key_of(const Address& source) {
  StateHash hash;
  const std::size_t bytes = source.family == Address::Family::IPv6 ? 8 : 4;
  for (std::size_t i = 0; i < bytes; ++i) hash.add(source.ip[i]);
  return hash.add(source.family).value();
}
std::uint64_t key_of(std::string_view name) {
  StateHash hash;
  for (const char letter : name) hash.add(letter);
  return hash.value();
}

}  // namespace

RateTable::RateTable(const LogInRate& rate, std::uint64_t salt)
    : period_us_(minute_us / rate.per_minute),
      tolerance_us_(period_us_ * (rate.burst - 1)),
      salt_(salt),
      places_(sets) {
  PERIGEE_ASSERT(rate.per_minute >= 1 && rate.burst >= 1, "somebody may log in");
}

std::optional<Micros> RateTable::take(Micros now_us, std::uint64_t key) {
  const std::uint64_t mixed = mix64(key ^ salt_);
  auto& set = places_[mixed % sets];
  auto* place =
      std::find_if(set.begin(), set.end(), [&](const Place& p) { return p.key == mixed; });
  if (place == set.end()) {
    place = std::min_element(set.begin(), set.end(), [](const Place& a, const Place& b) {
      return a.full_at_us < b.full_at_us;
    });
    // Who is pushed out could be forgiven nothing: the newcomer starts where that one stood.
    place->key = mixed;
  }
  const Micros full_at_us = std::max(now_us, place->full_at_us);
  if (full_at_us - now_us > tolerance_us_) return full_at_us - now_us - tolerance_us_;
  place->full_at_us = full_at_us + period_us_;
  return std::nullopt;
}

LogInLimits::LogInLimits(const LogInRates& rates, std::uint64_t salt)
    : address_(rates.address, salt), name_(rates.name, salt + 1), all_(rates.all, salt + 2) {}

std::optional<LogInLimits::Refused> LogInLimits::take(Micros now_us, const Address& source,
                                                      std::string_view player_name) {
  // The narrowest first: a stranger over his own limit takes nothing from the others'.
  if (const auto wait_us = address_.take(now_us, key_of(source))) {
    return Refused{LogInLimit::Address, *wait_us};
  }
  if (const auto wait_us = name_.take(now_us, key_of(player_name))) {
    return Refused{LogInLimit::Name, *wait_us};
  }
  if (const auto wait_us = all_.take(now_us, 0)) return Refused{LogInLimit::All, *wait_us};
  return std::nullopt;
}

}  // namespace perigee::session
