/// Rate limits for log-ins: per source address, per player name, and in total. Uses memory of fixed
/// size.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "perigee/base/address.hpp"
#include "perigee/base/rate_table.hpp"
#include "perigee/base/tick.hpp"

namespace perigee::session {

/// `burst` at once, `per_minute` in the long run.
struct LogInRate {
  std::uint32_t per_minute = 60;
  std::uint32_t burst = 10;
};
struct LogInRates {
  LogInRate address{3'000, 100};  ///< a household, a school behind one address, a load test
  LogInRate name{60, 10};         ///< slows down guessing one account's credential
  LogInRate all{12'000, 400};     ///< the throughput of the store's disk
};

enum class LogInLimit : std::uint8_t { Address, Name, All, last = All };

class LogInLimits {
 public:
  static constexpr std::uint32_t places = 4'096;  ///< for addresses, and the same for names

  LogInLimits(const LogInRates& rates, std::uint64_t salt);
  struct Refused {
    LogInLimit limit = LogInLimit::All;
    Micros retry_after_us = 0;
  };
  /// An address counts without its port; an IPv6 address counts by its first 64 bits, since a
  /// customer owns the rest.
  std::optional<Refused> take(Micros now_us, const Address& source, std::string_view player_name);

 private:
  RateTable address_;
  RateTable name_;
  RateTable all_;
};

}  // namespace perigee::session
