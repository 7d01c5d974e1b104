#include "perigee/world/step_record.hpp"

#include "perigee/world/game.hpp"

namespace perigee::world {

namespace {

bool plausible(const ActorState& state) {
  return is_place(state.position) && is_place(to_double(state.velocity));
}

}  // namespace

ActorState state_at_start(const StepRecord& record, const ActorState& before) {
  switch (record.vehicle) {
    case VehicleChange::Take:
      return {.position = record.seat, .flags = actor_at_controls};
    case VehicleChange::Leave:
      return {.position = before.position};
    case VehicleChange::None:
      break;
  }
  return record.switched_from ? re_express(before, *record.switched_from, record.parent_motion)
                              : before;
}

const ActorState& replay_step(const ActorParams& params, StepRecord& record,
                              const ActorState& before) {
  record.before = before;
  record.after = state_at_start(record, before);
  if ((record.after.flags & actor_at_controls) != 0) {
    record.report = {};
    return record.after;
  }
  const bool muted = record.wishes.muted;
  record.report =
      step_actor(params, record.frame, {record.neighbours.begin(), record.neighbours.size()},
                 muted ? neutral(record.input, record.tick) : record.input, record.after,
                 {record.cutouts.begin(), record.cutouts.size()});
  return record.after;
}

const ActorState& play_tick(const GameModule& game, const ActorParams& params, StepRecord& record,
                            const ActorState& before, const GameState& game_before) {
  record.game_before = record.game_after = game_before;
  record.after = state_at_start(record, before);
  record.wishes = {};
  for (const GameEvent& event : record.events) game.apply_event(event, record.game_after);
  ActorContext context(record);
  game.step(context, record.game_after);
  const ActorState start = record.after;
  const bool begins = plausible(start);
  if (begins && plausible(replay_step(params, record, before))) return record.after;
  record.wishes.refuse(GameValue::StepMotion);
  record.before = before;
  record.report = {};
  record.after = {.position = begins ? start.position : before.position};
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
