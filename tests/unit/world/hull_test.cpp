/// Hulls are made of corners in any order, and of nothing that is no solid.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "hulls.hpp"
#include "perigee/world/entity_type.hpp"
#include "perigee/world/ray.hpp"
#include "perigee/world/schema.hpp"

namespace perigee::world {
namespace {

using testing::HasSubstr;

void shuffle(std::vector<Vec3f>& points, Random& random) {
  for (std::size_t i = points.size(); i > 1; --i) {
    std::swap(points[i - 1], points[random.below(static_cast<std::uint32_t>(i))]);
  }
}

Quat any_turn(Random& random) {
  return normalized(Quat{random.between(-1, 1), random.between(-1, 1), random.between(-1, 1),
                         random.between(-1, 1)});
}

TEST(AHull, HasThePlanesOfItsBoxInAnyOrderOfItsCorners) {
  for (int seed = 0; seed < 200; ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    const double size = random.between(0.1, 40);
    const Box box =
        box_at({random.between(-50, 50), random.between(-5, 5), 0},
               Vec3{1, random.between(0.2, 1), 0.5} * size, seed == 0 ? Quat{} : any_turn(random));
    std::vector<Vec3f> points = corners_of(box);
    const std::uint64_t hash = hull_of(points)->hash();
    points.push_back(to_float(box.center));
    points.push_back(to_float((to_double(points[0]) + to_double(points[1])) * 0.5));
    points.push_back(to_float((to_double(points[0]) + to_double(points[3])) * 0.5));
    points.push_back(points[2]);
    shuffle(points, random);
    const auto made = Hull::make(points);
    ASSERT_TRUE(made.ok()) << made.error().message << ", seed " << seed;
    const Hull& hull = **made;
    EXPECT_EQ(hull.planes().size(), 6U) << seed;
    EXPECT_EQ(hull.corners().size(), 8U) << seed;
    EXPECT_EQ(hull.surface().triangles().size(), 12U) << seed;
    EXPECT_EQ(hull.hash(), hash) << seed;
    EXPECT_EQ(hull_of({hull.corners().begin(), hull.corners().end()})->hash(), hash) << seed;
    EXPECT_TRUE(hull.contains(box.center));
    for (const Hull::Plane& plane : hull.planes()) {
      EXPECT_LT(plane.above_m(box.center), 0) << "outwards";
      for (const Vec3f& corner : points) EXPECT_LT(plane.above_m(to_double(corner)), 1e-3);
    }
  }
}

TEST(AHull, HasThePlanesOfItsBoxWithPointsInTheMiddleOfFacesAndEdges) {
  for (int seed = 0; seed < 200; ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    const Quat turn = seed == 0 ? Quat{} : any_turn(random);
    const Box box = box_at({}, {1, 1, 1}, turn);
    const std::uint64_t hash = hull_of(corners_of(box))->hash();
    std::vector<Vec3f> points;
    for (int x = -1; x <= 1; ++x) {
      for (int y = -1; y <= 1; ++y) {
        for (int z = -1; z <= 1; ++z) {
          points.push_back(to_float(rotate(turn, Vec3{1.0 * x, 1.0 * y, 1.0 * z})));
        }
      }
    }
    shuffle(points, random);
    const auto made = Hull::make(points);
    ASSERT_TRUE(made.ok()) << made.error().message << ", seed " << seed;
    EXPECT_EQ((*made)->corners().size(), 8U) << seed;
    EXPECT_EQ((*made)->planes().size(), 6U) << seed;
    EXPECT_EQ((*made)->hash(), hash) << seed;
  }
}

TEST(AHull, HoldsAllOfItsPoints) {
  int made_of_points = 0;
  for (int seed = 0; seed < 100; ++seed) {
    Random random(static_cast<std::uint64_t>(seed) + 7);
    std::vector<Vec3f> points;
    const bool round = seed % 2 == 0;
    for (std::uint32_t i = 0, count = 4 + random.below(61); i < count; ++i) {
      const Vec3 at{random.between(-1, 1), random.between(-1, 1), random.between(-1, 1)};
      points.push_back(to_float(round ? normalized(at) : at));
    }
    const auto made = Hull::make(points);
    if (!made) {
      EXPECT_THAT(made.error().message, HasSubstr("two corners too near")) << seed;
      continue;
    }
    ++made_of_points;
    for (const Vec3f& point : points) {
      for (const Hull::Plane& plane : (*made)->planes()) {
        ASSERT_LT(plane.above_m(to_double(point)), 1e-4) << seed;
      }
    }
    const Mesh& surface = (*made)->surface();
    Vec3 middle;
    for (const Vec3f& point : points)
      middle += to_double(point) / static_cast<double>(points.size());
    EXPECT_EQ(surface.triangles().size(), 2 * (surface.corners().size() - 2)) << "closed: Euler";
    for (std::uint32_t i = 0; i < surface.triangles().size(); ++i) {
      const Triangle each = surface.triangle(i);
      EXPECT_LT(dot(each.normal, middle - each.corner[0]), 0) << "behind each front";
    }
  }
  EXPECT_GT(made_of_points, 90);
}

TEST(AHull, IsRefusedWithItsReason) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float infinite = std::numeric_limits<float>::infinity();
  const auto refusal = [](const std::vector<Vec3f>& points) {
    const auto made = Hull::make(points);
    return made.ok() ? std::string("made") : made.error().message;
  };
  EXPECT_THAT(refusal({}), HasSubstr("0 corners"));
  EXPECT_THAT(refusal({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}), HasSubstr("3 corners"));
  EXPECT_THAT(refusal(std::vector<Vec3f>(65)), HasSubstr("65 corners"));
  EXPECT_THAT(refusal(std::vector<Vec3f>(8)), HasSubstr("flat"));
  EXPECT_THAT(refusal({{0, 0, 0}, {1, 1, 1}, {2, 2, 2}, {3, 3, 3}}), HasSubstr("flat"));
  EXPECT_THAT(refusal({{0, 0, 0}, {1, 0, 0}, {1, 0, 1}, {0, 0, 1}, {0.5, 0, 0.4F}}),
              HasSubstr("flat"));
  std::vector<Vec3f> points = corners_of(box_at({}, {1, 1, 1}));
  for (const float bad : {nan, infinite, -infinite, 40'000.0F}) {
    points[3].z = bad;
    EXPECT_THAT(refusal(points), HasSubstr("not a place"));
  }
  EXPECT_THAT(refusal(corners_of(box_at({}, {1, 0.0004, 1}))), HasSubstr("less than 1 mm"));
  EXPECT_EQ(refusal(corners_of(box_at({}, {1, 0.0006, 1}))), "made");
  EXPECT_THAT(refusal({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0.00005F, 0, 1}}),
              HasSubstr("two corners too near"));
}

TEST(AHull, IsMadeOrRefusedWhenItsCornersAreNearlyInOnePlane) {
  int made = 0;
  for (int seed = 0; seed < 500; ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    std::vector<Vec3f> points = corners_of(box_at({}, {1, 1, 1}, any_turn(random)));
    const double noise = random.between(0, 2e-4);
    for (Vec3f& point : points) {
      point = to_float(to_double(point) + Vec3{random.between(-noise, noise), 0, noise});
    }
    const auto hull = Hull::make(points);
    if (!hull) {
      EXPECT_THAT(hull.error().message, testing::AnyOf(HasSubstr("almost"), HasSubstr("too near")));
      continue;
    }
    ++made;
    const auto corners = (*hull)->corners();
    EXPECT_EQ(hull_of({corners.begin(), corners.end()})->hash(), (*hull)->hash());
    EXPECT_TRUE((*hull)->contains({}));
    EXPECT_EQ((*hull)->surface().triangles().size(), 12U);
  }
  EXPECT_GT(made, 250);
}

TEST(AHull, StopsRaysLikeItsBox) {
  Random random(5);
  for (int i = 0; i < 2'000; ++i) {
    const Box box = box_at({}, {1, 0.4, 2}, any_turn(random));
    const ShapePtr solid = solid_shape({box});
    const Vec3 from{random.between(-4, 4), random.between(-4, 4), random.between(-4, 4)};
    const Vec3 any{random.between(-1, 1), random.between(-1, 1), random.between(-1, 1)};
    const Vec3 way = normalized(any - from * 0.3);
    const auto meets = [&](double larger_m) {
      const Vec3 half = box.half + Vec3{larger_m, larger_m, larger_m};
      return ray_inside({-half, half}, rotate_back(box.rotation, from),
                        rotate_back(box.rotation, way), 10);
    };
    const auto found = cast_ray(*solid, from, way, 10);
    if (meets(-1e-4)) {
      ASSERT_TRUE(found.has_value()) << i;
    }
    if (found) {
      ASSERT_TRUE(meets(1e-4)) << i;
      EXPECT_LT(*found, meets(-1e-4).value_or(RaySpan{*found, 0}).enters + 1e-4) << i;
      EXPECT_GT(*found, meets(1e-4)->enters - 1e-9) << i;
    }
  }
  EXPECT_EQ(cast_ray(*solid_shape({box_at({}, {1, 1, 1})}), {0.5, 0.2, 0}, {1, 0, 0}, 10), 0.0);
}

TEST(AHull, IsInTheSchemaHashAndOfAnyKind) {
  EntityType type{.name = "rock", .shape = solid_shape({box_at({}, {1, 1, 1})}), .mass_kg = 10};
  const auto hash_of = [](const EntityType& each) {
    StateHash hash;
    add_types(hash, std::span(&each, 1));
    return hash.value();
  };
  const std::uint64_t first = hash_of(type);
  for (const EntityKind kind : {EntityKind::Static, EntityKind::Body, EntityKind::Timeline}) {
    type.kind = kind;
    EXPECT_TRUE(check(std::span(&type, 1)).ok());
  }
  type.kind = EntityKind::Static;
  type.shape = solid_shape({box_at({}, {1, 1, 1.001})});
  EXPECT_NE(hash_of(type), first);
  type.trigger = true;
  EXPECT_FALSE(check(std::span(&type, 1)).ok());
}

}  // namespace
}  // namespace perigee::world
