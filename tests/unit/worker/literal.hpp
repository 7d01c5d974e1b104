/// Literal server reconciliation: when an input is late, the whole state of the oldest wrong tick
/// is restored, and all ticks of all players are simulated again from there. (S8-S10)
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "perigee/base/input_timeline.hpp"
#include "yard.hpp"

namespace perigee::worker {

class Literal {
 public:
  Literal(const test::Yard& game, const InputTimeline::Settings& settings, Handle handle_base,
          Tick start)
      : game_(game),
        settings_(settings),
        world_({.types = game.types(),
                .handle_base = handle_base,
                .start = start,
                .parenting = game.parenting()}),
        next_(start) {
    game_.populate(world_, region, 1);
  }

  void join() {
    const auto ordinal = static_cast<std::uint32_t>(people_.size());
    const world::ActorSpawn spawn = game_.spawn_state(world_, region, ordinal);
    world::SpawnOrder order;
    order.id = world::make_entity_id(1, next_, ordinal);
    order.type = spawn.type;
    order.parent = spawn.parent;
    order.local = {spawn.state.position, {}};
    Person& person = *people_.emplace_back(std::make_unique<Person>());
    person.inputs = InputTimeline(settings_);
    person.avatar = world_.spawn(order);
    person.parent = spawn.parent;
    person.identity = order.id.bits;
    person.states[next_.count] = spawn.state;
    world_.set_actor(person.avatar, spawn.parent, spawn.state, next_);
  }
  void receive(std::uint32_t n, const PlayerInput& input) {
    if (people_[n]->inputs.offer(input, next_) != InputOffer::Rewind) return;
    if (!wrong_from_ || before(input.tick, *wrong_from_)) wrong_from_ = input.tick;
  }
  void tick() {
    for (Tick t = wrong_from_.value_or(next_); before(t, next_); ++t) step_all(t);
    wrong_from_.reset();
    game_.drive(world_, next_);
    world_.step_bodies(next_);
    step_all(next_);
    ++next_;
  }
  /// The state by the inputs received so far.
  const ActorState& state(std::uint32_t n) const { return people_[n]->states.at(next_.count); }

 private:
  static constexpr world::Bounds region{{-8000, -2000, -8000}, {8000, 2000, 8000}};
  struct Person {
    InputTimeline inputs;
    Handle avatar = no_entity, parent = no_entity;
    std::uint64_t identity = 0;
    std::map<std::uint32_t, ActorState> states;  ///< by the tick that starts with it
  };

  void step_all(Tick tick) {
    for (auto& person : people_) step(*person, tick);
  }
  void step(Person& person, Tick tick) {
    const world::ActorParams& params = game_.types()[test::person_row].actor;
    const ActorState& before_it = person.states.at(tick.count);
    auto record = std::make_unique<world::StepRecord>();
    record->tick = tick;
    record->actor = person.identity;
    record->parent = person.parent;
    record->parent_motion = *world_.motion(person.parent, tick);
    record->frame = *world_.frame(person.parent, tick);
    const world::Bounds around = world::inflated(world::reach_of(params, before_it), 2);
    world_.gather_neighbours(person.parent, around, tick, person.avatar, record->neighbours);
    record->input = person.inputs.take(tick).input;
    const ActorState& after =
        world::play_tick(game_, params, *record, before_it, game_.state_codec().initial);
    person.states[(tick + 1).count] = after;
    world_.set_actor(person.avatar, person.parent, after, tick + 1);
  }

  const test::Yard& game_;
  InputTimeline::Settings settings_;
  world::World world_;
  Tick next_;
  std::optional<Tick> wrong_from_;
  std::vector<std::unique_ptr<Person>> people_;
};

}  // namespace perigee::worker
