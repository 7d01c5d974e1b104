#include "perigee/worker/tick/checked_game.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <utility>

namespace perigee::worker {
namespace {

std::string_view unusable_field(const Vec3& position, const Vec3f& velocity) {
  return world::first_of(
      {world::beyond(position, world::place_max_m, world::field::position),
       world::beyond(to_double(velocity), world::speed_max_m_s, world::field::velocity)});
}

}  // namespace

// With the journal's as many these fit a message to the standby.
void CheckedGame::drive(Tick tick) {
  const world::World::GameCall call(needs_.world, world::journal_changes_per_tick_max);
  needs_.game.drive(needs_.world, tick);
}

void CheckedGame::refuse(world::GameValue value, Handle entity, std::string_view field) {
  const world::Entity* known = needs_.world.find(entity);
  const world::TypeId type = known != nullptr ? known->type : world::GameFault::no_type;
  needs_.world.game_faults().note({value, type, entity, needs_.next, field});
}

world::TellRefusal CheckedGame::noted(world::TellRefusal refusal, Handle actor) {
  const world::Entity* known = needs_.world.find(actor);
  if (refusal == world::TellRefusal::Size) refuse(world::GameValue::MessageSize, actor);
  if (refusal == world::TellRefusal::NoPlayer && known != nullptr && needs_.is_npc(actor)) {
    refuse(world::GameValue::MessageToNpc, actor);
  }
  return refusal;
}

world::KeepRefusal CheckedGame::noted(world::KeepRefusal refusal, Handle actor) {
  if (refusal == world::KeepRefusal::Size) refuse(world::GameValue::RecordSize, actor);
  return refusal;
}

void CheckedGame::note_refused(const Player& player, const world::StepRecord& record) {
  for (unsigned i = 0; i <= static_cast<unsigned>(world::GameValue::last); ++i) {
    if ((record.wishes.refused & std::uint64_t{1} << i) == 0) continue;
    const auto value = static_cast<world::GameValue>(i);
    const world::TypeId type = needs_.world.find(player.avatar)->type;
    const bool motion = value == world::GameValue::StepMotion;
    needs_.world.game_faults().note({value, type, player.avatar, record.tick,
                                     motion ? record.wishes.refused_field : std::string_view()});
  }
}

void CheckedGame::count_faults() {
  const std::uint64_t total = needs_.world.game_faults().total();
  needs_.counts.add(metric.game_values_refused, total - std::exchange(faults_counted_, total));
}

bool CheckedGame::in_the_world(const Vec3& place) const {
  return std::any_of(needs_.cluster.map().regions.begin(), needs_.cluster.map().regions.end(),
                     [&](const RegionEntry& region) {
                       return world::Bounds{region.low, region.high}.contains(place);
                     });
}

// Actors carry nothing.
std::optional<Pose> CheckedGame::frame_of(Handle parent) const {
  const world::Entity* entity = needs_.world.find(parent);
  const bool carries =
      parent == no_entity ||
      (entity != nullptr && needs_.world.type_of(*entity).kind != world::EntityKind::Actor);
  const auto motion = needs_.world.motion(parent, needs_.next);
  return carries && motion ? std::optional(motion->pose) : std::nullopt;
}

bool CheckedGame::fits(const world::ActorPlace& place) const {
  const auto frame = frame_of(place.parent);
  return frame && world::is_place(place.position) &&
         world::within(to_double(place.velocity), world::speed_max_m_s) &&
         in_the_world(transform(*frame, place.position));
}

bool CheckedGame::takes(Handle actor, const world::ActorPlace& place) {
  const bool usable = fits(place);
  if (!usable) {
    refuse(world::GameValue::ActorPlace, actor, unusable_field(place.position, place.velocity));
  }
  return usable;
}

bool CheckedGame::takes(const world::CueOrder& order) {
  const bool usable = !order.place || world::is_place(*order.place);
  if (!usable) {
    refuse(world::GameValue::CuePlace, order.entity,
           world::beyond(*order.place, world::place_max_m, world::field::position));
  }
  return usable;
}

double CheckedGame::cue_reach_m(std::uint8_t effect, Handle entity) {
  const double reach_m = needs_.game.cue_reach_m(effect);
  if (reach_m >= 0) return reach_m;
  refuse(world::GameValue::CueReach, entity);
  return 0;
}

PlayerInput CheckedGame::drive_npc(const Player& npc, Tick tick) {
  constexpr int quarter_turn = 16384;
  PlayerInput input = needs_.game.drive_npc({.world = needs_.world,
                                             .tick = tick,
                                             .actor = npc.avatar,
                                             .identity = npc.identity,
                                             .parent = npc.parent,
                                             .state = npc.state,
                                             .game = npc.game});
  const auto known = [](const SubSample& sample) { return sample.action <= ActionKind::last; };
  const auto own = needs_.game.input_layout().unusable(input.own);
  const bool usable = std::abs(int{input.pitch}) <= quarter_turn && input.right > -128 &&
                      input.up > -128 && input.forward > -128 && !own &&
                      std::all_of(input.samples.begin(), input.samples.end(), known);
  if (!usable) {
    refuse(world::GameValue::NpcInput, npc.avatar, own.value_or(""));
    input = {.yaw = input.yaw};
  }
  input.tick = tick - npc.inputs.delay_ticks();
  return input;
}

std::optional<CheckedGame::Fault> CheckedGame::fault_in(const world::ActorSpawn& spawn) const {
  const auto types = needs_.game.types();
  if (spawn.type >= types.size() || types[spawn.type].kind != world::EntityKind::Actor) {
    return Fault{world::GameValue::PlayerType, {}};
  }
  const auto carrier = frame_of(spawn.parent);
  if (!carrier) return Fault{world::GameValue::PlayerParent, {}};
  const ActorState& state = spawn.state;
  const bool flags_fit = state.flags <= actor_flags_all && (state.flags & actor_at_controls) == 0;
  const std::string_view field =
      world::first_of({unusable_field(state.position, state.velocity), flags_fit ? "" : "flags"});
  if (!field.empty()) return Fault{world::GameValue::PlayerState, field};
  if (!in_the_world(transform(*carrier, state.position))) {
    return Fault{world::GameValue::PlayerOutside, {}};
  }
  return std::nullopt;
}

bool CheckedGame::spawns_players(const RegionEntry& region) const {
  return needs_.game.spawns_players(needs_.world, {region.low, region.high});
}

std::optional<world::ActorSpawn> CheckedGame::spawn_in(const RegionEntry& region,
                                                       std::uint32_t ordinal) {
  const world::Bounds bounds{region.low, region.high};
  world::ActorSpawn spawn = needs_.game.spawn_state(needs_.world, bounds, ordinal);
  const auto types = needs_.game.types();
  for (auto fault = fault_in(spawn); fault; fault = fault_in(spawn)) {
    const world::TypeId type = spawn.type < types.size() ? spawn.type : world::GameFault::no_type;
    needs_.world.game_faults().note({fault->value, type, spawn.parent, needs_.next, fault->field});
    if (fault->value != world::GameValue::PlayerType) {
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

world::UseOutcome CheckedGame::accept_use(const world::UseAttempt& attempt) {
  world::UseOutcome outcome = needs_.game.accept_use(needs_.world, attempt);
  const bool known =
      outcome.verdict <= world::UseVerdict::last && outcome.vehicle <= VehicleChange::last;
  if (!known) {
    refuse(world::GameValue::UseVerdict, attempt.target);
    return {.verdict = world::UseVerdict::NotUsable};
  }
  if (outcome.vehicle == VehicleChange::None) return outcome;
  const world::Entity* body = needs_.world.find(attempt.target);
  if (body != nullptr && needs_.world.type_of(*body).vehicle.thrust_m_s2 > 0 &&
      needs_.world.type_of(*body).kind == world::EntityKind::Body) {
    return outcome;
  }
  refuse(world::GameValue::UseVehicle, attempt.target);
  return {.verdict = world::UseVerdict::NotUsable};
}

world::Judgement CheckedGame::usable(world::Judgement judgement, const world::Outcome& outcome) {
  if (judgement.reason <= CancelReason::last) return judgement;
  refuse(world::GameValue::Judgement, outcome.actor);
  judgement.reason = CancelReason::NotAllowed;
  return judgement;
}

world::Judgement CheckedGame::judge(const world::DrawnScene& scene, const world::Outcome& outcome) {
  return usable(needs_.game.judge(scene, outcome), outcome);
}

world::Judgement CheckedGame::commit(world::Journal& journal, const world::Outcome& outcome,
                                     const world::Judgement& judged) {
  return usable(needs_.game.commit(journal, outcome, judged), outcome);
}

}  // namespace perigee::worker
