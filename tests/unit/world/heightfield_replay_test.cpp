/// Steps on heightfields give the same bits again: in a replay, with prepared triangles and
/// without, with every compiler.
#include <gtest/gtest.h>

#include "heightfields.hpp"
#include "perigee/world/step_record.hpp"

namespace perigee::world {
namespace {

/// Hills with holes, a turned mesh of a house on them, and a moving piece of terrain.
struct Highland {
  ActorParams params;
  ShapePtr ground = make_shape(field_of(with_holes()));
  ShapePtr house = make_shape({}, make_house());
  ShapePtr island =
      make_shape(field_of(12, 0.5, [](double x, double z) { return -0.05 * (x * x + z * z); }));

  static HeightfieldSource with_holes() {
    HeightfieldSource out = field_source(90, 0.6, hills);
    out.cells.assign(90 * 90, 0);
    for (std::size_t cell = 40; cell < out.cells.size(); cell += 777) {
      out.cells[cell] = Heightfield::hole;
    }
    return out;
  }
  static MeshPtr make_house() {
    MeshSource out;
    add_block(out, {-3, -3, -3}, {3, 0.5, 3}, 5);
    add_block(out, {-3, 0.5, -3}, {-2.8, 3, 3}, 4);
    return mesh_of(out);
  }
  static Pose island_pose(Tick tick) {
    const SinCos at = sin_cos(tick.count * 0.01);
    return {{6 * at.sin - 8, 1 + 0.8 * at.cos, 4 * at.cos}, yaw_rotation(tick.count * 0.005)};
  }
  StepRecord record(Tick tick, const PlayerInput& input) const {
    StepRecord out{.tick = tick, .parent = hull, .input = input};
    out.frame.gravity = unbounded_gravity({0, -9.81, 0});
    insert_by_id(out.neighbours, make_neighbour(9, NeighbourKind::Solid, *island, island_pose(tick),
                                                island_pose(tick + 1)));
    insert_by_id(out.neighbours, make_neighbour(hull, NeighbourKind::Solid, *ground, {}, {}));
    const Pose at{{8, 1.5, -2}, yaw_rotation(0.4)};
    insert_by_id(out.neighbours, make_neighbour(12, NeighbourKind::Solid, *house, at, at));
    return out;
  }
  static void bring_back(ActorState& state) {
    const Vec3& at = state.position;
    if (std::abs(at.x) > 24 || std::abs(at.z) > 24 || at.y < -8) state = {.position = {2, 5, 2}};
  }
};

TEST(AReplayOnAHeightfield, OfSixteenTicksFromEveryTickIsBitExact) {
  const Highland highland;
  Random random(4);
  PlayerInput input;
  ActorState state{.position = {-8, 4, 0}};
  std::vector<StepRecord> records;
  for (int i = 0; i < 1500; ++i) {
    wander(input, random);
    if (i % 150 == 149) state.velocity = {300, -40, 200};
    Highland::bring_back(state);
    records.push_back(highland.record(input.tick, input));
    state = replay_step(highland.params, records.back(), state);
    ++input.tick;
    input.samples.clear();
  }
  for (std::size_t from = 0; from + 16 <= records.size(); ++from) {
    ActorState again = records[from].before;
    for (std::size_t i = from; i < from + 16; ++i) {
      if (again != records[i].before) again = records[i].before;  // pushed by the test
      StepRecord copy = records[i];
      again = replay_step(highland.params, copy, again);
      ASSERT_EQ(again, records[i].after) << "from " << from << " at " << i;
      ASSERT_EQ(copy.report.contact_digest, records[i].report.contact_digest);
    }
  }
}

/// The literal is checked in: it must be the same at -O0, -O2, -O3, with sanitizers and with every
/// compiler.
TEST(AReplayOnAHeightfield, HasItsGoldenHashOnEveryMachine) {
  const Highland highland;
  Random random(100);
  PlayerInput input;
  ActorState state{.position = {-8, 4, 0}};
  StateHash all;
  int on_island = 0;
  for (int tick = 0; tick < 20'000; ++tick) {
    wander(input, random);
    if (tick % 100 == 99) state.velocity = {random.next() % 2 == 0 ? 400.F : -400.F, -60, 90};
    Highland::bring_back(state);
    StepRecord record = highland.record(input.tick, input);
    state = replay_step(highland.params, record, state);
    add_to(all, state);
    all.add(record.report.contact_digest);
    on_island += state.ground == 9 ? 1 : 0;
    ++input.tick;
    input.samples.clear();
  }
  EXPECT_GT(on_island, 20);
  EXPECT_EQ(all.value(), 6147024635398409323ULL);
}

/// Hash of a walk in a small pit, and the largest number of prepared triangles. `more` adds a mesh
/// in the same place, with its front down, so that it is never touched.
std::pair<std::uint64_t, int> walked_in_a_pit_of_heights(bool more) {
  const auto ground = [](double x, double z) {
    const bool wall = std::abs(x) > 2.6 || std::abs(z) > 2.6;
    return wall ? 9 : 0.2 * sin_cos(x * 2).sin * sin_cos(z * 3).cos;
  };
  MeshSource dense = floor_of(90, 0.07, [](double, double) { return 0.1; });
  for (auto& corners : dense.triangles) std::swap(corners[1], corners[2]);
  Scene scene = on_field(field_of(16, 0.5, ground), {{}, yaw_rotation(0.3)});
  if (more) add_mesh(scene, 9, mesh_of(dense));
  scene.state.position = {0, 2, 0};
  Random random(17);
  StateHash hash;
  int most = 0;
  for (int tick = 0; tick < 3'000; ++tick) {
    wander(scene.input, random);
    if (tick % 70 == 69) scene.state.velocity = {150, -20, 70};
    scene.step();
    add_to(hash, scene.state);
    most = std::max<int>(most, scene.report.triangles);
    if (scene.state.position.y > 7) scene.state = {.position = {0, 2, 0}};  // thrown out
    PERIGEE_ASSERT(distance(scene.state.position, {}) < 9, "in the pit");
  }
  return {hash.value(), most};
}

TEST(AReplayOnAHeightfield, IsTheSameWithMoreTrianglesThanAStepPrepares) {
  const auto [hash, prepared] = walked_in_a_pit_of_heights(false);
  const auto [hash_from_field, prepared_at_most] = walked_in_a_pit_of_heights(true);
  EXPECT_LT(prepared, 200);
  EXPECT_EQ(prepared_at_most, 512);
  EXPECT_EQ(hash_from_field, hash);
}

}  // namespace
}  // namespace perigee::world
