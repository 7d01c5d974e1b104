#include "perigee/world/step_record.hpp"

#include "perigee/world/game.hpp"

namespace perigee::world {

namespace {

std::string_view unusable_field(const ActorState& state) {
  return first_of({beyond(state.position, place_max_m, field::position),
                   beyond(to_double(state.velocity), place_max_m, field::velocity)});
}
bool plausible(const ActorState& state) {
  return is_place(state.position) && is_place(to_double(state.velocity));
}

ActorParams slowed(const ActorParams& params, double share) {
  ActorParams out = params;
  out.walk_m_s *= share;
  out.run_m_s *= share;
  out.jetpack_speed_max_m_s *= share;
  return out;
}

// At the end of the tick: the neighbours of the next one are gathered for the new velocity.
void add_impulse(const ActorParams& params, const Vec3& change_m_s, ActorState& state) {
  if (change_m_s == Vec3{}) return;
  state.velocity = to_float(to_double(state.velocity) + change_m_s);
  if (change_m_s.y <= 0) return;
  state.flags = static_cast<std::uint8_t>(state.flags & ~actor_grounded);
  state.ground = no_entity;
  state.grounded_ticks = state.coyote_ticks = 0;
  state.jump_ticks = params.jump_ticks;
}

bool at_controls(const ActorState& state) { return (state.flags & actor_at_controls) != 0; }

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
  if (at_controls(record.after)) {
    record.report = {};
    return record.after;
  }
  const bool muted = record.wishes.muted;
  std::optional<ActorParams> slower;  // nearly all ticks need no copy
  if (record.wishes.speed_share < 1) slower = slowed(params, record.wishes.speed_share);
  record.report = step_actor(slower ? *slower : params, record.frame,
                             {record.neighbours.begin(), record.neighbours.size()},
                             muted ? neutral(record.input, record.tick) : record.input,
                             record.after, {record.cutouts.begin(), record.cutouts.size()});
  return record.after;
}

const ActorState& play_tick(const GameModule& game, const ActorParams& params, StepRecord& record,
                            const ActorState& before, const GameState& game_before) {
  record.game_before = record.game_after = game_before;
  record.after = state_at_start(record, before);
  record.wishes = {};
  record.report.contacts.clear();
  record.report.triggers.clear();
  for (const GameEvent& event : record.events) game.apply_event(event, record.game_after);
  ActorContext context(record);
  game.step(context, record.game_after);
  const ActorState start = record.after;
  const bool begins = plausible(start);
  if (begins && plausible(replay_step(params, record, before))) {
    if (at_controls(record.after)) return record.after;
    game.after_motion(context, record.game_after);
    add_impulse(params, record.wishes.impulse, record.after);
    return record.after;
  }
  record.wishes.refuse(GameValue::StepMotion);
  record.wishes.refused_field = unusable_field(begins ? record.after : start);
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
