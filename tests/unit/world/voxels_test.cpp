// Voxel ground: its state at every past tick, and collisions equal to those with boxes. (V11, K42)
#include "perigee/world/voxels.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "perigee/world/ray.hpp"
#include "perigee/world/world.hpp"
#include "scene.hpp"

namespace perigee::world {
namespace {

constexpr Cell size{24, 16, 16};
constexpr Handle ada = 11, bob = 12;

bool rough(const Cell& cell) {
  return mix64(static_cast<std::uint64_t>(cell.x), static_cast<std::uint64_t>(cell.y),
               static_cast<std::uint64_t>(cell.z)) %
             3 !=
         0;
}
bool flat(const Cell& cell) { return cell.y < 4; }
std::shared_ptr<const VoxelPlan> plan_of(bool (*solid)(const Cell&), double cell_m = 1) {
  return make_voxel_shape(make_voxel_plan(size, cell_m, solid))->voxels();
}
template <class Visit>
void for_each_cell(Visit visit) {
  for (std::int32_t y = 0; y < size.y; ++y) {
    for (std::int32_t z = 0; z < size.z; ++z) {
      for (std::int32_t x = 0; x < size.x; ++x) visit(Cell{x, y, z});
    }
  }
}
Vec3 middle(const Cell& cell) { return {cell.x + 0.5, cell.y + 0.5, cell.z + 0.5}; }

TEST(APlan, NamesCellsAndChunksBothWays) {
  const auto plan = plan_of(rough);
  for_each_cell([&](const Cell& cell) {
    EXPECT_EQ(plan->cell_of(plan->index_of(cell)), cell);
    const Cell corner = plan->chunk_corner(plan->chunk_of(cell));
    EXPECT_TRUE(cell.x - corner.x < chunk_cells && cell.y - corner.y < chunk_cells &&
                cell.z - corner.z < chunk_cells && cell.x >= corner.x && cell.y >= corner.y &&
                cell.z >= corner.z);
  });
  EXPECT_EQ(plan->chunks(), 3 * 2 * 2);
}

struct APatch : testing::Test {
  std::shared_ptr<const VoxelPlan> plan = plan_of(flat);
  VoxelPatch patch{plan};
  static constexpr Tick t{500};
  static constexpr Cell cell{9, 3, 5};
  VoxelEdit edit(Handle who, Tick when, const Cell& where = cell, bool solid = false) const {
    return {when, who, 8, plan->index_of(where), solid};
  }
};

TEST_F(APatch, HasAnEditFromTheTickAfterItOn) {
  ASSERT_TRUE(patch.add(edit(ada, t)));
  EXPECT_TRUE(patch.solid(cell, t));
  EXPECT_FALSE(patch.solid(cell, t + 1));
  EXPECT_FALSE(patch.solid(cell, t + 100));
}

TEST_F(APatch, IsAsBeforeWithoutAnEditThatIsWithdrawn) {
  const std::uint64_t created = patch.hash();
  patch.add(edit(ada, t));
  patch.add(edit(bob, t + 3));
  EXPECT_TRUE(patch.remove(edit(ada, t)));
  EXPECT_TRUE(patch.solid(cell, t + 2)) << "bob's is later";
  EXPECT_FALSE(patch.solid(cell, t + 4));
  EXPECT_TRUE(patch.remove(edit(bob, t + 3)));
  EXPECT_FALSE(patch.remove(edit(bob, t + 3))) << "once";
  EXPECT_EQ(patch.hash(), created);
  EXPECT_EQ(patch.version(plan->chunk_of(cell)), 4) << "versions only grow";
}

TEST_F(APatch, GivesTheFirstOfTwoWithOneWishWhatTheyWant) {
  patch.add(edit(bob, t + 1));
  patch.add(edit(ada, t));
  EXPECT_TRUE(patch.settle(edit(ada, t)));
  EXPECT_FALSE(patch.settle(edit(bob, t + 1)));
  EXPECT_FALSE(patch.settle(edit(bob, t + 1))) << "not even known any more";
  EXPECT_FALSE(patch.solid(cell, t));
}

TEST_F(APatch, RefusesWhatIsKnownOrNotThereOrTooMuch) {
  EXPECT_TRUE(patch.add(edit(ada, t)));
  EXPECT_FALSE(patch.add(edit(ada, t)));
  EXPECT_FALSE(patch.add({t, bob, 8, plan->cells(), false}));
  for (std::uint32_t i = 1; i < VoxelPatch::edits_max; ++i) {
    ASSERT_TRUE(patch.add({t + 1 + static_cast<std::int32_t>(i), ada, 8, i, false}));
  }
  EXPECT_FALSE(patch.add(edit(bob, t)));
  EXPECT_EQ(patch.version(plan->chunk_of({23, 15, 15})), 0) << "never touched";
}

// After any additions, withdrawals and settling, a copy by chunks is equal.
TEST_F(APatch, CanBeCopiedChunkByChunk) {
  VoxelPatch copy(plan);
  Random random(3);
  for (int i = 0; i < 400; ++i) {
    patch.add({t + i, ada, 8, random.below(plan->cells()), random.below(2) == 0});
    if (i % 5 == 0 && !patch.edits().empty()) patch.remove(VoxelEdit(patch.edits().front()));
    if (i % 7 == 0) patch.settle_before(t + i - 20);
  }
  for (std::uint16_t chunk = 0; chunk < plan->chunks(); ++chunk) {
    copy.replace(chunk, patch.version(chunk), patch.chunk(chunk));
    EXPECT_EQ(copy.chunk(chunk), patch.chunk(chunk));
    EXPECT_EQ(copy.version(chunk), patch.version(chunk));
  }
  for_each_cell(
      [&](const Cell& at) { EXPECT_EQ(copy.solid(at, t + 1000), patch.solid(at, t + 1000)); });
}

TEST_F(APatch, IsCutOutAsItWasAtTheTickWithWhatComesOnTop) {
  Random random(4);
  for (int i = 0; i < 300; ++i) {
    patch.add({t + i / 3, i % 3 == 0 ? ada : bob, static_cast<std::uint8_t>(i % 3),
               random.below(plan->cells()), random.below(2) == 0});
  }
  VoxelCutout cutout;
  for (int i = 0; i < 200; ++i) {
    const Tick at = t + static_cast<std::int32_t>(random.below(110));
    const Vec3 about{random.between(-3, 27), random.between(-3, 19), random.between(-3, 19)};
    const Vec3 half{random.between(0.1, 9), random.between(0.1, 9), random.between(0.1, 9)};
    const Cell own{static_cast<std::int32_t>(random.below(24)), 4, 4};
    const VoxelEdit more = edit(99, t + 200, own, true);
    patch.cut({about - half, about + half}, at, std::span(&more, 1), cutout);
    for_each_cell([&](const Cell& there) {
      const Vec3 p = middle(there);
      const bool meets = std::abs(p.x - about.x) < half.x + 0.5 &&
                         std::abs(p.y - about.y) < half.y + 0.5 &&
                         std::abs(p.z - about.z) < half.z + 0.5;
      const bool in_the_middle =
          std::abs(p.x - about.x) < 7 && std::abs(p.y - about.y) < 7 && std::abs(p.z - about.z) < 7;
      if (meets && in_the_middle) {
        ASSERT_EQ(cutout.solid(there), patch.solid(there, at));
      }
      ASSERT_LE(cutout.solid(there), patch.solid(there, at));
    });
    patch.cut({middle(own), middle(own)}, t + 201, std::span(&more, 1), cutout);
    ASSERT_TRUE(cutout.solid(own));
  }
}

// The boxes of a shape are each chunk's merged cells: a point is inside of exactly one box if its
// cell is solid, and else of none.
TEST(ABornShape, HasBoxesWhereItsCellsAre) {
  const ShapePtr shape = make_voxel_shape(make_voxel_plan(size, 1, rough));
  for_each_cell([&](const Cell& cell) {
    int inside = 0;
    for (const Box& box : shape->boxes()) {
      const Vec3 p = middle(cell) - box.center;
      inside +=
          std::abs(p.x) < box.half.x && std::abs(p.y) < box.half.y && std::abs(p.z) < box.half.z;
    }
    ASSERT_EQ(inside, rough(cell) ? 1 : 0) << cell.x << ' ' << cell.y << ' ' << cell.z;
  });
  EXPECT_EQ(make_voxel_shape(make_voxel_plan(size, 1, flat))->boxes().size(), 6U)
      << "a slab for each chunk of the lower layer";
}

TEST(ARayThroughCells, MeetsWhatARayThroughTheirBoxesMeets) {
  const auto plan = plan_of([](const Cell& cell) { return rough(cell) && cell.y % 3 == 0; });
  const VoxelPatch patch(plan);
  const ShapePtr boxes = make_voxel_shape(*plan);
  Random random(5);
  int hits = 0;
  for (int i = 0; i < 2000; ++i) {
    const Vec3 from{random.between(-2, 26), random.between(-2, 18), random.between(-2, 18)};
    const Vec3 way =
        normalized(Vec3{random.between(-1, 1), random.between(-1, 1), random.between(-1, 1)});
    const auto solid = [&](const Cell& cell) { return patch.solid(cell, Tick{}); };
    const auto got = cast_cells(solid, plan->bounds_of({}, size), 1, from, way, 12);
    const auto expected = cast_ray(*boxes, from, way, 12);
    // A ray that ends in a corner may give either result.
    if (!got != !expected) {
      EXPECT_GT((got ? got->away_m : *expected), 11.99);
      continue;
    }
    if (!got) continue;
    ++hits;
    EXPECT_NEAR(got->away_m, *expected, 2e-3);
    EXPECT_TRUE(solid(got->cell));
    EXPECT_EQ(solid(got->before), got->away_m == 0);
  }
  EXPECT_GT(hits, 500);
}

// --- walking

/// A walker on a patch and its twin on the boxes of the same cells.
struct Twins {
  std::shared_ptr<const VoxelPlan> plan;
  VoxelPatch patch;
  ShapePtr shape;
  Scene on_cells{nothing}, on_boxes{nothing};
  VoxelCutout cutout;

  explicit Twins(bool (*solid)(const Cell&))
      : plan(plan_of(solid)), patch(plan), shape(make_voxel_shape(*plan)) {
    on_boxes.shapes.push_back(shape);
    on_boxes.neighbours.push_back(make_neighbour(hull, NeighbourKind::Solid, *shape, {}, {}));
    on_cells.neighbours.push_back(make_neighbour(hull, NeighbourKind::Solid, *shape, {}, {}));
    on_cells.neighbours[0].cutout = 1;
  }
  void place(const Vec3& at) { on_cells.state.position = on_boxes.state.position = at; }
  void step() {
    patch.cut(inflated(reach_of(on_cells.params, on_cells.state), 2), on_cells.input.tick, {},
              cutout);
    on_cells.report = step_actor(on_cells.params, on_cells.frame, on_cells.neighbours,
                                 on_cells.input, on_cells.state, std::span(&cutout, 1));
    ++on_cells.input.tick;
    on_cells.input.samples.clear();
    on_boxes.step();
  }
};

bool terraces(const Cell& cell) { return cell.y <= cell.x / 6 + (cell.z / 5) % 2; }

TEST(AWalkerOnCells, GoesWhereAWalkerOnTheirBoxesGoes) {
  Twins twins(terraces);
  twins.place({3, 3, 8});
  double farthest_m = 0;
  for (int i = 0; i < 1200; ++i) {
    for (Scene* scene : {&twins.on_cells, &twins.on_boxes}) {
      Random same(static_cast<std::uint64_t>(i / 30));
      scene->input.forward = 127;
      scene->input.yaw = static_cast<std::uint16_t>(same.next());
      if (i % 50 == 0) scene->press(button_jump);
    }
    // Both turn back at the rim, so that they stay on the patch.
    Vec3& at = twins.on_cells.state.position;
    if (at.x < 1 || at.x > 23 || at.z < 1 || at.z > 15) twins.place({12, 6, 8});
    twins.step();
    farthest_m = std::max(farthest_m, distance(at, twins.on_boxes.state.position));
    EXPECT_EQ(twins.on_cells.report.overflows, 0);
    ASSERT_LT(farthest_m, 1e-6) << "tick " << i;
  }
  EXPECT_EQ(twins.on_cells.state.ground, hull);
}

TEST(AWalkerOnCells, FallsIntoWhatIsDugUnderItsFeetAndClimbsOut) {
  Twins twins(flat);
  twins.place({8.5, 4.91, 8.5});
  for (int i = 0; i < 20; ++i) twins.step();
  ASSERT_TRUE(twins.on_cells.grounded());
  const Tick t = twins.on_cells.input.tick;
  twins.patch.add({t, ada, 8, twins.plan->index_of({8, 3, 8}), false});
  twins.step();
  EXPECT_TRUE(twins.on_cells.grounded()) << "not yet";
  for (int i = 0; i < 40; ++i) twins.step();
  EXPECT_TRUE(twins.on_cells.grounded());
  EXPECT_NEAR(twins.on_cells.state.position.y, 3.91, 0.02);
  twins.on_cells.walk_along_x();
  for (int i = 0; i < 60; ++i) twins.step();
  EXPECT_NEAR(twins.on_cells.state.position.x, 8.6, 0.02) << "a wall of 1 m";
  twins.on_cells.press(button_jump);
  for (int i = 0; i < 60; ++i) twins.step();
  EXPECT_GT(twins.on_cells.state.position.x, 9.4);
  EXPECT_NEAR(twins.on_cells.state.position.y, 4.91, 0.02);
}

// --- bodies

TEST(ACrateOnCells, RestsOnThemAndFallsWhenTheyAreDugAway) {
  std::vector<EntityType> types(2);
  types[0] = {.id = 0,
              .name = "ground",
              .kind = EntityKind::Static,
              .shape = make_voxel_shape(make_voxel_plan(size, 1, flat)),
              .gravity = {{0, -9.81, 0}, {{-50, -50, -50}, {50, 50, 50}}}};
  types[1] = {.id = 1,
              .name = "crate",
              .kind = EntityKind::Body,
              .shape = make_shape({{.half = {0.3, 0.3, 0.3}}}),
              .mass_kg = 100};
  World world({.types = types});
  const Handle ground = world.spawn({.id = {1}, .type = 0});
  const Handle crate = world.spawn({.id = {2}, .type = 1, .local = {{8.5, 5, 8.5}, {}}});
  const auto run = [&](int ticks) {
    for (int i = 0; i < ticks; ++i) world.step_bodies(world.now());
    return world.pose(crate, world.now())->position.y;
  };
  EXPECT_NEAR(run(300), 4.3, 0.05);
  EXPECT_TRUE(world.motion(crate, world.now())->rests()) << "asleep";
  VoxelPatch& patch = *world.voxels(ground);
  for (const std::int32_t y : {3, 2}) {
    const auto cell = patch.plan().index_of({8, y, 8});
    ASSERT_TRUE(patch.add({world.now(), ada, static_cast<std::uint8_t>(y), cell, false}));
  }
  const std::uint32_t shapes = world.physics().statistics().shapes;
  EXPECT_NEAR(run(200), 2.3, 0.05);
  EXPECT_EQ(world.physics().statistics().shapes, shapes) << "the old chunk's is gone";
  world.despawn(ground);
  run(2);
  EXPECT_EQ(world.physics().statistics().bodies, 1U);
}

TEST(AShot, GoesThroughAHole) {
  std::vector<EntityType> types(1);
  types[0] = {.id = 0,
              .name = "ground",
              .kind = EntityKind::Static,
              .shape = make_voxel_shape(make_voxel_plan(size, 1, flat))};
  World world({.types = types, .start = Tick{100}});
  const Handle ground = world.spawn({.id = {1}, .type = 0, .local = {{100, 0, 0}, {}}});
  for (int i = 0; i < 4; ++i) world.step_bodies(world.now());
  const auto shoot = [&](Tick view) {
    return world.cast_drawn({90, 2.5, 2.5}, {1, 0, 0}, 50, no_entity, {view, 0, view, {}});
  };
  ASSERT_TRUE(shoot(Tick{102}));
  EXPECT_EQ(shoot(Tick{102})->entity, ground);
  EXPECT_NEAR(shoot(Tick{102})->away_m, 10, 1e-9);
  VoxelPatch& patch = *world.voxels(ground);
  patch.add({Tick{101}, ada, 8, patch.plan().index_of({0, 2, 2}), false});
  EXPECT_NEAR(shoot(Tick{101})->away_m, 10, 1e-9) << "as it was drawn then";
  EXPECT_NEAR(shoot(Tick{102})->away_m, 11, 1e-9);
}

}  // namespace
}  // namespace perigee::world
