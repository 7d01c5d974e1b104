/// A rate limit: `burst` at once, `per_second` in the long run.
#pragma once

#include <algorithm>
#include <cstdint>

#include "perigee/base/tick.hpp"

namespace perigee::transport {

class TokenBucket {
 public:
  TokenBucket() = default;
  TokenBucket(std::int64_t per_second, std::int64_t burst, Micros now_us)
      : per_second_(per_second), full_(burst * unit), level_(full_), at_us_(now_us) {}

  /// Whether one more token is available now.
  bool has(Micros now_us) {
    const Micros passed_us = std::clamp<Micros>(now_us - at_us_, 0, second_us);
    level_ = std::min(full_, level_ + passed_us * per_second_);
    at_us_ = std::max(at_us_, now_us);
    return level_ >= unit;
  }
  /// The same; takes the token if it is available.
  bool take(Micros now_us) {
    const bool one = has(now_us);
    if (one) level_ -= unit;
    return one;
  }

 private:
  static constexpr Micros second_us = 1'000'000;
  static constexpr std::int64_t unit = second_us;  ///< one token; makes rates integers
  std::int64_t per_second_ = 0;
  std::int64_t full_ = 0;
  std::int64_t level_ = 0;
  Micros at_us_ = 0;
};

}  // namespace perigee::transport
