/// A steered shuttle on the deck of a carrier, as its driver's client predicts and displays it.
#include <gtest/gtest.h>

#include "perigee/client/vehicle_predictor.hpp"
#include "perigee/world/world.hpp"
#include "track_records.hpp"

namespace perigee::client {
namespace {

enum Row : world::TypeId { carrier_row, shuttle_row, rows };

std::vector<world::EntityType> fleet(double carrier_kg) {
  std::vector<world::EntityType> types(rows);
  const auto block = [](const Vec3& center, const Vec3& half) {
    return world::make_shape({world::Box{.center = center, .half = half}});
  };
  types[carrier_row] = {.name = "carrier",
                        .kind = world::EntityKind::Body,
                        .shape = block({0, -2, 0}, {30, 2, 30}),
                        .mass_kg = carrier_kg,
                        .size = world::SizeClass::Large,
                        .parent_eligible = true};
  types[shuttle_row] = {.name = "shuttle",
                        .kind = world::EntityKind::Body,
                        .shape = block({0, 1, 0}, {2, 1, 3}),
                        .mass_kg = 2e4,
                        .size = world::SizeClass::Large,
                        .parent_eligible = true,
                        .vehicle = {.thrust_m_s2 = 20}};
  for (std::size_t i = 0; i < types.size(); ++i) types[i].id = static_cast<world::TypeId>(i);
  return types;
}

/// The authoritative world, and a client that is 20 ticks ahead of it and displays other entities 6
/// ticks behind.
struct Deck {
  static constexpr Tick start{5000};
  static constexpr int ahead_ticks = 20;
  static constexpr int view_ticks = 6;
  static constexpr double picture_s = 1 / 60.0;

  explicit Deck(const Vec3& shuttle_at, const Vec3& velocity = {50, 0, 0}, double carrier_kg = 2e6)
      : types(fleet(carrier_kg)), carrier_velocity(velocity) {
    carrier = spawn(carrier_row, {});
    shuttle = spawn(shuttle_row, shuttle_at);
    send_state();
  }
  Handle spawn(Row row, const Vec3& at) {
    const auto id = world::make_entity_id(1, Tick{}, row);
    const Handle handle =
        world.spawn({.id = id, .type = row, .local = {at, {}}, .velocity = carrier_velocity});
    SpawnEvent event{handle, id.bits, row, 0};
    event.pose.position = at;
    store.spawn(event, 1);
    return handle;
  }

  /// One tick of the authoritative world, with the carrier's motion.
  void serve() {
    const Tick tick = world.now();
    const auto at = static_cast<std::size_t>(ticks_between(start, tick));
    carrier_velocity += carrier_acceleration * seconds_per_tick;
    carrier_spin += carrier_turn * seconds_per_tick;
    world.set_drive(carrier, carrier_velocity, carrier_spin);
    const world::VehicleDrive drive =
        world::steer(types[shuttle_row].vehicle, inputs[at], *world.motion(shuttle, tick), server);
    world.set_drive(shuttle, drive.velocity, drive.angular_velocity);
    world.step_bodies(tick);
  }
  /// Sends the state as a block does, and records by how much the correction moves the present:
  /// relative to the frame and in the world.
  void send_state() {
    for (const Handle handle : {carrier, shuttle}) {
      const Motion motion = *world.motion(handle, world.now());
      store.parent_motions().store({handle, world.now(), motion}, world.now());
      store.record({},
                   test::straight(handle, world.now(), motion.pose.position, motion.velocity,
                                  motion.pose.rotation),
                   1);
    }
    const Vec3 before = vehicle.motion().pose.position;
    OwnSection own;
    own.vehicle = VehiclePrediction::Free;
    own.vehicle_thrust = server.thrust;
    const double moved_m = vehicle.on_final(own);
    if (!measured) return;
    corrected_m = std::max(corrected_m, moved_m);
    in_world_m = std::max(in_world_m, distance(before, vehicle.motion().pose.position));
  }
  ViewPoint view() const {
    return {start, static_cast<double>(ticks_between(start, world.now()) - view_ticks), 0, 0, {}};
  }
  /// One tick of both sides, and a frame.
  void play(PlayerInput input) {
    input.tick = start + static_cast<std::int32_t>(inputs.size());
    inputs.push_back(input);
    const Handle frame = vehicle.frame();
    vehicle.drive(shuttle, input.tick, input, view());
    if (inputs.size() > ahead_ticks) {
      serve();
      if (inputs.size() % 2 == 0) send_state();
    }
    frame_changes += inputs.size() > 1 && frame != vehicle.frame();
    vehicle.advance_display(picture_s, 1, view());
    shown = vehicle.shown(1, view())->pose;
  }
  /// The displayed shuttle relative to the displayed carrier.
  Vec3 aboard() const {
    return inverse_transform(*store.drawn_world(carrier, view()), shown.position);
  }
  static PlayerInput pressed_down() {
    PlayerInput input;
    input.up = -127;
    return input;
  }

  const std::vector<world::EntityType> types;
  Vec3 carrier_velocity, carrier_spin;
  Vec3 carrier_acceleration, carrier_turn;
  world::World world{{.types = types, .start = start}};
  EntityStore store{types};
  VehiclePredictor vehicle{store, Smoothing::Quintic};
  world::VehicleState server;
  std::vector<PlayerInput> inputs;
  Handle carrier = no_entity, shuttle = no_entity;
  Pose shown;
  bool measured = false;
  double corrected_m = 0, in_world_m = 0;
  int frame_changes = 0;
};

// K40: the carrier takes the shuttle along in all of its later motions.
TEST(OnACarrier, AShuttleIsNotCorrectedByWhatTheCarrierDoesNext) {
  Deck deck({8, 0.01, 5});
  for (int i = 0; i < 60; ++i) deck.play(Deck::pressed_down());
  ASSERT_EQ(deck.vehicle.frame(), deck.carrier);
  deck.measured = true;
  const Vec3 lay = deck.aboard();
  for (int i = 0; i < 600; ++i) {
    const double way = i / 40 % 2 == 0 ? 1 : -1;
    deck.carrier_acceleration = {1.5 * way, 8 * way, -way};
    deck.carrier_turn = {0, 0.1 * way, 0};
    deck.play(Deck::pressed_down());
    ASSERT_LT(distance(deck.aboard(), lay), 0.05) << "it seems to slide at " << i;
  }
  EXPECT_EQ(deck.frame_changes, 0);
  EXPECT_GT(deck.vehicle.compared(), 300U);
  EXPECT_LT(deck.corrected_m, 0.05);
  EXPECT_GT(deck.in_world_m, 0.5) << "or there was nothing to be taken along by";
}

// A frame that moves as extrapolated causes no corrections, turning or not.
TEST(OnACarrier, AShuttleInFlightAboveItIsPredictedAsInTheWorld) {
  Deck deck({8, 0.5, 12});
  deck.carrier_spin = {0, 0.3, 0};
  deck.measured = true;
  PlayerInput input;
  input.up = 4;
  for (int i = 0; i < 90; ++i) {
    input.right = static_cast<std::int8_t>(i / 30 % 2 == 0 ? 60 : -60);
    deck.play(input);
    if (i == 30) deck.corrected_m = 0;  // the turn had to be received first
  }
  EXPECT_EQ(deck.vehicle.frame(), deck.carrier);
  EXPECT_LT(deck.corrected_m, 0.005);
}

TEST(OnACarrier, LeavingItChangesTheFrameOnceAndNothingJumps) {
  Deck deck({20, 0.01, 5});
  for (int i = 0; i < 60; ++i) deck.play(Deck::pressed_down());
  PlayerInput away;
  away.up = 127;
  Vec3 last = deck.shown.position, last_step = deck.carrier_velocity * Deck::picture_s;
  double largest_jerk_m = 0;
  for (int i = 0; i < 240; ++i) {
    deck.play(away);
    const Vec3 step = deck.shown.position - last;
    largest_jerk_m = std::max(largest_jerk_m, distance(step, last_step));
    last = deck.shown.position;
    last_step = step;
  }
  EXPECT_EQ(deck.vehicle.frame(), no_entity);
  EXPECT_EQ(deck.frame_changes, 1);
  EXPECT_LT(largest_jerk_m, 0.1);
  EXPECT_LT(distance(deck.shown.position, deck.vehicle.motion().pose.position), 1e-3);
}

TEST(OnACarrier, ACarrierThatIsForgottenIsLeftWhereItWas) {
  Deck deck({8, 0.01, 5});
  for (int i = 0; i < 60; ++i) deck.play(Deck::pressed_down());
  const Vec3 before = deck.vehicle.motion().pose.position;
  const Vec3 shown = deck.shown.position;
  deck.store.despawn(deck.carrier);
  deck.play({});
  EXPECT_EQ(deck.vehicle.frame(), no_entity);
  EXPECT_LT(distance(deck.vehicle.motion().pose.position, before), 1);
  EXPECT_LT(distance(deck.shown.position, shown), 1);
}

TEST(OnACarrier, WhatRestsOrIsNoHeavierThanTenShuttlesIsNoFrame) {
  Deck moored({8, 0.01, 5}, {});
  for (int i = 0; i < 40; ++i) moored.play({});
  EXPECT_EQ(moored.vehicle.frame(), no_entity);
  Deck light({8, 0.01, 5}, {50, 0, 0}, 1.9e5);
  for (int i = 0; i < 40; ++i) light.play({});
  EXPECT_EQ(light.vehicle.frame(), no_entity);
}

}  // namespace
}  // namespace perigee::client
