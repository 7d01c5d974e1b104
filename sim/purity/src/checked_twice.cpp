#include "perigee/purity/checked_twice.hpp"

#include <algorithm>
#include <bit>
#include <cstdio>

namespace perigee::purity {
namespace {

using namespace world;

bool same(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}
bool same(const Vec3& a, const Vec3& b) {
  return same(a.x, b.x) && same(a.y, b.y) && same(a.z, b.z);
}

bool same(const Cue& a, const Cue& b) {
  return a.index == b.index && a.effect == b.effect && a.judged == b.judged &&
         a.subject == b.subject;
}
bool same(const Push& a, const Push& b) {
  return a.body == b.body && same(a.impulse, b.impulse) && same(a.at, b.at);
}
bool same(const Proposal& a, const Proposal& b) {
  return a.kind == b.kind && a.index == b.index && a.target == b.target && a.amount == b.amount &&
         same(a.from, b.from) && same(a.direction, b.direction) && same(a.speed_m_s, b.speed_m_s) &&
         a.edit.has_value() == b.edit.has_value();
}

constexpr auto equal = [](const auto& a, const auto& b) { return same(a, b); };

std::string differing_wish(const Wishes& a, const Wishes& b) {
  if (a.muted != b.muted) return "mute()";
  if (!std::ranges::equal(a.cues, b.cues, equal)) return "cue()";
  if (!std::ranges::equal(a.proposals, b.proposals, equal)) return "propose()";
  if (!std::ranges::equal(a.pushes, b.pushes, equal)) return "push()";
  if (!same(a.impulse, b.impulse)) return "impulse()";
  if (!same(a.speed_share, b.speed_share)) return "limit_speed()";
  if (a.refused != b.refused) return "refused value";
  if (!same(a.looked.low, b.looked.low) || !same(a.looked.high, b.looked.high)) return "ray()";
  return {};
}

std::string differing_spawn(const ActorSpawn& a, const ActorSpawn& b) {
  if (a.type != b.type) return "type";
  if (a.parent != b.parent) return "parent";
  if (!same(a.state.position, b.state.position)) return "position";
  return a.yaw != b.yaw ? "yaw" : "";
}

std::string differing_use(const UseOutcome& a, const UseOutcome& b) {
  if (a.verdict != b.verdict) return "verdict";
  if (a.change.has_value() != b.change.has_value()) return "change";
  return a.vehicle != b.vehicle ? "vehicle" : "";
}

}  // namespace

std::string to_sentence(const Impurity& impurity) {
  std::string out = impurity.function;
  char text[32];
  if (impurity.identity != 0) {
    std::snprintf(text, sizeof text, "%llx", static_cast<unsigned long long>(impurity.identity));
    out += " of actor " + std::string(text);
  } else if (impurity.entity != no_entity) {
    out += " of entity " + std::to_string(impurity.entity);
  }
  if (impurity.tick != Tick{}) out += " at tick " + std::to_string(impurity.tick.count);
  return out + " gives another " + impurity.field +
         " when it is called again with the same arguments: it must read nothing else";
}

void CheckedTwice::compare(Impurity call, const std::string& field) const {
  if (field.empty()) return;
  ++differences_;
  {
    const std::scoped_lock lock(mutex_);
    if (!reported_.insert(call.function + " " + field).second) return;
  }
  call.field = field;
  report_(call);
}

std::string CheckedTwice::differing_field(const GameState& first, const GameState& second) const {
  if (first == second) return {};
  const GameStateCodec& codec = state_codec();
  if (codec.write == nullptr) return "state";
  // Its first bytes mark the fields that differ from those of the state that it is given.
  const GameBytes bytes = codec.write(first, second, SeenBy::Owner);
  std::uint64_t marks = 0;
  if (!bytes.empty()) {
    ByteReader reader(view_of(bytes));
    world::detail::walk_marks(reader, marks, codec.fields);
  }
  if (marks == 0) return "part of the state that fields() does not list";
  return "field " + std::to_string(std::countr_zero(marks) + 1) + " of the state";
}

void CheckedTwice::step(ActorContext& context, GameState& state) const {
  step_twice("step", &GameModule::step, context, state);
}

void CheckedTwice::after_motion(ActorContext& context, GameState& state) const {
  step_twice("after_motion", &GameModule::after_motion, context, state);
}

void CheckedTwice::step_twice(const char* function, Step step, ActorContext& context,
                              GameState& state) const {
  StepRecord again = context.record();
  GameState state_again = state;
  (*game_.*step)(context, state);
  ActorContext second(again);
  (*game_.*step)(second, state_again);
  const Impurity call{
      .function = function, .field = {}, .tick = again.tick, .identity = again.actor};
  compare(call, differing_field(state, state_again));
  compare(call, differing_wish(context.record().wishes, again.wishes));
}

void CheckedTwice::apply_event(const GameEvent& event, GameState& state) const {
  GameState again = state;
  game_->apply_event(event, state);
  game_->apply_event(event, again);
  compare({.function = "apply_event", .field = {}, .tick = event.tick},
          differing_field(state, again));
}

Judgement CheckedTwice::judge(const DrawnScene& scene, const Outcome& outcome) const {
  const DrawnScene untouched = scene;  // a scene notes what was looked at
  const Judgement judged = game_->judge(scene, outcome);
  const Judgement again = game_->judge(untouched, outcome);
  compare({.function = "judge",
           .field = {},
           .tick = outcome.tick,
           .identity = outcome.identity,
           .entity = outcome.actor},
          judged == again ? "" : "judgement");
  return judged;
}

UseOutcome CheckedTwice::accept_use(const World& world, const UseAttempt& attempt) const {
  const UseOutcome used = game_->accept_use(world, attempt);
  compare({.function = "accept_use", .field = {}, .tick = attempt.at, .entity = attempt.actor},
          differing_use(used, game_->accept_use(world, attempt)));
  return used;
}

ActorSpawn CheckedTwice::spawn_state(const World& world, const Bounds& region,
                                     std::uint32_t ordinal) const {
  const ActorSpawn spawn = game_->spawn_state(world, region, ordinal);
  compare({.function = "spawn_state", .field = {}},
          differing_spawn(spawn, game_->spawn_state(world, region, ordinal)));
  return spawn;
}

bool CheckedTwice::spawns_players(const World& world, const Bounds& region) const {
  const bool may = game_->spawns_players(world, region);
  compare({.function = "spawns_players", .field = {}},
          may == game_->spawns_players(world, region) ? "" : "answer");
  return may;
}

std::string CheckedTwice::differing_input(const PlayerInput& first,
                                          const PlayerInput& second) const {
  for (const InputField& field : game_->input_layout().fields()) {
    if (field.stored(first.own) != field.stored(second.own)) {
      return "field '" + std::string(field.name) + "' of the input";
    }
  }
  return first == second ? "" : "input";
}

PlayerInput CheckedTwice::drive_npc(const NpcView& view) const {
  const PlayerInput input = game_->drive_npc(view);
  compare({.function = "drive_npc",
           .field = {},
           .tick = view.tick,
           .identity = view.identity,
           .entity = view.actor},
          differing_input(input, game_->drive_npc(view)));
  return input;
}

std::uint8_t CheckedTwice::hit_effect(std::uint8_t kind) const {
  const std::uint8_t effect = game_->hit_effect(kind);
  compare({.function = "hit_effect", .field = {}},
          effect == game_->hit_effect(kind) ? "" : "effect");
  return effect;
}

}  // namespace perigee::purity
