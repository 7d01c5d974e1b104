#include "perigee/bots/look.hpp"

#include <utility>

#include "brain_units.hpp"

namespace perigee::bots {
namespace {

constexpr double drift_max_rad_s = 15 * pi / 180;
constexpr std::int32_t drift_ticks = 20;
constexpr double return_per_s = 0.5;  // a drift tends to the wanted direction

double larger_part(const Direction& from, const Direction& to) {
  return std::max(std::abs(turn_between(from.yaw_rad, to.yaw_rad)),
                  std::abs(to.pitch_rad - from.pitch_rad));
}

}  // namespace

double turn_between(double from_rad, double to_rad) {
  return std::remainder(to_rad - from_rad, 2 * pi);
}

double Look::off_rad() const { return std::abs(turn_between(now_.yaw_rad, wanted_.yaw_rad)); }

void Look::show(PlayerInput& input) const {
  input.yaw = yaw_of(now_.yaw_rad);
  input.pitch = pitch_of(now_.pitch_rad);
}

void Look::aim(const Direction& at) {
  if (!aims_) begin_turn(at);
  to_ = {to_.yaw_rad + turn_between(to_.yaw_rad, at.yaw_rad), at.pitch_rad};
  aims_ = repeated_ = true;
}

void Look::begin_turn(const Direction& to) {
  const double share = std::min(1.0, larger_part(now_, to) / pi);
  const double wide = random_.between(0.7, 1.3) * share;
  turn_ticks_ = ticks_left_ = std::clamp(
      turn_ticks_min + static_cast<std::int32_t>(wide * (turn_ticks_max - turn_ticks_min)),
      turn_ticks_min, turn_ticks_max);
  from_ = now_;
  to_ = {from_.yaw_rad + turn_between(from_.yaw_rad, to.yaw_rad), to.pitch_rad};
  drift_ticks_left_ = 0;
}

void Look::advance() {
  if (aims_ && !repeated_) {
    aims_ = false;
    ticks_left_ = 0;
  }
  repeated_ = aimed_ = false;
  if (ticks_left_ == 0 && larger_part(now_, wanted_) > slack_rad) begin_turn(wanted_);
  if (ticks_left_ > 0) {
    turn();
  } else {
    wander();
  }
}

// The speed rises and falls as a parabola.
void Look::turn() {
  --ticks_left_;
  const double part = 1 - static_cast<double>(ticks_left_) / turn_ticks_;
  const double way = part * part * (3 - 2 * part);
  now_.yaw_rad = from_.yaw_rad + (to_.yaw_rad - from_.yaw_rad) * way;
  now_.pitch_rad = from_.pitch_rad + (to_.pitch_rad - from_.pitch_rad) * way;
  if (ticks_left_ > 0) return;
  now_.yaw_rad = turn_between(0, now_.yaw_rad);
  aimed_ = std::exchange(aims_, false);
}

void Look::wander() {
  if (--drift_ticks_left_ <= 0) {
    drift_ticks_left_ = drift_ticks;
    drift_rad_s_ = random_.between(-drift_max_rad_s, drift_max_rad_s) +
                   turn_between(now_.yaw_rad, wanted_.yaw_rad) * return_per_s;
  }
  now_.yaw_rad += drift_rad_s_ * seconds_per_tick;
}

}  // namespace perigee::bots
