/// Rate limits for strangers, who are as many as they like: a fixed number of places, each standing
/// for all keys that fall on it. A key has two, and is refused only if both are used up; so few
/// innocents suffer from collisions, and nobody who is guilty gets more than twice his share.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "perigee/netcode/assert.hpp"
#include "perigee/netcode/hash.hpp"
#include "perigee/netcode/tick.hpp"

namespace perigee::transport {

class WorkLimits {
 public:
  /// `places` is a power of two. `salt` keeps strangers from choosing keys that collide.
  WorkLimits(std::uint32_t places, std::uint32_t per_second, std::uint32_t burst,
             std::uint64_t salt)
      : period_us_(1'000'000 / per_second),
        slack_us_(period_us_ * (burst - 1)),
        salt_(salt),
        free_at_us_(places, std::numeric_limits<Micros>::min()) {
    PERIGEE_ASSERT(places > 0 && (places & (places - 1)) == 0, "places: a power of two");
  }

  /// Whether this key may cause work now; if so, it is charged.
  bool take(std::uint64_t key, Micros now_us) {
    const std::uint64_t hash = mix64(key ^ salt_);
    const std::uint64_t mask = free_at_us_.size() - 1;
    Micros& first = free_at_us_[hash & mask];
    Micros& second = free_at_us_[(hash >> 32) & mask];
    const bool first_has = now_us + slack_us_ >= first;
    const bool second_has = now_us + slack_us_ >= second;
    // Both are charged (once, if they are one place): a key cannot alternate between them.
    if (first_has) first = std::max(first, now_us) + period_us_;
    if (second_has && &second != &first) second = std::max(second, now_us) + period_us_;
    return first_has || second_has;
  }

 private:
  Micros period_us_;
  Micros slack_us_;  ///< how far ahead of now a place may be used up
  std::uint64_t salt_;
  std::vector<Micros> free_at_us_;  ///< when a place would be empty again
};

}  // namespace perigee::transport
