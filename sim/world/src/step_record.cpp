#include "perigee/world/step_record.hpp"

namespace perigee::world {

ActorState state_at_start(const StepRecord& record, const ActorState& before) {
  return record.switched_from ? re_express(before, *record.switched_from, record.parent_motion)
                              : before;
}

const ActorState& replay_step(const ActorParams& params, StepRecord& record,
                              const ActorState& before) {
  record.before = before;
  record.after = state_at_start(record, before);
  record.report =
      step_actor(params, record.frame, {record.neighbours.begin(), record.neighbours.size()},
                 record.input, record.after);
  return record.after;
}

bool replace_actor(StepRecord& record, Handle actor, const Vec3& position, const Vec3& velocity) {
  for (Neighbour& neighbour : record.neighbours) {
    if (neighbour.id != actor || neighbour.kind != NeighbourKind::Actor) continue;
    neighbour.previous = neighbour.pose = Pose{position, {}};
    neighbour.velocity = velocity;
    return true;
  }
  return false;
}

}  // namespace perigee::world
