#include "perigee/world/voxel_patches.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "records.hpp"

namespace perigee::world {
namespace {

class TheVoxelPatches : public testing::Test {
 protected:
  Records world;
  std::unique_ptr<PhysicsWorld> physics = make_bullet_world(16);
  VoxelPatches patches{
      {.entities = world.table, .motions = world.motions, .physics = *physics, .now = world.now}};
  ShapePtr shape =
      make_voxel_shape(make_voxel_plan({24, 8, 8}, 1, [](const Cell& cell) { return cell.y < 4; }));

  void SetUp() override { world.types[Records::ground].shape = shape; }
  std::unique_ptr<EntityRecord> make_patch(const Vec3& at) {
    auto made = world.make(Records::ground, at);
    made->voxels = std::make_unique<VoxelPatch>(shape->voxels());
    made->chunk_bodies.resize(shape->voxels()->chunks());
    return made;
  }
};

TEST_F(TheVoxelPatches, AreByEntityId) {
  auto first = make_patch({});
  EntityRecord& second = world.table.add(make_patch({100, 0, 0}));
  patches.add(second);
  EntityRecord& added = world.table.add(std::move(first));
  patches.add(added);
  EXPECT_THAT(patches.all(), testing::ElementsAre(added.entity.handle, second.entity.handle));
  EXPECT_EQ(patches.cells(added.entity.handle), added.voxels.get());
  patches.remove(added);
  EXPECT_THAT(patches.all(), testing::ElementsAre(second.entity.handle));
}

TEST_F(TheVoxelPatches, HaveABodyPerChunkThatIsRenewedWhenItChanges) {
  EntityRecord& patch = world.table.add(make_patch({}));
  patches.add(patch);
  patches.enter_physics();
  EXPECT_EQ(physics->statistics().bodies, 3U);
  const BodyId old = patch.chunk_bodies[0].body;
  const BodyId other = patch.chunk_bodies[1].body;
  const std::uint32_t cell = patch.voxels->plan().index_of({1, 3, 1});
  ASSERT_TRUE(patch.voxels->add({world.now, 1, 8, cell, false}));
  patches.enter_physics();
  EXPECT_EQ(physics->statistics().bodies, 3U);
  EXPECT_EQ(patch.chunk_bodies[0].version, patch.voxels->version(0));
  EXPECT_TRUE(physics->has(old)) << "the id is used for the new body";
  EXPECT_EQ(patch.chunk_bodies[1].body, other);
}

TEST_F(TheVoxelPatches, AreFoundNearToEntities) {
  EntityRecord& patch = world.table.add(make_patch({}));
  patches.add(patch);
  const Handle box = world.add(Records::box, {30, 5, 4}).entity.handle;
  EXPECT_EQ(patches.near(std::array{box}, 1), nullptr);
  EXPECT_EQ(patches.near(std::array{box}, 30), &patch.entity);
}

}  // namespace
}  // namespace perigee::world
