/// A mesh is refused with a reason, or it is usable; its edges are touched as its surface bends.
#include "perigee/world/mesh.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "meshes.hpp"
#include "perigee/world/entity_type.hpp"
#include "perigee/world/ray.hpp"
#include "perigee/world/schema.hpp"

namespace perigee::world {
namespace {

constexpr float nan_value = std::numeric_limits<float>::quiet_NaN();

MeshSource square() {
  MeshSource out;
  add_quad(out, {0, 0, 0}, {0, 0, 1}, {1, 0, 1}, {1, 0, 0});
  return out;
}
std::string refusal(const MeshSource& source) {
  const auto made = Mesh::make(source);
  return made ? "" : made.error().message;
}
bool says(const std::string& sentence, std::string_view part) {
  return sentence.find(part) != std::string::npos;
}

TEST(AMesh, IsRefusedWithTheTriangleAndTheReason) {
  EXPECT_TRUE(says(refusal({}), "no triangle"));

  MeshSource source = square();
  source.corners[3].y = nan_value;
  EXPECT_TRUE(says(refusal(source), "triangle 1 of the mesh has a corner that is not a place"))
      << refusal(source);
  source = square();
  source.corners[2].x = std::numeric_limits<float>::infinity();
  EXPECT_TRUE(says(refusal(source), "triangle 0")) << refusal(source);
  source = square();
  source.corners[2].x = 40'000;
  EXPECT_TRUE(says(refusal(source), "within 32,768 m")) << refusal(source);

  source = square();
  source.triangles[1][2] = 99;
  EXPECT_TRUE(says(refusal(source), "triangle 1 of the mesh has corner 99, but there are only 4"))
      << refusal(source);

  source = square();
  source.corners.push_back({0.5F, 0, 1.00005F});
  source.triangles.push_back({1, 4, 2});
  EXPECT_TRUE(says(refusal(source), "triangle 2 of the mesh is a sliver")) << refusal(source);
  source.triangles[2] = {1, 1, 2};
  EXPECT_TRUE(says(refusal(source), "is a sliver")) << "no area";

  source = square();
  source.triangles.push_back({1, 2, 0});
  EXPECT_TRUE(says(refusal(source), "triangle 2 of the mesh has the same corners as triangle 0"))
      << refusal(source);
  source.triangles[2] = {2, 1, 0};
  EXPECT_TRUE(says(refusal(source), "has the same corners")) << "the back of one";

  source = square();
  std::swap(source.triangles[1][0], source.triangles[1][1]);
  EXPECT_TRUE(says(refusal(source), "front on the other side than triangle 0")) << refusal(source);

  MeshSource block;
  add_block(block, {0, 0, 0}, {1, 1, 1});
  EXPECT_EQ(refusal(block), "");
  block.two_sided = true;
  EXPECT_TRUE(says(refusal(block), "closed and two-sided")) << refusal(block);
}

int count_edges(const Mesh& mesh, std::uint8_t kind) {
  int count = 0;
  for (std::uint32_t i = 0; i < mesh.triangles().size(); ++i) {
    for (int edge = 0; edge < 3; ++edge) {
      count += Mesh::edge_of(mesh.edges(i), edge) == kind ? 1 : 0;
    }
  }
  return count;
}

TEST(AMesh, WeldsCornersInOnePlaceAndTestsOnlyBordersOfAFlatFloor) {
  MeshSource source;
  for (int i = 0; i < 3; ++i) {
    add_quad(source, {i * 1.0, 0, 0}, {i * 1.0, 0, 1}, {i + 1.0, 0, 1}, {i + 1.0, 0, 0});
  }
  const MeshPtr mesh = mesh_of(source);
  EXPECT_EQ(mesh->corners().size(), 8U);
  EXPECT_EQ(count_edges(*mesh, Mesh::border), 8);
  EXPECT_EQ(count_edges(*mesh, 0), 10);
}

TEST(AMesh, TestsConvexEdgesAndGivesSharpOnesTheirOwnDirections) {
  for (const double angle : {-30.0, -1.0, 1.0, 4.0, 6.0, 80.0}) {  // positive: a ridge
    MeshSource source;
    const SinCos bend = sin_cos(degrees(angle));
    add_quad(source, {-1, 0, 0}, {-1, 0, 1}, {0, 0, 1}, {0, 0, 0});
    add_quad(source, {0, 0, 0}, {0, 0, 1}, {bend.cos, -bend.sin, 1}, {bend.cos, -bend.sin, 0});
    const MeshPtr mesh = mesh_of(source);
    EXPECT_EQ(count_edges(*mesh, Mesh::border), 6) << angle;
    EXPECT_EQ(count_edges(*mesh, Mesh::gentle_edge), angle > 0 && angle < 5 ? 2 : 0) << angle;
    EXPECT_EQ(count_edges(*mesh, Mesh::sharp_edge), angle > 5 ? 2 : 0) << angle;
  }
}

TEST(AMesh, FindsWhatOverlapsAQuery) {
  const MeshPtr mesh = mesh_of(floor_of(40, 0.7, hills, 0.3));
  Random random(8);
  for (int i = 0; i < 200; ++i) {
    const Vec3 at{random.between(-15, 15), random.between(-2, 2), random.between(-15, 15)};
    const Bounds query = inflated({at, at}, random.between(0.1, 4));
    std::vector<std::uint32_t> expected;
    for (std::uint32_t k = 0; k < mesh->triangles().size(); ++k) {
      if (overlap(mesh->triangle(k).bounds, query)) expected.push_back(k);
    }
    std::vector<std::uint32_t> found;
    mesh->for_each_near(query, [&](const Facet& facet) {
      found.push_back(facet.index);
      EXPECT_EQ(facet.bounds, mesh->triangle(facet.index).bounds);
    });
    ASSERT_EQ(found, expected);
  }
}

TEST(FloatQuery, AnswersAsTheBoxOfDoublesDoes) {
  Random random(5);
  const auto number = [&]() -> double {
    constexpr double special[] = {0,      1e-45, 1e-40, 1.0 / 3, 0.1F, 1,
                                  1.0001, 3e7,   3e38,  1e39,    1e300};
    const double any = special[random.below(std::size(special))];
    const double beside = any * (1 + static_cast<double>(random.below(5)) * 1e-9 - 2e-9);
    return random.below(2) == 0 ? beside : -beside;
  };
  const auto place = [&] {
    const auto f = [&] { return static_cast<float>(std::clamp(number(), -3e38, 3e38)); };
    return Vec3f{f(), f(), f()};
  };
  int overlaps = 0;
  for (int i = 0; i < 200'000; ++i) {
    const Bounds query{{number(), number(), number()}, {number(), number(), number()}};
    const FloatQuery near(query);
    const FloatBounds box{place(), place()};
    const bool expected = overlap(query, {to_double(box.low), to_double(box.high)});
    ASSERT_EQ(near.overlaps(box), expected) << i;
    const Vec3f third = place();
    const Bounds around =
        Facet::bounds_of(to_double(box.low), to_double(box.high), to_double(third));
    const auto found = near.overlap_of(box.low, box.high, third);
    ASSERT_EQ(found.has_value(), overlap(query, around)) << i;
    if (found.has_value()) {
      ASSERT_EQ(*found, around) << i;
    }
    overlaps += expected ? 1 : 0;
  }
  EXPECT_GT(overlaps, 1'000);
  constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
  const FloatQuery nothing_near(Bounds{{not_a_number, 0, 0}, {1, 1, 1}});
  EXPECT_FALSE(nothing_near.overlaps({{0, 0, 0}, {1, 1, 1}}));
}

TEST(AMesh, HasTheSameHashFromTheSameSourceOnly) {
  MeshSource source = floor_of(20, 1, hills);
  const std::uint64_t hash = mesh_of(source)->hash();
  EXPECT_EQ(mesh_of(source)->hash(), hash);
  source.corners[30].y += 0.001F;
  EXPECT_NE(mesh_of(source)->hash(), hash);
  EXPECT_EQ(hash, 14627005793046128776ULL) << "on every machine";
}

TEST(AMesh, IsMadeAgainFromItsSourceInAnyOrder) {
  MeshSource source = floor_of(20, 0.5, hills, 0.3);
  add_block(source, {-1, 3, -1}, {1, 4, 1}, 3);
  for (const bool two_sided : {false, true}) {
    source.two_sided = two_sided;
    const MeshPtr mesh = mesh_of(source);
    MeshSource again = mesh->source();
    EXPECT_EQ(mesh_of(again)->hash(), mesh->hash());
    std::reverse(again.triangles.begin(), again.triangles.end());
    EXPECT_EQ(mesh_of(again)->hash(), mesh->hash());
  }
}

TEST(AMesh, StopsRaysTowardsItsFrontOnly) {
  const auto shape = make_shape({}, mesh_of(floor_of(60, 0.5, hills, 0.2)));
  Random random(5);
  for (int i = 0; i < 200; ++i) {
    const Vec3 above{random.between(-14, 14), 8, random.between(-14, 14)};
    const Vec3 way = normalized(Vec3{random.between(-1, 1), -1, random.between(-1, 1)});
    std::optional<double> expected;
    for (std::uint32_t k = 0; k < shape->mesh()->triangles().size(); ++k) {
      const Triangle t = shape->mesh()->triangle(k);
      const double away = dot(t.normal, t.corner[0] - above) / dot(t.normal, way);
      const Vec3 at = above + way * away;
      if (away < 0 || distance(nearest_on(t, at), at) > 1e-9) continue;
      if (!expected || away < *expected) expected = away;
    }
    const auto away = cast_ray(*shape, above, way, 100);
    ASSERT_EQ(away.has_value(), expected.has_value());
    if (!away) continue;
    ASSERT_NEAR(*away, *expected, 1e-9);
    EXPECT_FALSE(cast_ray(*shape, above, way, *away - 1e-6)) << "too far";
    EXPECT_FALSE(cast_ray(*shape, above + way * (*away + 0.01), -way, 0.02)) << "from behind";
  }
}

TEST(AMesh, IsRefusedOrUsableWhateverItsSource) {
  MeshSource block = floor_of(4, 0.5);
  add_block(block, {-0.4, 0, -0.4}, {0.4, 0.5, 0.4});
  const float odd[] = {nan_value, std::numeric_limits<float>::infinity(), -0.0F, 1e-30F, 4e4F, 3e4F,
                       0.25F};
  int usable = 0;
  for (std::uint64_t seed = 0; seed < 3'000; ++seed) {
    Random random(seed);
    MeshSource source = block;
    source.two_sided = random.below(4) == 0;
    for (std::uint32_t i = 0; i < 1 + random.below(4); ++i) {
      Vec3f& corner =
          source.corners[random.below(static_cast<std::uint32_t>(source.corners.size()))];
      auto& triangle =
          source.triangles[random.below(static_cast<std::uint32_t>(source.triangles.size()))];
      const std::uint32_t kind = random.below(4);
      if (kind == 0) (random.below(2) == 0 ? corner.x : corner.y) = odd[random.below(7)];
      if (kind == 1) triangle[random.below(3)] = random.below(60);
      if (kind == 2) std::swap(triangle[0], triangle[1]);
      if (kind == 3) corner = to_float(Vec3{random.between(-1, 1), random.between(-1, 1), 0});
    }
    const auto made = Mesh::make(source);
    if (!made) {
      EXPECT_FALSE(made.error().message.empty());
      continue;
    }
    ++usable;
    Scene scene(nothing);
    add_mesh(scene, hull, *made);
    scene.walk_along_x();
    scene.state.velocity = {random.below(2) == 0 ? 0.F : 500.F, -5, 3};
    scene.step(20);
    ASSERT_EQ(scene.state.position, scene.state.position) << "a number, seed " << seed;
    EXPECT_EQ(mesh_of((*made)->source())->hash(), (*made)->hash()) << "seed " << seed;
  }
  EXPECT_GT(usable, 300);
  EXPECT_LT(usable, 2'700);
}

TEST(AMesh, MayBelongToWhatStandsOrFollowsATimetableOnly) {
  std::vector<EntityType> types(1);
  types[0].shape = make_shape({}, mesh_of(square()));
  types[0].mass_kg = 1;
  types[0].travel.ticks = 60;
  for (const EntityKind kind :
       {EntityKind::Static, EntityKind::Timeline, EntityKind::Body, EntityKind::Actor}) {
    types[0].kind = kind;
    const auto checked = check(types);
    const bool allowed = kind == EntityKind::Static || kind == EntityKind::Timeline;
    ASSERT_EQ(checked.ok(), allowed) << static_cast<int>(kind);
    if (allowed) continue;
    EXPECT_TRUE(says(checked.error().message, "a mesh or a heightfield must be static"));
  }
}

TEST(AMesh, HasNoMoreTrianglesThanThePhysicsEngineCanNumber) {
  MeshSource source = square();
  source.triangles.resize((std::size_t{1} << 21) + 1, source.triangles[0]);
  EXPECT_TRUE(says(Mesh::make(source).error().message, "at most 2097152 triangles"));
  source.triangles.resize((std::size_t{1} << 20) + 1);
  source.two_sided = true;
  EXPECT_TRUE(says(Mesh::make(source).error().message, "at most 1048576 triangles with two sides"));
}

TEST(AMesh, IsPartOfTheSchema) {
  const auto schema = [](const MeshSource& source) {
    std::vector<EntityType> types(1);
    types[0].shape = make_shape({}, mesh_of(source));
    StateHash hash;
    add_types(hash, types);
    return hash.value();
  };
  MeshSource source = square();
  const std::uint64_t before = schema(source);
  EXPECT_EQ(schema(source), before);
  for (const std::size_t corner : {0U, 3U}) source.corners[corner].y = 0.001F;
  EXPECT_NE(schema(source), before);
}

}  // namespace
}  // namespace perigee::world
