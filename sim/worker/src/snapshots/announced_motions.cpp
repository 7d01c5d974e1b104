#include "perigee/worker/snapshots/announced_motions.hpp"

#include <cmath>

namespace perigee::worker {
namespace {

// An actor aboard is carried along, so an error of its parent's motion hardly changes its own. The
// velocity shows a change of thrust within a tick or two.
constexpr double off_max_m = 0.002, off_max_m_s = 0.02;  // at the surface
/// Clients extrapolate for five seconds.
constexpr std::int32_t announced_ticks_max = 200;
static_assert(announced_ticks_max < world::extrapolate_ticks_max);

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
  if (!fresh && ticks >= 0 && ticks <= announced_ticks_max &&
      follows(line.onward.after(ticks), motion, type.shape->reach_m())) {
    return line.told;
  }
  line.told = {rounded(motion), now};
  line.onward.start(line.told.motion, type.thrust_limit_m_s2);
  return line.told;
}

void AnnouncedMotions::forget_unused(Tick now) {
  std::erase_if(lines_, [&](const auto& line) {
    return ticks_between(line.second.checked, now) > announced_ticks_max;
  });
}

}  // namespace perigee::worker
