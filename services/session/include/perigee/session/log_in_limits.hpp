/// How often somebody may try to log in: per source address, per player name, and in all. Memory
/// of fixed size, whoever knocks.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "perigee/netcode/address.hpp"
#include "perigee/netcode/rate_table.hpp"
#include "perigee/netcode/tick.hpp"

namespace perigee::session {

/// `burst` at once, `per_minute` in the long run.
struct LogInRate {
  std::uint32_t per_minute = 60;
  std::uint32_t burst = 10;
};
struct LogInRates {
  LogInRate address{3'000, 100};  ///< a household, a school behind one address, a load test
  LogInRate name{60, 10};         ///< who guesses a credential of one account
  LogInRate all{12'000, 400};     ///< what the store's disk can take
};

enum class LogInLimit : std::uint8_t { Address, Name, All, last = All };

class LogInLimits {
 public:
  static constexpr std::uint32_t places = 4'096;  ///< for addresses, and for names

  LogInLimits(const LogInRates& rates, std::uint64_t salt);
  struct Refused {
    LogInLimit limit = LogInLimit::All;
    Micros retry_after_us = 0;
  };
  /// An address counts without its port; of an IPv6 one only the first 64 bits: a customer owns
  /// the rest.
  std::optional<Refused> take(Micros now_us, const Address& source, std::string_view player_name);

 private:
  RateTable address_;
  RateTable name_;
  RateTable all_;
};

}  // namespace perigee::session
