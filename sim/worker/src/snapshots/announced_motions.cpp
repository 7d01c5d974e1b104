#include "perigee/worker/snapshots/announced_motions.hpp"

#include <cmath>

namespace perigee::worker {
namespace {

// An actor aboard is carried along, so an error of its parent's motion hardly changes its own. The
// velocity shows a change of thrust within a tick or two.
constexpr double off_max_m = 0.002, off_max_m_s = 0.02;  // at the surface
/// Clients extrapolate for five seconds.
constexpr std::int32_t announced_ticks_max = 200;
/// Clients are this far ahead of the worker at a ping of 100 ms.
constexpr std::int32_t lead_ticks = 12;
static_assert(announced_ticks_max + lead_ticks < world::extrapolate_ticks_max);

bool follows(const Motion& told, const Motion& motion, double reach_m) {
  const double off_m = distance(told.pose.position, motion.pose.position) +
                       small_angle_between(told.pose.rotation, motion.pose.rotation) * reach_m;
  const double off_m_s = distance(told.velocity, motion.velocity) +
                         distance(told.angular_velocity, motion.angular_velocity) * reach_m;
  return off_m <= off_max_m && off_m_s <= off_max_m_s;
}

}  // namespace

const AnnouncedMotions::Announced& AnnouncedMotions::current(Handle body,
                                                             const world::EntityType& type,
                                                             const Motion& motion, Tick now) {
  const auto [found, fresh] = lines_.try_emplace(body);
  Line& line = found->second;
  if (!fresh && line.checked == now) return line.told;
  line.checked = now;
  const std::int32_t ticks = ticks_between(line.told.tick, now);
  if (!fresh && ticks >= 0 && ticks <= announced_ticks_max && line.holds(ticks, motion, type)) {
    return line.told;
  }
  line.told = {rounded(motion), now};
  line.here.start(line.told.motion, type.thrust_limit_m_s2);
  line.ahead.start(line.told.motion, type.thrust_limit_m_s2);
  return line.told;
}

bool AnnouncedMotions::Line::holds(std::int32_t ticks, const Motion& motion,
                                   const world::EntityType& type) {
  const double reach_m = type.shape->reach_m();
  if (!follows(here.after(ticks), motion, reach_m)) return false;
  const Motion anew = world::extrapolate(motion, lead_ticks, type.thrust_limit_m_s2);
  return follows(ahead.after(ticks + lead_ticks), anew, reach_m);
}

void AnnouncedMotions::forget_unused(Tick now) {
  std::erase_if(lines_, [&](const auto& line) {
    return ticks_between(line.second.checked, now) > announced_ticks_max;
  });
}

}  // namespace perigee::worker
