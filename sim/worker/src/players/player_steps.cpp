#include "perigee/worker/players/player_steps.hpp"

#include <utility>

namespace perigee::worker {
namespace {

// The reduced mass of both, with the body's inertia at the point of contact. With a larger impulse
// the body would leave faster than it was pushed, and each push would be stronger than the one
// before.
double pushed_mass_kg(const world::EntityType& type, const Pose& body, double actor_kg,
                      const Vec3& point, const Vec3& normal) {
  const Vec3 arm = cross(inverse_transform(body, point), rotate_back(body.rotation, normal));
  const Vec3 s = multiply(type.shape->bounds().size(), type.shape->bounds().size());
  const Vec3 inertia = Vec3{s.y + s.z, s.x + s.z, s.x + s.y} * (type.mass_kg / 12);
  const double turning =
      arm.x * arm.x / inertia.x + arm.y * arm.y / inertia.y + arm.z * arm.z / inertia.z;
  return 1 / (1 / actor_kg + 1 / type.mass_kg + turning);
}

}  // namespace

void PlayerSteps::apply_pending_switch(Player& player, world::StepRecord& record) {
  if (!player.pending || player.pending->effect != record.tick) return;
  // If the new parent is gone by now, the actor keeps its parent and is not thrown into space.
  if (needs_.world.motion(player.pending->parent, record.tick)) {
    record.switched_from = needs_.world.motion(player.parent, record.tick);
    player.parent = player.pending->parent;
    record.vehicle = player.pending->vehicle;
    const world::Entity* body = needs_.world.find(player.parent);
    if (body != nullptr) record.seat = needs_.world.type_of(*body).vehicle.seat;
  }
  player.pending.reset();
}

void PlayerSteps::decide_input(Player& npc, Tick tick) {
  if (npc.inputs.arrived(tick)) return;
  npc.inputs.offer(needs_.checked_game.drive_npc(npc, tick), tick);
}

void PlayerSteps::step(Player& player, Tick tick) {
  if (player.npc()) decide_input(player, tick);
  world::StepRecord& record = player.records.claim(tick);
  record.tick = tick;
  record.actor = player.identity;
  record.events = std::exchange(player.events, {});
  record.switched_from.reset();
  record.vehicle = VehicleChange::None;
  apply_pending_switch(player, record);
  auto parent = needs_.world.motion(player.parent, tick);
  auto frame = needs_.world.frame(player.parent, tick);
  if (!parent || !frame) {  // the parent itself is gone: continue in the region's frame
    const world::StepRecord* last = player.records.find(tick - 1);
    if (last != nullptr) record.switched_from = last->parent_motion;
    player.parent = no_entity;
    player.state.flags &= static_cast<std::uint8_t>(~actor_at_controls);
    parent = needs_.world.motion(no_entity, tick);
    frame = needs_.world.frame(no_entity, tick);
  }
  record.parent = player.parent;
  record.parent_motion = *parent;
  record.frame = *frame;
  const ActorState local = world::state_at_start(record, player.state);
  const bool relative = player.inputs.techniques().relative_prediction;
  if (!relative && player.parent == no_entity) {
    record.frame.gravity = needs_.world.gravity_at(local.position, tick);
  }
  needs_.world.gather_neighbours(player.parent, player.surroundings(local), tick, player.avatar,
                                 record.neighbours);
  needs_.ground_edits.cut_out(player, local, record);
  const InputTimeline::Use use = player.inputs.take(tick);
  record.input = use.input;
  record.guessed = use.guessed;
  if (!player.npc()) {
    needs_.counts.add(use.guessed ? metric.inputs_guessed : metric.inputs_applied);
  }
  if (use.guessed && player.margins.guessed < 255) ++player.margins.guessed;
  player.state = world::play_tick(needs_.game, *player.params, record, player.state, player.game);
  player.game = record.game_after;
  if (record.wishes.refused != 0) needs_.checked_game.note_refused(player, record);
  needs_.ground_edits.apply(player, record);
  needs_.use_actions.judge(player, record, use);
  needs_.outcomes.judge_proposals(player, record);
  needs_.cues.on_step(player, record);
  push_bodies(player, record);
  needs_.world.set_actor(player.avatar, player.parent, player.state, tick + 1);
}

// Only when the tick first runs: re-simulation neither repeats nor withdraws a push.
void PlayerSteps::push_bodies(const Player& player, const world::StepRecord& record) {
  for (const world::Push& push : record.wishes.pushes) {
    const auto parent = needs_.world.motion(record.parent, record.tick + 1);
    if (!parent || needs_.world.find(push.body) == nullptr) continue;
    needs_.world.apply_impulse_next_tick(push.body, rotate(parent->pose.rotation, push.impulse),
                                         transform(parent->pose, push.at));
  }
  for (const world::Contact& contact : record.report.contacts) {
    const world::Entity* entity = needs_.world.find(contact.id);
    if (entity == nullptr || contact.closing_m_s <= 0) continue;
    const world::EntityType& type = needs_.world.type_of(*entity);
    if (type.kind != world::EntityKind::Body) continue;
    if (type.mass_kg >= needs_.game.parenting().mass_ratio_min * player.params->mass_kg)
      continue;  // could be the actor's parent: a parent is never pushed by its child
    const auto parent = needs_.world.motion(record.parent, record.tick + 1);
    const auto body = needs_.world.pose(contact.id, record.tick + 1);
    if (!parent || !body) continue;
    const Vec3 normal = rotate(parent->pose.rotation, to_double(contact.normal));
    const Vec3 at =
        transform(parent->pose, record.after.position) - normal * player.params->radius_m;
    const double kg = pushed_mass_kg(type, *body, player.params->mass_kg, at, normal);
    needs_.world.apply_impulse_next_tick(contact.id, normal * (-contact.closing_m_s * kg), at);
  }
}

}  // namespace perigee::worker
