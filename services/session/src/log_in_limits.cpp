#include "perigee/session/log_in_limits.hpp"

#include "perigee/base/hash.hpp"

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
  for (const char message : name) hash.add(message);
  return hash.value();
}

RateTable table(std::uint32_t places, const LogInRate& rate, std::uint64_t salt) {
  return {places, minute_us / rate.per_minute, rate.burst, salt};
}

}  // namespace

LogInLimits::LogInLimits(const LogInRates& rates, std::uint64_t salt)
    : address_(table(places, rates.address, salt)),
      name_(table(places, rates.name, salt + 1)),
      all_(table(1, rates.all, 0)) {}

std::optional<LogInLimits::Refused> LogInLimits::take(Micros now_us, const Address& source,
                                                      std::string_view player_name) {
  // The narrowest limit first: an address over its own limit uses up nothing of the others.
  if (const auto wait_us = address_.take(key_of(source), now_us)) {
    return Refused{LogInLimit::Address, *wait_us};
  }
  if (const auto wait_us = name_.take(key_of(player_name), now_us)) {
    return Refused{LogInLimit::Name, *wait_us};
  }
  if (const auto wait_us = all_.take(0, now_us)) return Refused{LogInLimit::All, *wait_us};
  return std::nullopt;
}

}  // namespace perigee::session
