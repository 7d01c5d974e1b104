/// A heightfield is refused with a reason, or it has the triangles, edges and rays of the same
/// mesh.
#include "perigee/world/heightfield.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <map>

#include "heightfields.hpp"
#include "perigee/world/entity_type.hpp"
#include "perigee/world/ray.hpp"
#include "perigee/world/schema.hpp"

namespace perigee::world {
namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

/// Hills with ridges and cliffs, of 24 x 17 cells with some holes.
HeightfieldSource rugged(Diagonals diagonals) {
  HeightfieldSource out{.columns = 25,
                        .rows = 18,
                        .spacing_m = 0.75,
                        .height_step_m = 1.0 / 256,
                        .low_m = -3,
                        .diagonals = diagonals};
  Random random(12);
  for (std::uint32_t i = 0; i < 25 * 18; ++i) {
    const std::uint32_t kind = i / 5 % 3;
    const std::uint32_t height = kind == 0 ? 700 : kind == 1 ? 650 + i : random.below(1'400);
    out.heights.push_back(static_cast<std::uint16_t>(height));
  }
  out.cells.assign(24 * 17, 0);
  for (const std::size_t cell : {0U, 1U, 30U, 31U, 55U, 200U, 407U}) {
    out.cells[cell] = Heightfield::hole;
  }
  return out;
}

struct BrokenField {
  const char* says;
  std::function<void(HeightfieldSource&)> breaks;
};

TEST(AHeightfield, IsRefusedWithTheNumberThatIsWrong) {
  const BrokenField all[] = {
      {"has 1 x 18 samples: it needs 2 to 8193", [](auto& s) { s.columns = 1; }},
      {"has 25 x 0 samples", [](auto& s) { s.rows = 0; }},
      {"has 4294967295 x 18 samples", [](auto& s) { s.columns = 0xffffffff; }},
      {"has 25 x 18 samples, but 449 heights", [](auto& s) { s.heights.pop_back(); }},
      {"samples every 0 m", [](auto& s) { s.spacing_m = 0; }},
      {"samples every nan m", [](auto& s) { s.spacing_m = not_a_number; }},
      {"samples every 3000 m: they have to be", [](auto& s) { s.spacing_m = 3'000; }},
      {"in steps of 0 m", [](auto& s) { s.height_step_m = 0; }},
      {"in steps of -1 m", [](auto& s) { s.height_step_m = -1; }},
      {"in steps of nan m", [](auto& s) { s.height_step_m = not_a_number; }},
      {"in steps of 0.6 m: the step", [](auto& s) { s.height_step_m = 0.6; }},
      {"heights from nan m", [](auto& s) { s.low_m = not_a_number; }},
      {"heights from -40000 m", [](auto& s) { s.low_m = -40'000; }},
      {"diagonals of an unknown kind, 3", [](auto& s) { s.diagonals = static_cast<Diagonals>(3); }},
      {"holes of 407 cells, but 408 cells", [](auto& s) { s.cells.pop_back(); }},
      {"holes of 0 cells",
       [](auto& s) {
         s.cells.clear();
         s.materials = {{}};
       }},
      {"cell in column 2, row 1 has material 3, but there are only 2 materials",
       [](auto& s) {
         s.materials = {{}, {}};
         s.cells[26] = 3;
       }},
      {"friction 11", [](auto& s) { s.materials = {{1, 11}}; }},
      {"friction nan",
       [](auto& s) { s.materials = {{1, std::numeric_limits<float>::quiet_NaN()}}; }},
      {"more than 255 materials", [](auto& s) { s.materials.resize(256); }},
      {"holes only", [](auto& s) { s.cells.assign(s.cells.size(), Heightfield::hole); }}};
  for (const BrokenField& each : all) {
    HeightfieldSource source = rugged(Diagonals::Falling);
    each.breaks(source);
    const auto made = Heightfield::make(source);
    ASSERT_FALSE(made.ok()) << each.says;
    EXPECT_THAT(made.error().message, testing::HasSubstr(each.says));
  }
  EXPECT_TRUE(Heightfield::make(rugged(Diagonals::Falling)).ok());
}

TEST(AHeightfield, HasTheTrianglesAndEdgesOfTheSameMesh) {
  for (const Diagonals diagonals : all_diagonals) {
    const HeightfieldPtr field = field_of(rugged(diagonals));
    const MeshPtr mesh = mesh_of(mesh_source_of(*field));
    ASSERT_EQ(mesh->triangles().size(), field->triangle_count());
    std::map<std::array<double, 9>, std::uint8_t> of_mesh;
    const auto key = [](const Triangle& t) {
      std::array<double, 9> out{};
      for (std::size_t i = 0; i < 3; ++i) {
        out[3 * i] = t.corner[i].x;
        out[3 * i + 1] = t.corner[i].y;
        out[3 * i + 2] = t.corner[i].z;
      }
      return out;
    };
    for (std::uint32_t i = 0; i < mesh->triangles().size(); ++i) {
      of_mesh[key(mesh->triangle(i))] = mesh->edges(i);
    }
    std::size_t visited = 0;
    std::array<int, 10> kinds{};
    field->for_each_near(field->bounds(), [&](const Facet& facet) {
      ++visited;
      const Triangle t = field->triangle(facet.index);
      for (int i = 0; i < 3; ++i) ASSERT_EQ(t.corner[i], facet.corner[i]);
      ASSERT_EQ(t.bounds, facet.bounds);
      ASSERT_EQ(t.edges, facet.edges);
      ASSERT_GT(t.normal.y, 0);
      const auto same = of_mesh.find(key(t));
      ASSERT_NE(same, of_mesh.end()) << t.index;
      ASSERT_EQ(int{t.edges}, int{same->second}) << t.index;
      for (int i = 0; i < 3; ++i) ++kinds.at(Mesh::edge_of(t.edges, i));
    });
    EXPECT_EQ(visited, of_mesh.size());
    for (const std::size_t kind : {std::size_t{0}, std::size_t{Mesh::gentle_edge},
                                   std::size_t{Mesh::border}, std::size_t{Mesh::sharp_edge}}) {
      EXPECT_GT(kinds.at(kind), 10) << kind;
    }
  }
}

TEST(AHeightfield, FindsWhatOverlapsAQuery) {
  const HeightfieldPtr field = field_of(rugged(Diagonals::Alternating));
  std::vector<Triangle> all;
  field->for_each_near(field->bounds(),
                       [&](const Facet& facet) { all.push_back(field->triangle(facet.index)); });
  Random random(8);
  for (int i = 0; i < 500; ++i) {
    const Vec3 at{random.between(-12, 12), random.between(-4, 4), random.between(-9, 9)};
    const Bounds query = inflated({at, at}, random.between(0.01, 4));
    std::vector<std::uint32_t> expected;
    for (const Triangle& each : all) {
      if (overlap(each.bounds, query)) expected.push_back(each.index);
    }
    std::vector<std::uint32_t> found;
    field->for_each_near(query, [&](const Facet& facet) {
      if (overlap(facet.bounds, query)) found.push_back(facet.index);
    });
    ASSERT_EQ(found, expected) << "in the order of all, query " << i;
  }
  const double infinite = std::numeric_limits<double>::infinity();
  int visits = 0;
  const auto count = [&](std::uint32_t, std::uint32_t) { ++visits; };
  for (const double value : {not_a_number, infinite, 1e300}) {
    field->for_each_cell_near({{value, 0, 0}, {value, 1, 1}}, count);
    field->for_each_cell_near({{0, 0, -value}, {1, 1, -value}}, count);
  }
  EXPECT_EQ(visits, 0);
  field->for_each_cell_near({{-infinite, -infinite, -infinite}, {infinite, infinite, infinite}},
                            count);
  EXPECT_EQ(visits, 24 * 17 - 7);
}

TEST(AHeightfield, StopsTheRaysThatTheSameMeshStops) {
  const HeightfieldPtr fields[] = {field_of(rugged(Diagonals::Rising)),
                                   field_of(100, 0.5, hills, Diagonals::Falling)};
  Random random(5);
  int hits = 0;
  for (const HeightfieldPtr& field : fields) {
    const MeshPtr mesh = mesh_of(mesh_source_of(*field));
    const auto check = [&](const Vec3& from, const Vec3& way, double range_m) {
      const auto expected = mesh->cast_ray(from, way, range_m);
      const auto found = field->cast_ray(from, way, range_m);
      ASSERT_EQ(found.has_value(), expected.has_value());
      if (!found) return;
      ++hits;
      ASSERT_NEAR(found->away_m, expected->away_m, 1e-9);
    };
    for (int i = 0; i < 3'000; ++i) {
      const Vec3 from{random.between(-30, 30), random.between(-4, 8), random.between(-30, 30)};
      const Vec3 to{random.between(-12, 12), random.between(-3, 3), random.between(-8, 8)};
      check(from, normalized(to - from), random.between(1, 80));
    }
    for (int i = 0; i < 400; ++i) {
      const Vec3 from{(random.below(30) - 15.0) * 0.25, 9, (random.below(30) - 15.0) * 0.25};
      check(from, {0, -1, 0}, 30);
      check({from.x, random.between(-1, 2), -40}, {0, 0, 1}, 90);
      check({40, random.between(-1, 2), from.z}, {-1, 0, 0}, 90);
    }
  }
  EXPECT_GT(hits, 2'000);
  const auto shape = make_shape(fields[1]);
  EXPECT_TRUE(cast_ray(*shape, {0.1, 9, 0.2}, {0, -1, 0}, 30));
  EXPECT_FALSE(cast_ray(*shape, {0.1, -9, 0.2}, {0, 1, 0}, 30)) << "from behind";
}

TEST(AHeightfield, HasTheSameHashFromTheSameSourceOnly) {
  const HeightfieldSource first = rugged(Diagonals::Falling);
  const std::uint64_t hash = field_of(first)->hash();
  EXPECT_EQ(field_of(first)->hash(), hash);
  EXPECT_EQ(field_of(field_of(first)->source())->hash(), hash);
  const std::function<void(HeightfieldSource&)> changes[] = {
      [](auto& s) { ++s.heights[449]; },
      [](auto& s) { s.cells[300] = Heightfield::hole; },
      [](auto& s) { s.diagonals = Diagonals::Alternating; },
      [](auto& s) { s.spacing_m = 0.76; },
      [](auto& s) { s.height_step_m = 0.004; },
      [](auto& s) { s.low_m = -2; },
      [](auto& s) { s.materials = {{1, 0.6F}}; },
      [](auto& s) { s.materials = {{0, 0.5F}}; }};
  std::vector<std::uint64_t> hashes{hash};
  for (const auto& change : changes) {
    HeightfieldSource source = first;
    change(source);
    const HeightfieldPtr field = field_of(source);
    EXPECT_THAT(hashes, testing::Not(testing::Contains(field->hash())));
    hashes.push_back(field->hash());
    std::vector<EntityType> types{{.name = "ground", .shape = make_shape(field)}};
    StateHash schema;
    add_types(schema, types);
    types[0].shape = make_shape(field_of(first));
    StateHash other;
    add_types(other, types);
    EXPECT_NE(schema.value(), other.value());
  }
  EXPECT_EQ(hash, 6703274836862346502ULL) << "on every machine";
}

TEST(AHeightfield, TakesLessThanTwoBytesATriangle) {
  const HeightfieldPtr field = field_of(224, 1, hills);
  const double triangles = static_cast<double>(field->triangle_count());
  EXPECT_GT(triangles, 100'000);
  EXPECT_LT(static_cast<double>(field->memory_bytes()) / triangles, 1.6);
}

TEST(AHeightfield, IsForStaticsAndScheduledObjects) {
  EntityType type{.name = "hill", .kind = EntityKind::Body, .shape = make_shape(field_of(4, 1))};
  EXPECT_THAT(check(std::span(&type, 1)).error().message,
              testing::HasSubstr("a mesh or a heightfield must be static"));
  type.kind = EntityKind::Static;
  EXPECT_TRUE(check(std::span(&type, 1)).ok()) << check(std::span(&type, 1)).error().message;
}

}  // namespace
}  // namespace perigee::world
