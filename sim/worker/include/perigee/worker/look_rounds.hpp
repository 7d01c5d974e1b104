/// Rounds in which everything of a list is looked at once, a part of it each tick. A round keeps
/// the list that it began with: whatever goes away or comes meanwhile makes it pass nothing over.
/// (decision 0028)
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "perigee/netcode/player_input.hpp"

namespace perigee::worker {

class LookRounds {
 public:
  using Number = std::uint32_t;

  /// The next round that begins; once it has ended, all that is there now has been looked at. The
  /// one that runs is broken off if nobody waits for it.
  Number await_next() {
    if (!awaited_) at_ = list_.size();
    next_awaited_ = true;
    return number_ + 1;
  }
  /// A round has to begin before there is more to look at.
  bool over() const { return at_ == list_.size(); }
  /// `all` in so many turns.
  void begin(std::span<const Handle> all, std::size_t turns) {
    list_.assign(all.begin(), all.end());
    at_ = 0;
    per_turn_ = (list_.size() + turns - 1) / turns;
    ++number_;
    awaited_ = std::exchange(next_awaited_, false);
  }
  /// Those of one tick; they count as looked at.
  std::span<const Handle> take() {
    const std::size_t count = std::min(per_turn_, list_.size() - at_);
    const auto out = std::span(list_).subspan(at_, count);
    at_ += count;
    if (at_ == list_.size()) ended_ = number_;
    return out;
  }
  /// It, or one after it, has been gone through whole.
  bool ended(Number round) const { return static_cast<std::int32_t>(ended_ - round) >= 0; }
  /// The one that has begun last.
  Number number() const { return number_; }

 private:
  std::vector<Handle> list_;
  std::size_t at_ = 0, per_turn_ = 0;
  Number number_ = 0, ended_ = 0;
  bool awaited_ = false, next_awaited_ = false;
};

}  // namespace perigee::worker
