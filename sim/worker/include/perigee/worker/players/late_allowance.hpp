/// Limits how much of its past a player may change by late inputs. Beyond the limit, shots hit the
/// player where other players saw it. Lateness beyond what jitter explains then costs the late
/// player. (decision 0061) And limits the work for gaps in a player's inputs.
#pragma once

#include <cstdint>

namespace perigee::worker {

/// Counts the ticks that the player's own late inputs re-simulate. On recorded networks these are 1
/// to 5 ticks per second. A client that sends each input 230 ms late reaches 840.
class LateAllowance {
 public:
  static constexpr std::int32_t ticks_to_regain_one = 6;

  explicit LateAllowance(std::int32_t ticks_max) : left_(ticks_max) {}
  LateAllowance() = default;

  void spend_tick() {
    if (left_ > 0) --left_;
  }
  /// Called once per tick.
  void regain(std::int32_t ticks_max, std::int32_t every_ticks = ticks_to_regain_one) {
    if (++since_regained_ < every_ticks) return;
    since_regained_ = 0;
    if (left_ < ticks_max) ++left_;
  }
  bool spent() const { return left_ == 0; }

  template <class Cursor, class T>
  static bool walk(Cursor& cursor, T& allowance) {
    return cursor.number(allowance.left_) && cursor.number(allowance.since_regained_) &&
           allowance.left_ >= 0 && allowance.since_regained_ >= 0 &&
           allowance.since_regained_ < ticks_to_regain_one;
  }

 private:
  std::int32_t left_ = 0;
  std::int32_t since_regained_ = 0;
};

}  // namespace perigee::worker
