#include "perigee/bots/stroller.hpp"

#include "brain_units.hpp"

namespace perigee::bots {
namespace {

constexpr double walking_share = 0.85;
constexpr double mouse_rad_s = 1.2;  // fastest turn of the view
constexpr double pitch_rad_max = 0.5;

}  // namespace

void Stroller::note_home() {
  if (home_local_ && home_ == avatar_.parent()) return;
  home_ = avatar_.parent();
  home_local_ = avatar_.state().position;
}

void Stroller::choose(Tick tick) {
  if (choose_at_ && before(tick, *choose_at_)) return;
  choose_at_ = tick + ticks(random_.between(0.5, 2.5));
  walks_ = random_.unit() < walking_share;
  yaw_rad_s_ = random_.between(-mouse_rad_s, mouse_rad_s);
  pitch_rad_s_ = random_.between(-mouse_rad_s, mouse_rad_s) / 4;
  const Vec3 way = *home_local_ - avatar_.state().position;
  if (length({way.x, 0, way.z}) <= leash_m) return;
  yaw_rad_ = arc_tangent(way.x, way.z);
  yaw_rad_s_ = 0;
  walks_ = true;
}

PlayerInput Stroller::sample(Tick tick) {
  note_home();
  choose(tick);
  yaw_rad_ += yaw_rad_s_ * seconds_per_tick;
  pitch_rad_ += pitch_rad_s_ * seconds_per_tick;
  if (std::abs(pitch_rad_) > pitch_rad_max) pitch_rad_s_ = -pitch_rad_s_;
  PlayerInput input;
  input.tick = tick;
  input.yaw = yaw_of(yaw_rad_);
  input.pitch = pitch_of(pitch_rad_);
  if (walks_) input.forward = full_axis;
  return input;
}

}  // namespace perigee::bots
