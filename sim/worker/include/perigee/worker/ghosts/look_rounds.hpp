/// Scans a list of entities in rounds, a part of the list each tick. A round keeps a copy of the
/// list that it began with, so entities that appear or vanish meanwhile cannot make the round skip
/// others. (decision 0028)
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "perigee/base/player_input.hpp"

namespace perigee::worker {

class LookRounds {
 public:
  using Number = std::uint32_t;

  /// The number of the next round. When that round has ended, all entities that exist now have been
  /// scanned. Aborts the current round, unless a caller awaits that round, too.
  Number await_next() {
    if (!awaited_) at_ = list_.size();
    next_awaited_ = true;
    return number_ + 1;
  }
  /// The round is finished; begin() must be called before take() returns more.
  bool over() const { return at_ == list_.size(); }
  /// Starts a round over `all`, split into this many turns.
  void begin(std::span<const Handle> all, std::size_t turns) {
    list_.assign(all.begin(), all.end());
    at_ = 0;
    per_turn_ = (list_.size() + turns - 1) / turns;
    ++number_;
    awaited_ = std::exchange(next_awaited_, false);
  }
  /// The entities for one tick; they count as scanned.
  std::span<const Handle> take() {
    const std::size_t count = std::min(per_turn_, list_.size() - at_);
    const auto out = std::span(list_).subspan(at_, count);
    at_ += count;
    if (at_ == list_.size()) ended_ = number_;
    return out;
  }
  /// This round, or a later one, was completed.
  bool ended(Number round) const { return static_cast<std::int32_t>(ended_ - round) >= 0; }
  /// The number of the newest round.
  Number number() const { return number_; }

 private:
  std::vector<Handle> list_;
  std::size_t at_ = 0, per_turn_ = 0;
  Number number_ = 0, ended_ = 0;
  bool awaited_ = false, next_awaited_ = false;
};

}  // namespace perigee::worker
