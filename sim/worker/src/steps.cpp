#include <algorithm>
#include <utility>

#include "perigee/worker/core.hpp"

namespace perigee::worker {
namespace {

EffectEvent verdict_on(Tick target, std::uint8_t index, world::UseVerdict verdict) {
  const auto cancelled = [&](CancelReason reason) {
    return EffectEvent{target, index, Verdict::Cancelled, reason};
  };
  switch (verdict) {
    case world::UseVerdict::Accepted:
      break;
    case world::UseVerdict::UnknownTarget:
      return cancelled(CancelReason::NotThere);
    case world::UseVerdict::TooFar:
      return cancelled(CancelReason::TooFar);
    case world::UseVerdict::NotUsable:
    case world::UseVerdict::Busy:
      return cancelled(CancelReason::NotAllowed);
  }
  return {target, index, Verdict::Confirmed, CancelReason::None};
}

// The reduced mass of both, with the body's inertia at the point of contact. A larger impulse would
// make the body leave faster than it was pushed, and each push stronger than the one before.
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

void Core::step(Player& player, Tick tick) {
  world::StepRecord& record = player.records.claim(tick);
  record.tick = tick;
  record.actor = player.identity;
  record.events = std::exchange(player.events, {});
  record.switched_from.reset();
  record.helm = HelmChange::None;
  if (player.pending && player.pending->effect == tick) {
    // If the new parent is gone by now, the actor keeps its parent and is not thrown into space.
    if (world_->motion(player.pending->parent, tick)) {
      record.switched_from = world_->motion(player.parent, tick);
      player.parent = player.pending->parent;
      record.helm = player.pending->helm;
      const world::Entity* body = world_->find(player.parent);
      if (body != nullptr) record.seat = world_->type_of(*body).helm.seat;
    }
    player.pending.reset();
  }
  auto parent = world_->motion(player.parent, tick);
  auto frame = world_->frame(player.parent, tick);
  if (!parent || !frame) {  // the parent itself is gone: continue in the region's frame
    const world::StepRecord* last = player.records.find(tick - 1);
    if (last != nullptr) record.switched_from = last->parent_motion;
    player.parent = no_entity;
    player.state.flags &= static_cast<std::uint8_t>(~actor_at_helm);
    parent = world_->motion(no_entity, tick);
    frame = world_->frame(no_entity, tick);
  }
  record.parent = player.parent;
  record.parent_motion = *parent;
  record.frame = *frame;
  const ActorState local = world::state_at_start(record, player.state);
  const bool relative = player.inputs.techniques().relative_prediction;
  if (!relative && player.parent == no_entity) {
    record.frame.gravity = world_->gravity_at(local.position, tick);
  }
  world_->gather_neighbours(player.parent, player.surroundings(local), tick, player.avatar,
                            record.neighbours);
  ground_edits_->cut_out(player, local, record);
  const InputTimeline::Use use = player.inputs.take(tick);
  record.input = use.input;
  record.guessed = use.guessed;
  counts_.add(use.guessed ? Count::InputsGuessed : Count::InputsApplied);
  if (use.guessed && player.margins.guessed < 255) ++player.margins.guessed;
  player.state = world::play_tick(game_, *player.params, record, player.state, player.game);
  player.game = record.game_after;
  if (record.wishes.refused != 0) checked_game_->note_refused(player, record);
  ground_edits_->apply(player, record);
  judge_actions(player, record, use);
  outcomes_->judge_proposals(player, record);
  push_bodies(player, record);
  world_->set_actor(player.avatar, player.parent, player.state, tick + 1);
}

// Only when the tick first runs: re-simulation neither repeats nor withdraws a push.
void Core::push_bodies(const Player& player, const world::StepRecord& record) {
  for (const world::Push& push : record.wishes.pushes) {
    const auto parent = world_->motion(record.parent, record.tick + 1);
    if (!parent || world_->find(push.body) == nullptr) continue;
    world_->apply_impulse_next_tick(push.body, rotate(parent->pose.rotation, push.impulse),
                                    transform(parent->pose, push.at));
  }
  for (const world::Contact& contact : record.report.contacts) {
    const world::Entity* entity = world_->find(contact.id);
    if (entity == nullptr || contact.blocked_m_s <= 0) continue;
    const world::EntityType& type = world_->type_of(*entity);
    if (type.kind != world::EntityKind::Body) continue;
    if (type.mass_kg >= game_.parenting().mass_ratio_min * player.params->mass_kg) continue;  // K45
    const auto parent = world_->motion(record.parent, record.tick + 1);
    const auto body = world_->pose(contact.id, record.tick + 1);
    if (!parent || !body) continue;
    const Vec3 normal = rotate(parent->pose.rotation, to_double(contact.normal));
    const Vec3 at =
        transform(parent->pose, record.after.position) - normal * player.params->radius_m;
    const double kg = pushed_mass_kg(type, *body, player.params->mass_kg, at, normal);
    world_->apply_impulse_next_tick(contact.id, normal * (-contact.blocked_m_s * kg), at);
  }
}

// Sends the changes that the game and the players' actions announced in this tick to all clients
// that know the object.
void Core::tell_announced() {
  world_->take_announced(announced_);
  for (const world::TimelineChange& change : announced_) {
    observers_.broadcast(change.object,
                         TimelineEvent{change.object, change.effect, change.goal, change.version},
                         true);
  }
}

// Every action is judged once, when its input is first processed; the verdict names it by target
// tick and index. (S4)
void Core::judge_actions(Player& player, const world::StepRecord& record,
                         const InputTimeline::Use& use) {
  if (record.guessed || record.input.samples.empty()) return;
  std::uint8_t* judged = player.judged.find(record.tick);
  if (judged == nullptr) {
    judged = &player.judged.claim(record.tick);
    *judged = 0;
  }
  for (std::size_t i = 0; i < record.input.samples.size(); ++i) {
    const SubSample& sample = record.input.samples[i];
    if (sample.action != ActionKind::Use || (*judged & 1U << i) != 0) continue;
    *judged = static_cast<std::uint8_t>(*judged | 1U << i);
    world::UseAttempt attempt{player.avatar, record.parent, record.before,
                              sample.target, next_,         record.tick};
    // Only the owner may change an entity.
    const world::Entity* target = world_->find(sample.target);
    world::UseOutcome outcome = target != nullptr && target->remote
                                    ? world::UseOutcome{world::UseVerdict::NotUsable}
                                    : checked_game_->accept_use(attempt);
    if (outcome.helm != HelmChange::None &&
        !promise_helm(player, sample.target, outcome.helm, record.tick)) {
      outcome.verdict = world::UseVerdict::Busy;
    }
    if (outcome.verdict == world::UseVerdict::Accepted && outcome.change &&
        world_->announce(*outcome.change) != world::TimelineLog::Added::Stored) {
      outcome.verdict = world::UseVerdict::Busy;
    }
    const auto [at, index] = player.inputs.name_of_sample(record.tick, use, i);
    const EffectEvent verdict = verdict_on(at, index, outcome.verdict);
    observers_.tell(player.session, verdict, false);
  }
}

bool Core::moves(Handle handle) const {
  const world::Entity* entity = world_->find(handle);
  return entity != nullptr && world_->type_of(*entity).kind != world::EntityKind::Static;
}

// The worker chooses the parent, and announces it for a tick that the client has not predicted yet.
// (K34-K38)
void Core::choose_parent(Player& player) {
  if (player.pending || player.lost || player.respawns)
    return;  // no client to announce a change to
  if ((player.state.flags & actor_at_helm) != 0) return;
  const auto parent = world_->motion(player.parent, next_);
  if (!parent) return;
  world::ParentedActor actor;
  actor.parent = player.parent;
  actor.world = world::world_motion_of(player.state, *parent);
  actor.state = player.state;
  actor.mass_kg = player.params->mass_kg;
  world::ParentCandidates candidates;
  world_->parent_candidates(actor.world.pose.position, next_, player.parent, candidates);
  const Handle related = world::choose_parent(
      game_.parenting(), actor, {candidates.begin(), candidates.size()}, player.tracker);
  const bool in_frame = player.inputs.techniques().relative_prediction || !moves(related);
  const Handle chosen = in_frame ? related : no_entity;  // K33, K34
  if (chosen == player.parent) return;
  promise(player, {chosen, next_ + announce_ticks(player)});
}

std::int32_t Core::announce_ticks(const Player& player) const {
  return std::clamp(player.ahead_ticks + 4, settings_.announce_ticks_min,
                    settings_.announce_ticks_max);
}

bool Core::promise(Player& player, const PendingSwitch& change) {
  const ParentSwitchEvent event{player.avatar, change.parent, change.effect, player.switch_version,
                                change.helm};
  if (!observers_.tell(player.session, event, true))
    return false;  // not announced: chosen again next tick
  ++player.switch_version;
  player.pending = change;
  counts_.add(Count::ParentSwitches);
  return true;
}

}  // namespace perigee::worker
