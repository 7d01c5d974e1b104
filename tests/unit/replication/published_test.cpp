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

constexpr std::array<Precision, precisions> all{Precision::Finest, Precision::Fine,
                                                Precision::Middle, Precision::Coarse};

// K18, K39: an entity with a parent is sent in the parent's frame
TEST(ARecord, IsInItsParentsFrame) {
  const Published entity = rider();
  for (const Precision precision : all) {
    const GroupFrame frame = frame_of(entity, precision);
    EXPECT_EQ(frame, (GroupFrame{.parent = 9, .precision = precision}));
    EXPECT_EQ(straight_track(entity, frame, {}).position, entity.local.position);
    EXPECT_EQ(straight_track(entity, frame, {}).velocity, entity.velocity);
  }
}

TEST(ARecord, WithoutAParentIsInTheNearestCell) {
  Published entity = rider();
  entity.parent = no_entity;
  for (const Precision precision : all) {
    const GroupFrame frame = frame_of(entity, precision);
    EXPECT_EQ(frame.parent, no_entity);
    EXPECT_EQ(frame.precision, precision);
    const Track track = straight_track(entity, frame, {});
    const Vec3 offset = track.position - origin_of(frame);
    EXPECT_LE(std::abs(offset.x), offset_limit_m(precision));
    EXPECT_LE(std::abs(offset.y), offset_limit_m(precision));
    EXPECT_LE(std::abs(offset.z), offset_limit_m(precision));
    EXPECT_EQ(track.position, entity.position);
  }
}

TEST(ARecord, FallsBackToCellsBeyondItsRange) {
  for (const Vec3& far : {Vec3{256, 0, 0}, Vec3{0, -256, 0}, Vec3{0, 0, 4000}}) {
    Published entity = rider();
    entity.local.position = far;
    EXPECT_EQ(frame_of(entity, Precision::Finest).parent, no_entity);
  }
  Published just_inside = rider();
  just_inside.local.position = {255.9, -255.9, 255.9};
  EXPECT_EQ(frame_of(just_inside, Precision::Finest).parent, 9U);
}

// The record's velocity must be in the same frame as its offset.
TEST(ARecord, OutOfItsParentsReachMovesInWorldAxes) {
  Published entity = rider();
  entity.local.position = {300, 0, 0};
  entity.local.rotation = yaw_rotation(pi / 2);
  entity.world_rotation = yaw_rotation(pi);
  entity.velocity = {1, 0, 0};
  entity.world_velocity = {50, 0, 1};
  const Track track = straight_track(entity, frame_of(entity, Precision::Finest), Tick{7});
  EXPECT_EQ(track.velocity, entity.world_velocity);
  EXPECT_EQ(track.rotation, entity.world_rotation);
  EXPECT_EQ(track.tick, Tick{7});
}

TEST(TheDistance, IsToTheNearestPointOfTheBox) {
  const world::Bounds box{{-10, -1, -10}, {10, 1, 10}};
  EXPECT_EQ(distance_to(box, {0, 0, 0}), 0);
  EXPECT_EQ(distance_to(box, {10, 1, 10}), 0);
  EXPECT_DOUBLE_EQ(distance_to(box, {13, 5, 0}), 5);
}

}  // namespace
}  // namespace perigee::replication
