/// Steps among triangles give the same bits again: in a replay, with prepared triangles and
/// without, with every compiler.
#include <gtest/gtest.h>

#include "meshes.hpp"
#include "perigee/world/step_record.hpp"

namespace perigee::world {
namespace {

/// Hills, with a turned house and boxes on them, and a platform of triangles that goes round.
struct Valley {
  ActorParams params;
  ShapePtr ground = make_shape({}, mesh_of(floor_of(90, 0.6, hills, 0.3)));
  ShapePtr house = make_shape({box_at({0, 0.5, 6}, {2, 0.5, 2})}, make_house());
  ShapePtr platform = make_shape({}, make_platform());

  static MeshPtr make_house() {
    MeshSource out;
    add_block(out, {-3, -3, -3}, {3, 0.5, 3}, 5);
    for (int i = 0; i < 5; ++i) {
      add_block(out, {3 + i * 0.4, -3, -1}, {3.4 + i * 0.4, 0.3 - i * 0.2, 1}, 2);
    }
    add_block(out, {-3, 0.5, -3}, {-2.8, 3, 3}, 4);
    return mesh_of(out);
  }
  static MeshPtr make_platform() {
    MeshSource out;
    add_block(out, {-3, -0.3, -3}, {3, 0, 3}, 3);
    return mesh_of(out);
  }
  static Pose platform_pose(Tick tick) {
    const SinCos at = sin_cos(tick.count * 0.01);
    return {{6 * at.sin - 8, 1 + 0.8 * at.cos, 4 * at.cos}, yaw_rotation(tick.count * 0.005)};
  }
  StepRecord record(Tick tick, const PlayerInput& input) const {
    StepRecord out{.tick = tick, .parent = hull, .input = input};
    out.frame.gravity = unbounded_gravity({0, -9.81, 0});
    insert_by_id(out.neighbours, make_neighbour(9, NeighbourKind::Solid, *platform,
                                                platform_pose(tick), platform_pose(tick + 1)));
    insert_by_id(out.neighbours, make_neighbour(hull, NeighbourKind::Solid, *ground, {}, {}));
    const Pose at{{8, 1.5, -2}, yaw_rotation(0.4)};
    insert_by_id(out.neighbours, make_neighbour(12, NeighbourKind::Solid, *house, at, at));
    return out;
  }
};

void bring_back(ActorState& state) {
  const Vec3& at = state.position;
  if (std::abs(at.x) > 24 || std::abs(at.z) > 24 || at.y < -8) state = {.position = {2, 5, 2}};
}

TEST(AReplayInAMesh, OfSixteenTicksFromEveryTickIsBitExact) {
  const Valley valley;
  Random random(4);
  PlayerInput input;
  ActorState state{.position = {-8, 4, 0}};
  std::vector<StepRecord> records;
  std::vector<bool> thrown;
  for (int i = 0; i < 1500; ++i) {
    wander(input, random);
    const bool push = i % 150 == 149;
    if (push) state.velocity = {300, -40, 200};
    bring_back(state);
    thrown.push_back(push);
    records.push_back(valley.record(input.tick, input));
    state = replay_step(valley.params, records.back(), state);
    ++input.tick;
    input.samples.clear();
  }
  for (std::size_t from = 0; from + 16 <= records.size(); ++from) {
    ActorState again = records[from].before;
    for (std::size_t i = from; i < from + 16; ++i) {
      if (i > from && again != records[i].before) again = records[i].before;  // pushed by the test
      StepRecord copy = records[i];
      again = replay_step(valley.params, copy, again);
      ASSERT_EQ(again, records[i].after) << "from " << from << " at " << i;
      ASSERT_EQ(copy.report.contact_digest, records[i].report.contact_digest);
    }
  }
}

/// Hash of a walk through the valley.
std::uint64_t walked(const Valley& valley, int ticks) {
  Random random(100);
  PlayerInput input;
  ActorState state{.position = {-8, 4, 0}};
  StateHash all;
  for (int tick = 0; tick < ticks; ++tick) {
    wander(input, random);
    if (tick % 100 == 99) state.velocity = {random.next() % 2 == 0 ? 400.F : -400.F, -60, 90};
    bring_back(state);
    StepRecord record = valley.record(input.tick, input);
    state = replay_step(valley.params, record, state);
    add_to(all, state);
    all.add(record.report.contact_digest);
    ++input.tick;
    input.samples.clear();
  }
  return all.value();
}

/// The literal is checked in: it must be the same at -O0, -O2, -O3, with sanitizers and with every
/// compiler.
TEST(AReplayInAMesh, HasItsGoldenHashOnEveryMachine) {
  EXPECT_EQ(walked({}, 20'000), 9709874477723897638ULL);
}

/// Hash of a walk in a small pit with uneven ground, and the largest number of prepared triangles.
/// `more` adds another mesh in the same place, with its front down, so that it is never touched.
std::pair<std::uint64_t, int> walked_in_a_pit(bool more) {
  const auto ground = [](double x, double z) {
    return 0.2 * sin_cos(x * 2).sin * sin_cos(z * 3).cos;
  };
  MeshSource source = floor_of(12, 0.5, ground, 0.3);
  for (const double side : {-1.0, 1.0}) {
    const double at = -side * 2.8;
    add_quad(source, {at, -1, -3 * side}, {at, 9, -3 * side}, {at, 9, 3 * side},
             {at, -1, 3 * side});
    add_quad(source, {3 * side, -1, at}, {3 * side, 9, at}, {-3 * side, 9, at},
             {-3 * side, -1, at});
  }
  MeshSource dense = floor_of(90, 0.07, ground);
  for (auto& corners : dense.triangles) std::swap(corners[1], corners[2]);
  Scene scene(nothing);
  add_mesh(scene, hull, mesh_of(source), {{0, 0, 0}, yaw_rotation(0.3)});
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

TEST(AReplayInAMesh, IsTheSameWithMoreTrianglesThanAStepPrepares) {
  const auto [hash, prepared] = walked_in_a_pit(false);
  const auto [hash_from_tree, prepared_at_most] = walked_in_a_pit(true);
  EXPECT_LT(prepared, 200);
  EXPECT_EQ(prepared_at_most, 512);
  EXPECT_EQ(hash_from_tree, hash);
}

}  // namespace
}  // namespace perigee::world
