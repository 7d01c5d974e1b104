#include "perigee/replication/published.hpp"

#include <gtest/gtest.h>

#include "sky.hpp"

namespace perigee::replication {
namespace {

Published rider() {
  Published out = thing(5, {10'000, 20, -7'000});
  out.parent = 9;
  out.local.position = {3, 2, -40};
  out.velocity = {1, 0, 2};
  return out;
}

// K18, K39: what has a parent travels in the parent's frame
TEST(ARecord, IsInItsParentsFrame) {
  const Published entity = rider();
  EXPECT_EQ(frame_of(entity), (GroupFrame{9, {}}));
  EXPECT_EQ(record_of(entity).offset, entity.local.position);
  EXPECT_EQ(record_of(entity).velocity, entity.velocity);
}

TEST(ARecord, WithoutAParentIsInTheNearestCell) {
  Published entity = rider();
  entity.parent = no_entity;
  const GroupFrame frame = frame_of(entity);
  EXPECT_EQ(frame.parent, no_entity);
  const Vec3 offset = record_of(entity).offset;
  EXPECT_LE(std::abs(offset.x), 256);
  EXPECT_LE(std::abs(offset.y), 256);
  EXPECT_LE(std::abs(offset.z), 256);
  EXPECT_EQ(cell_center(frame.cell) + offset, entity.position);
}

TEST(ARecord, FallsBackToCellsBeyondItsRange) {
  for (const Vec3& far : {Vec3{256, 0, 0}, Vec3{0, -256, 0}, Vec3{0, 0, 4000}}) {
    Published entity = rider();
    entity.local.position = far;
    const GroupFrame frame = frame_of(entity);
    EXPECT_EQ(frame.parent, no_entity);
    EXPECT_EQ(cell_center(frame.cell) + record_of(entity).offset, entity.position);
  }
  Published just_inside = rider();
  just_inside.local.position = {255.9, -255.9, 255.9};
  EXPECT_EQ(frame_of(just_inside).parent, 9U);
}

// The record's velocity has to be of the same frame as its offset.
TEST(ARecord, OutOfItsParentsReachMovesInWorldAxes) {
  Published entity = rider();
  entity.local.position = {300, 0, 0};
  entity.local.rotation = yaw_rotation(pi / 2);
  entity.world_rotation = yaw_rotation(pi);
  entity.velocity = {1, 0, 0};
  entity.world_velocity = {50, 0, 1};
  EXPECT_EQ(record_of(entity).velocity, entity.world_velocity);
  EXPECT_EQ(record_of(entity).rotation, entity.world_rotation);
}

TEST(TheDistance, IsToTheNearestPointOfTheBox) {
  const world::Bounds box{{-10, -1, -10}, {10, 1, 10}};
  EXPECT_EQ(distance_to(box, {0, 0, 0}), 0);
  EXPECT_EQ(distance_to(box, {10, 1, 10}), 0);
  EXPECT_DOUBLE_EQ(distance_to(box, {13, 5, 0}), 5);
}

}  // namespace
}  // namespace perigee::replication
