#include "triggers.hpp"

#include "capsule.hpp"

namespace perigee::world {
namespace {

constexpr std::size_t trigger_boxes_max = 64;

/// The actor in the trigger's own frame.
Capsule local_capsule(const ActorParams& params, const Pose& trigger, const Vec3& center) {
  const Vec3 half_axis{0, params.height_m / 2 - params.radius_m, 0};
  return {inverse_transform(trigger, center), rotate_back(trigger.rotation, half_axis),
          params.radius_m};
}

class TriggerTest {
 public:
  TriggerTest(const ActorParams& params, const Neighbour& trigger, const Vec3& start,
              const Vec3& end)
      : from_(local_capsule(params, trigger.previous, start)),
        to_(local_capsule(params, trigger.pose, end)) {
    Capsule core = from_;  // sweeps keep skin_m away
    core.radius -= skin_m;
    const double reach_m = params.height_m / 2;
    const Bounds path = united(inflated({from_.center, from_.center}, reach_m),
                               inflated({to_.center, to_.center}, reach_m));
    fits_ = trigger.shape->find(path, found_);
    for (const std::uint32_t i : found_) {
      const TurnedBox box = turned({}, trigger.shape->boxes()[i]);
      in_before_ = in_before_ || separation(from_, box).distance < 0;
      in_after_ = in_after_ || separation(to_, box).distance < 0;
      SweepHit hit;
      meets_ = meets_ || sweep(core, to_.center - from_.center, box, hit);
    }
  }
  bool fits() const { return fits_; }
  bool any() const { return in_before_ || in_after_ || meets_; }
  bool entered() const { return !in_before_ && any(); }
  bool left() const { return !in_after_ && any(); }

 private:
  Capsule from_, to_;
  FixedVector<std::uint32_t, trigger_boxes_max> found_;
  bool fits_ = true;
  bool in_before_ = false, in_after_ = false, meets_ = false;
};

}  // namespace

void note_triggers(const ActorParams& params, std::span<const Neighbour> neighbours,
                   const Vec3& start, const Vec3& end, StepReport& report) {
  for (const Neighbour& neighbour : neighbours) {
    if (neighbour.kind != NeighbourKind::Trigger) continue;
    const TriggerTest test(params, neighbour, start, end);
    if (!test.fits()) ++report.overflows;
    if (!test.any()) continue;
    const TriggerContact contact{neighbour.id, neighbour.type, test.entered(), test.left()};
    if (!report.triggers.push_back(contact)) ++report.overflows;
  }
}

}  // namespace perigee::world
