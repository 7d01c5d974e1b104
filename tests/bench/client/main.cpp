// bench_client: the cost of prediction on a player's machine.
#include <malloc.h>

#include <memory>

#include "bench/common/suite.hpp"
#include "perigee/base/hash.hpp"
#include "perigee/client/client.hpp"
#include "perigee/world/game.hpp"

namespace perigee::bench {
namespace {

enum Row : world::TypeId { floor_row, pillar_row, person_row, rows };
constexpr Tick start{5'000};
constexpr std::int32_t ahead_ticks = 16;  ///< needed for a round trip of 200 ms

world::ShapePtr box(const Vec3& center, const Vec3& half) {
  return world::make_shape({world::Box{.center = center, .half = half}});
}

std::vector<world::EntityType> types() {
  std::vector<world::EntityType> out(rows);
  out[floor_row] = {.name = "floor",
                    .shape = box({0, -0.5, 0}, {200, 0.5, 200}),
                    .size = world::SizeClass::Large,
                    .parent_eligible = true,
                    .gravity = {{0, -9.81, 0}, {{-200, -5, -200}, {200, 50, 200}}}};
  out[pillar_row] = {.name = "pillar", .shape = box({0, 1, 0}, {0.3, 1, 0.3})};
  out[person_row] = {
      .name = "person", .kind = world::EntityKind::Actor, .shape = world::actor_shape({})};
  for (std::size_t i = 0; i < out.size(); ++i) out[i].id = static_cast<world::TypeId>(i);
  return out;
}

/// A game with just these types.
class Grove final : public world::GameModule {
 public:
  std::string_view name() const override { return "grove"; }
  std::uint64_t schema_hash() const override { return 1; }
  std::span<const world::EntityType> types() const override { return types_; }
  const world::ParentingParams& parenting() const override { return parenting_; }
  void populate(world::World&, const world::Bounds&, std::uint32_t) const override {}
  void drive(world::World&, Tick) const override {}
  world::ActorSpawn spawn_state(const world::World&, const world::Bounds&,
                                std::uint32_t) const override {
    return {};
  }
  world::UseOutcome accept_use(const world::World&, const world::UseAttempt&) const override {
    return {};
  }

 private:
  std::vector<world::EntityType> types_ = bench::types();
  world::ParentingParams parenting_;
};

/// A client that walks among pillars, and the server's corrections.
class Walk {
 public:
  explicit Walk(std::uint32_t pillars) {
    Random random(4);
    store_.spawn({.handle = 1, .identity = 1, .type = floor_row}, 1);
    for (Handle h = 0; h < pillars; ++h) {
      SpawnEvent pillar{.handle = 100 + h, .identity = 100 + h, .type = pillar_row};
      pillar.pose.position = {random.between(-15, 15), 0, random.between(-15, 15)};
      store_.spawn(pillar, 1);
    }
    store_.spawn({.handle = 2, .identity = 2, .type = person_row, .parent = 1}, 1);
    OwnSection own = own_at(start, 1);
    own.final_state.position = {0, 0.91, 0};
    prediction_.on_own(own, view_);
    for (int i = 0; i < ahead_ticks + 60; ++i) step();
  }
  static OwnSection own_at(Tick final_tick, Handle parent) {
    OwnSection own;
    own.avatar = 2;
    own.final_tick = final_tick;
    own.final_parent = parent;
    return own;
  }
  void step() {
    PlayerInput input{.tick = prediction_.next(), .forward = 127};
    input.yaw = static_cast<std::uint16_t>(prediction_.next().count * 300);  // in circles
    const bool done = prediction_.step(input, view_);
    PERIGEE_ASSERT(done, "the parent is known");
  }
  /// The server's state of 16 ticks ago is slightly off.
  void correct() {
    const Tick final_tick = prediction_.next() - ahead_ticks;
    const world::StepRecord* led_there = prediction_.record(final_tick - 1);
    OwnSection own = own_at(final_tick, led_there->parent);
    own.final_state = led_there->after;
    own.final_state.position.x += (turn_ = -turn_);
    const std::uint64_t before = prediction_.replayed_ticks();
    prediction_.on_own(own, view_);
    PERIGEE_ASSERT(prediction_.replayed_ticks() - before == ahead_ticks, "all of them");
  }

 private:
  Grove game_;
  client::EntityStore store_{game_.types()};
  client::Prediction prediction_{store_, game_};
  client::ViewPoint view_{start, 0, 0};
  double turn_ = 0.01;
};

void measure(const Run& run, const std::string& name, std::uint32_t pillars, Figures& figures) {
  Walk walk(pillars);
  std::vector<double> steps, replays;
  const std::uint64_t calls = run.quick ? 100 : 20'000;
  interleave(
      run.rounds(), [&] { steps.push_back(ns_per_call(calls, [&] { walk.step(); })); },
      [&] {
        replays.push_back(ns_per_call(calls / 10, [&] {
          walk.step();
          walk.correct();
        }));
      });
  figures.add("ns_per_step_" + name, median(steps), "ns");
  figures.add("replay_16_us_" + name, (median(replays) - median(steps)) / 1'000, "us");
}

/// Heap memory of one client that knows 1,000 entities with as many tracks as it keeps.
double memory_kib() {
  const auto used = [] { return static_cast<double>(mallinfo2().uordblks); };
  const Grove game;
  const double before = used();
  const auto store = std::make_unique<client::EntityStore>(game.types());
  const auto prediction = std::make_unique<client::Prediction>(*store, game);
  for (Handle h = 1; h <= 1'000; ++h) {
    store->spawn({.handle = h, .identity = h, .type = person_row}, 1);
    for (std::int32_t t = 0; t < 64; t += 4) {
      TrackRecord record{.handle = h};
      record.track.tick = record.sent = start + t;
      store->record({}, record, 1);
    }
  }
  keep(prediction);
  return (used() - before) / 1'024;
}

Result<Ok> client_suite(const Run& run, Figures& figures) {
  measure(run, "open", 0, figures);
  measure(run, "crowd", 60, figures);  // about seven pillars within reach at any time
  figures.add("memory_per_client_kib", memory_kib(), "KiB");
  return Ok{};
}

}  // namespace
}  // namespace perigee::bench

int main(int argc, char** argv) {
  return perigee::bench::run_suite("client", argc, argv, perigee::bench::client_suite);
}
