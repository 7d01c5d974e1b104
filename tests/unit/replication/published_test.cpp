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

// K18, K39: an entity with a parent is sent in the parent's frame
TEST(ARecord, IsInItsParentsFrame) {
  const Published entity = rider();
  for (const Precision precision : {Precision::Fine, Precision::Coarse}) {
    const GroupFrame frame = frame_of(entity, precision);
    EXPECT_EQ(frame, (GroupFrame{.parent = 9}));
    EXPECT_EQ(record_of(entity, frame).offset, entity.local.position);
    EXPECT_EQ(record_of(entity, frame).velocity, entity.velocity);
  }
}

TEST(ARecord, WithoutAParentIsInTheNearestCell) {
  Published entity = rider();
  entity.parent = no_entity;
  for (const Precision precision : {Precision::Fine, Precision::Middle, Precision::Coarse}) {
    const GroupFrame frame = frame_of(entity, precision);
    EXPECT_EQ(frame.parent, no_entity);
    EXPECT_EQ(frame.precision, precision);
    const Vec3 offset = record_of(entity, frame).offset;
    EXPECT_LE(std::abs(offset.x), offset_limit_m(precision));
    EXPECT_LE(std::abs(offset.y), offset_limit_m(precision));
    EXPECT_LE(std::abs(offset.z), offset_limit_m(precision));
    EXPECT_EQ(origin_of(frame) + offset, entity.position);
  }
}

TEST(ARecord, FallsBackToCellsBeyondItsRange) {
  for (const Vec3& far : {Vec3{256, 0, 0}, Vec3{0, -256, 0}, Vec3{0, 0, 4000}}) {
    Published entity = rider();
    entity.local.position = far;
    const GroupFrame frame = frame_of(entity, Precision::Fine);
    EXPECT_EQ(frame.parent, no_entity);
    EXPECT_EQ(origin_of(frame) + record_of(entity, frame).offset, entity.position);
  }
  Published just_inside = rider();
  just_inside.local.position = {255.9, -255.9, 255.9};
  EXPECT_EQ(frame_of(just_inside, Precision::Fine).parent, 9U);
}

// The record's velocity must be in the same frame as its offset.
TEST(ARecord, OutOfItsParentsReachMovesInWorldAxes) {
  Published entity = rider();
  entity.local.position = {300, 0, 0};
  entity.local.rotation = yaw_rotation(pi / 2);
  entity.world_rotation = yaw_rotation(pi);
  entity.velocity = {1, 0, 0};
  entity.world_velocity = {50, 0, 1};
  const EntityRecord record = record_of(entity, frame_of(entity, Precision::Fine));
  EXPECT_EQ(record.velocity, entity.world_velocity);
  EXPECT_EQ(record.rotation, entity.world_rotation);
}

TEST(TheDistance, IsToTheNearestPointOfTheBox) {
  const world::Bounds box{{-10, -1, -10}, {10, 1, 10}};
  EXPECT_EQ(distance_to(box, {0, 0, 0}), 0);
  EXPECT_EQ(distance_to(box, {10, 1, 10}), 0);
  EXPECT_DOUBLE_EQ(distance_to(box, {13, 5, 0}), 5);
}

}  // namespace
}  // namespace perigee::replication
