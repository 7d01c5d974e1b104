/// Rate limits for an unbounded number of unauthenticated senders: a fixed number of places, each
/// shared by all keys that hash to it. A key has two places and is refused only if both are used
/// up, so collisions rarely hit innocent senders, and no sender gets more than twice its share.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "perigee/base/assert.hpp"
#include "perigee/base/hash.hpp"
#include "perigee/base/tick.hpp"

namespace perigee {

/// Each place is one moment (generic cell rate algorithm): the time at which it will be empty
/// again.
class RateTable {
 public:
  /// Allows `burst` at once and one per `period_us` in the long run. `places` is a power of two.
  /// `salt` keeps attackers from choosing keys that collide.
  RateTable(std::uint32_t places, Micros period_us, std::uint32_t burst, std::uint64_t salt)
      : period_us_(period_us),
        slack_us_(period_us_ * (burst - 1)),
        salt_(salt),
        empty_at_us_(places, std::numeric_limits<Micros>::min()) {
    PERIGEE_ASSERT(places > 0 && (places & (places - 1)) == 0, "places must be a power of two");
    PERIGEE_ASSERT(period_us > 0 && burst > 0, "period_us and burst must be positive");
  }

  /// None: the key may pass, and is charged. Otherwise the time to wait.
  std::optional<Micros> take(std::uint64_t key, Micros now_us) {
    const std::uint64_t hash = mix64(key ^ salt_);
    const std::size_t mask = empty_at_us_.size() - 1;
    Micros& first = empty_at_us_[static_cast<std::size_t>(hash) & mask];
    Micros& second = empty_at_us_[static_cast<std::size_t>(hash >> 32) & mask];
    const Micros full_us = now_us + slack_us_;
    if (full_us < first && full_us < second) return std::min(first, second) - full_us;
    // Both are charged (once if they are the same place): a key cannot alternate between them.
    if (full_us >= first) first = std::max(first, now_us) + period_us_;
    if (full_us >= second && &second != &first) second = std::max(second, now_us) + period_us_;
    return std::nullopt;
  }

 private:
  Micros period_us_;
  Micros slack_us_;  ///< how far ahead of now a place may be charged
  std::uint64_t salt_;
  std::vector<Micros> empty_at_us_;
};

}  // namespace perigee
