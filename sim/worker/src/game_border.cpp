// Validates values returned by the game. An invalid one is noted with its kind, entity and tick,
// and replaced as described in GameValue's rows, so it never reaches a peer or a client.
#include <algorithm>
#include <utility>

#include "perigee/worker/core.hpp"

namespace perigee::worker {

void Core::drive(Tick tick) {
  const world::World::GameCall call(*world_);
  game_.drive(*world_, tick);
}

void Core::refuse(world::GameValue value, Handle entity) {
  const world::Entity* known = world_->find(entity);
  const world::TypeId type = known != nullptr ? known->type : world::GameFault::no_type;
  world_->game_faults().note({value, type, entity, next_});
}

void Core::note_refused(const Player& player, const world::StepRecord& record) {
  for (unsigned i = 0; i <= static_cast<unsigned>(world::GameValue::last); ++i) {
    if ((record.wishes.refused & 1U << i) == 0) continue;
    const world::TypeId type = world_->find(player.avatar)->type;
    world_->game_faults().note(
        {static_cast<world::GameValue>(i), type, player.avatar, record.tick});
  }
}

void Core::count_game_faults() {
  const std::uint64_t total = world_->game_faults().total();
  counts_.add(Count::GameValuesRefused, total - std::exchange(game_faults_counted_, total));
}

world::GameFaults::Untold Core::take_game_faults() {
  return ready() ? world_->game_faults().take_untold() : world::GameFaults::Untold();
}

bool Core::in_the_world(const Vec3& place) const {
  return std::any_of(map_.regions.begin(), map_.regions.end(), [&](const RegionEntry& region) {
    return world::Bounds{region.low, region.high}.contains(place);
  });
}

std::optional<world::GameValue> Core::fault_in(const world::ActorSpawn& spawn) const {
  const auto types = game_.types();
  if (spawn.type >= types.size() || types[spawn.type].kind != world::EntityKind::Actor) {
    return world::GameValue::PlayerType;
  }
  const world::Entity* parent = world_->find(spawn.parent);
  const auto carrier = world_->motion(spawn.parent, next_);
  const bool carries =
      spawn.parent == no_entity ||
      (parent != nullptr && world_->type_of(*parent).kind != world::EntityKind::Actor);
  if (!carries || !carrier) return world::GameValue::PlayerParent;
  const ActorState& state = spawn.state;
  const bool usable = world::is_place(state.position) &&
                      world::within(to_double(state.velocity), world::speed_max_m_s) &&
                      state.flags <= actor_flags_all && (state.flags & actor_at_helm) == 0;
  if (!usable) return world::GameValue::PlayerState;
  if (!in_the_world(transform(carrier->pose, state.position))) {
    return world::GameValue::PlayerOutside;
  }
  return std::nullopt;
}

/// None: the game has no actor type.
std::optional<world::ActorSpawn> Core::place_for_player(const RegionEntry& region,
                                                        std::uint32_t ordinal) {
  const world::Bounds bounds{region.low, region.high};
  world::ActorSpawn spawn = game_.spawn_state(*world_, bounds, ordinal);
  const auto types = game_.types();
  for (auto fault = fault_in(spawn); fault; fault = fault_in(spawn)) {
    const world::TypeId type = spawn.type < types.size() ? spawn.type : world::GameFault::no_type;
    world_->game_faults().note({*fault, type, spawn.parent, next_});
    if (*fault != world::GameValue::PlayerType) {
      return world::ActorSpawn{.type = spawn.type, .state = {.position = bounds.center()}};
    }
    const auto actor = std::find_if(types.begin(), types.end(), [](const auto& row) {
      return row.kind == world::EntityKind::Actor;
    });
    if (actor == types.end()) return std::nullopt;
    spawn.type = actor->id;
  }
  return spawn;
}

world::UseOutcome Core::accept_use(const world::UseAttempt& attempt) {
  world::UseOutcome outcome = game_.accept_use(*world_, attempt);
  const bool known = outcome.verdict <= world::UseVerdict::last && outcome.helm <= HelmChange::last;
  if (!known) {
    refuse(world::GameValue::UseVerdict, attempt.target);
    return {.verdict = world::UseVerdict::NotUsable};
  }
  if (outcome.helm == HelmChange::None) return outcome;
  const world::Entity* body = world_->find(attempt.target);
  if (body != nullptr && world_->type_of(*body).helm.thrust_m_s2 > 0 &&
      world_->type_of(*body).kind == world::EntityKind::Body) {
    return outcome;
  }
  refuse(world::GameValue::UseHelm, attempt.target);
  return {.verdict = world::UseVerdict::NotUsable};
}

world::Judgement Core::usable(world::Judgement judgement, const world::Outcome& outcome) {
  if (judgement.reason <= CancelReason::last) return judgement;
  refuse(world::GameValue::Judgement, outcome.actor);
  judgement.reason = CancelReason::NotAllowed;
  return judgement;
}

world::Judgement Core::judge(const world::DrawnScene& scene, const world::Outcome& outcome) {
  return usable(game_.judge(scene, outcome), outcome);
}

world::Judgement Core::commit(world::Journal& journal, const world::Outcome& outcome,
                              const world::Judgement& judged) {
  return usable(game_.commit(journal, outcome, judged), outcome);
}

}  // namespace perigee::worker
