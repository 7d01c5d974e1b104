/// Shapes, their tree and ids.
#include "perigee/world/shape.hpp"

#include <gtest/gtest.h>

#include "perigee/base/hash.hpp"
#include "perigee/world/ids.hpp"

namespace perigee::world {
namespace {

// Worlds are the same to the bit on all machines and in all versions.
TEST(Bounds, OfARotatedBoxAreThoseOfItsAxes) {
  Random random(3);
  const auto unit = [&] { return random.between(-1, 1); };
  const auto extents = [](const Vec3& a, const Vec3& b, const Vec3& c) {
    const auto sum = [](double x, double y, double z) {
      return std::abs(x) + std::abs(y) + std::abs(z);
    };
    return Vec3{sum(a.x, b.x, c.x), sum(a.y, b.y, c.y), sum(a.z, b.z, c.z)};
  };
  for (int i = 0; i < 10'000; ++i) {
    const Quat turn = normalized(Quat{unit(), unit(), unit(), unit()});
    const Vec3 half{random.between(0, 30), random.between(0, 30), random.between(0, 30)};
    const Vec3 exact = extents(rotate(turn, {half.x, 0, 0}), rotate(turn, {0, half.y, 0}),
                               rotate(turn, {0, 0, half.z}));
    const Bounds bounds = transformed({{}, turn}, {-half, half});
    ASSERT_EQ(bounds.high, exact);
    ASSERT_EQ(bounds.low, -exact);
  }
}

TEST(Shape, TheTreeFindsWhatAScanFinds) {
  Random random(1);
  std::vector<Box> boxes;
  for (int i = 0; i < 500; ++i) {
    const Vec3 at{random.between(-50, 50), random.between(-5, 5), random.between(-50, 50)};
    boxes.push_back({.center = at, .half = {1, 0.5, 2}, .rotation = yaw_rotation(i * 0.1)});
  }
  const Shape shape(boxes);
  for (int i = 0; i < 200; ++i) {
    const Vec3 at{random.between(-50, 50), 0, random.between(-50, 50)};
    const Bounds query{at - Vec3{3, 3, 3}, at + Vec3{3, 3, 3}};
    FixedVector<std::uint32_t, 512> found;
    ASSERT_TRUE(shape.find(query, found));
    std::size_t expected = 0;
    for (const Box& box : shape.boxes()) expected += overlap(bounds_of(box), query) ? 1U : 0U;
    EXPECT_EQ(found.size(), expected);
  }
}

TEST(Shape, SaysWhenTheListIsFull) {
  const Shape shape(std::vector<Box>(20, Box{.half = {1, 1, 1}}));
  FixedVector<std::uint32_t, 8> found;
  EXPECT_FALSE(shape.find({{-1, -1, -1}, {1, 1, 1}}, found));
  EXPECT_EQ(found.size(), 8U);
}

TEST(Shape, ACapsuleIsAsHighAsItsHeight) {
  const ShapePtr capsule = make_capsule_shape(0.4, 1.8);
  EXPECT_EQ(capsule->bounds(), (Bounds{{-0.4, -0.9, -0.4}, {0.4, 0.9, 0.4}}));
}

TEST(EntityId, KeepsItsThreePartsAndOrdersBySpawnerThenTick) {
  const EntityId id = make_entity_id(0xabcde, Tick{0xfeedbeef}, 0x123);
  EXPECT_EQ(id.spawner(), 0xabcdeU);
  EXPECT_EQ(id.tick(), Tick{0xfeedbeef});
  EXPECT_EQ(id.ordinal(), 0x123U);
  EXPECT_LT(make_entity_id(1, Tick{9}, 9), make_entity_id(2, Tick{0}, 0));
  EXPECT_LT(make_entity_id(1, Tick{8}, 9), make_entity_id(1, Tick{9}, 0));
}

}  // namespace
}  // namespace perigee::world
