// Levels as files: a reader refuses everything that the writer has not written.
#include "perigee/level/level.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <limits>

#include "levels.hpp"
#include "perigee/level/static_entities.hpp"
#include "perigee/world/schema.hpp"

namespace perigee::level {
namespace {

using testing::HasSubstr;
using Bytes = std::vector<std::byte>;

constexpr std::size_t version_at = 16;
std::string refusal(const LevelSource& source) {
  const auto written = write_level(source);
  return written.ok() ? "written" : written.error().message;
}

TEST(ALevel, IsReadAsItWasWritten) {
  const LevelSource source = courtyard();
  const auto level = read_level(bytes_of(source));
  ASSERT_TRUE(level.ok()) << level.error().message;
  ASSERT_EQ(level->meshes.size(), 2U);
  EXPECT_EQ(level->meshes[0].name, "floor");
  EXPECT_EQ(level->meshes[0].mesh->triangles().size(), 8U);
  EXPECT_EQ(level->meshes[1].mesh->triangles().size(), 4U) << "two fronts";
  ASSERT_EQ(level->materials.size(), 2U);
  EXPECT_EQ(level->materials[1].name, "ice");
  EXPECT_EQ(level->materials[1].made_of.surface, 2);
  EXPECT_EQ(level->materials[1].made_of.friction, 0.05F);
  for (std::uint32_t i = 0; i < 8; ++i) {
    const world::Triangle each = level->meshes[0].mesh->triangle(i);
    const bool ice = each.bounds.low.x >= 0 && each.bounds.low.z >= 0;
    const bool mixed = each.bounds.low.x >= 0 && each.bounds.low.z < 0;
    if (!mixed) {
      EXPECT_EQ(level->meshes[0].mesh->surface(i), ice ? 2 : 1) << i;
    }
  }
  ASSERT_EQ(level->hulls.size(), 1U);
  EXPECT_EQ(level->hulls[0].hull->planes().size(), 5U);
  ASSERT_EQ(level->heightfields.size(), 1U);
  const world::Heightfield& hill = *level->heightfields[0].heightfield;
  EXPECT_EQ(hill.source().heights, source.heightfields[0].source.heights);
  EXPECT_EQ(hill.source().cells, source.heightfields[0].source.cells);
  EXPECT_EQ(hill.height_m(1, 1), -1 + 9 * 0.25);
  EXPECT_EQ(hill.place(0, 0), (Vec3{-3, 0, -2}));
  EXPECT_EQ(hill.surface(hill.index(1, 0)), 2);
  EXPECT_EQ(level->shape_name(0), "floor");
  EXPECT_EQ(level->shape_name(2), "ramp");
  EXPECT_EQ(level->shape_name(3), "hill");
  ASSERT_EQ(level->instances.size(), 5U);
  EXPECT_EQ(level->instances[2].name, "fence.001");
  EXPECT_EQ(level->instances[2].shape, 1U);
  EXPECT_EQ(level->instances[2].pose, source.instances[2].pose);
  ASSERT_NE(level->point("spawn.001"), nullptr);
  EXPECT_EQ(level->point("spawn.001")->pose, source.points[1].pose);
  EXPECT_EQ(level->point("spawn.002"), nullptr);
  EXPECT_EQ(level->points_like("spawn").size(), 2U);
  EXPECT_EQ(level->points_like("flag").size(), 0U);
}

TEST(ALevel, IsWrittenAgainWithTheSameMeshes) {
  const auto level = read_level(bytes_of(courtyard()));
  const auto again = read_level(bytes_of(source_of(*level)));
  ASSERT_TRUE(again.ok()) << again.error().message;
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(again->meshes[i].mesh->hash(), level->meshes[i].mesh->hash());
  }
  EXPECT_EQ(again->hulls[0].hull->hash(), level->hulls[0].hull->hash());
  EXPECT_EQ(again->heightfields[0].heightfield->hash(), level->heightfields[0].heightfield->hash());
}

TEST(ALevel, OfTheFirstFormatHasNoHeightfields) {
  LevelSource source = courtyard();
  source.heightfields.clear();
  source.instances.pop_back();
  source.points.clear();
  const auto expected = read_level(bytes_of(source));
  ASSERT_TRUE(expected.ok());
  Bytes bytes = bytes_of(source);
  source.instances.clear();
  // Without instances and points, the three counts of 0 at the end are those of heightfields and of
  // both.
  const std::size_t heightfields_at = bytes_of(source).size() - 12;
  const auto at = bytes.begin() + static_cast<std::ptrdiff_t>(heightfields_at);
  bytes.erase(at, at + 4);
  bytes = sealed_level(std::move(bytes));
  EXPECT_FALSE(read_level(bytes).ok()) << "not in the new format";
  bytes[version_at] = std::byte{1};
  const auto old = read_level(bytes);
  ASSERT_TRUE(old.ok()) << old.error().message;
  EXPECT_EQ(old->meshes[0].mesh->hash(), expected->meshes[0].mesh->hash());
  EXPECT_EQ(old->hulls.size(), 1U);
  EXPECT_EQ(old->instances.size(), 4U);
  EXPECT_TRUE(old->heightfields.empty());
}

TEST(ALevel, BeginsWithItsLiteralBytes) {
  LevelSource source;
  source.materials = {{"ice", {0x0102, 0.5F}}};
  source.points = {{"p", {{1, 0, 0}, {}}}};
  const Bytes bytes = bytes_of(source);
  const unsigned char expected[] = {'p', 'e', 'r',  'i',  'g', 'e', 'e', ' ', 'l', 'e', 'v', 'e',
                                    'l', ' ', '\n', 0x1a,  //
                                    2,   0,   0,    0,    92,  0,   0,   0,   0,   0,   0,   0};
  EXPECT_EQ(std::memcmp(bytes.data(), expected, sizeof expected), 0);
  const unsigned char contents[] = {1, 0, 0, 0, 3, 'i',  'c',  'e',
                                    2, 1, 0, 0, 0, 0x3f,              // material
                                    0, 0, 0, 0, 0, 0,    0,    0,     // no mesh, no hull
                                    0, 0, 0, 0, 0, 0,    0,    0,     // no heightfield, no instance
                                    1, 0, 0, 0, 1, 'p',               // a point
                                    0, 0, 0, 0, 0, 0,    0xf0, 0x3f,  // x = 1
                                    0, 0, 0, 0, 0, 0,    0,    0};
  EXPECT_EQ(std::memcmp(bytes.data() + level_head_bytes, contents, sizeof contents), 0);
  EXPECT_EQ(bytes.size(), level_head_bytes + 92);
}

TEST(ALevel, IsRefusedWhereverItIsCutOff) {
  const Bytes whole = bytes_of(courtyard());
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const Bytes cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
    const auto level = read_level(cut);
    ASSERT_FALSE(level.ok()) << size;
    EXPECT_FALSE(level.error().message.empty());
    if (size < level_head_bytes) continue;
    EXPECT_THAT(level.error().message, HasSubstr("bytes of contents"));
    ASSERT_FALSE(read_level(sealed_level(cut)).ok()) << size;
  }
  Bytes longer = whole;
  longer.push_back({});
  EXPECT_FALSE(read_level(longer).ok());
  EXPECT_THAT(read_level(sealed_level(longer)).error().message, HasSubstr("behind its end"));
}

TEST(ALevel, IsRefusedWithAnyFlippedBit) {
  const Bytes whole = bytes_of(courtyard());
  for (std::size_t bit = 0; bit < whole.size() * 8; ++bit) {
    Bytes flipped = whole;
    flipped[bit / 8] ^= static_cast<std::byte>(1 << bit % 8);
    ASSERT_FALSE(read_level(flipped).ok()) << bit;
  }
}

TEST(ALevel, OfAnotherFormatNamesBoth) {
  Bytes bytes = bytes_of(courtyard());
  bytes[version_at] = std::byte{9};
  EXPECT_THAT(read_level(bytes).error().message, HasSubstr("format 9"));
  bytes[0] = std::byte{'P'};
  EXPECT_THAT(read_level(bytes).error().message, HasSubstr("not a level"));
  EXPECT_FALSE(read_level({}).ok());
}

TEST(ALevel, TakesNoMemoryForCountsThatCannotBeTrue) {
  LevelSource none;
  none.materials = {{"m", {}}};
  const Bytes small = bytes_of(none);
  // The numbers of materials, meshes, hulls, heightfields, instances and points of this file.
  for (const std::size_t at : {0U, 12U, 16U, 20U, 24U, 28U}) {
    Bytes bytes = small;
    std::memset(bytes.data() + level_head_bytes + at, 0xff, 4);
    EXPECT_THAT(read_level(sealed_level(bytes)).error().message, HasSubstr("number of parts"));
  }
}

struct Broken {
  const char* says;
  std::function<void(LevelSource&)> breaks;
};

TEST(ALevel, NamesThePartThatIsWrong) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const Broken all[] = {
      {"mesh 'floor': triangle 3 of the mesh has corner 99",
       [](LevelSource& s) { s.meshes[0].source.triangles[3][1] = 99; }},
      {"mesh 'fence': triangle", [](LevelSource& s) { s.meshes[1].source.corners[1] = {}; }},
      {"mesh 0", [&](LevelSource& s) { s.meshes[0].source.corners[2].y = nan; }},
      {"mesh 'floor': the mesh has no triangle",
       [](LevelSource& s) {
         s.meshes[0].source.triangles.clear();
         s.meshes[0].source.material_of.clear();
       }},
      {"mesh 'floor': triangle 2 of the mesh has material 7",
       [](LevelSource& s) { s.meshes[0].source.material_of[2] = 7; }},
      {"mesh 'fence': 1 of its 2 triangles",
       [](LevelSource& s) { s.meshes[1].source.material_of.pop_back(); }},
      {"friction -1", [](LevelSource& s) { s.materials[0].made_of.friction = -1; }},
      {"two materials of the level are named 'ice'",
       [](LevelSource& s) { s.materials[0].name = "ice"; }},
      {"two meshes of the level are named 'fence'",
       [](LevelSource& s) { s.meshes[0].name = "fence"; }},
      {"two points of the level are named 'spawn'",
       [](LevelSource& s) { s.points[1].name = "spawn"; }},
      {"two instances", [](LevelSource& s) { s.instances[1].name = "floor"; }},
      {"instance 'fence' has shape 4", [](LevelSource& s) { s.instances[1].shape = 4; }},
      {"heightfield 'hill': it has 4 x 3 samples, at least 2 x 2, but 11 heights",
       [](LevelSource& s) { s.heightfields[0].source.heights.pop_back(); }},
      {"heightfield 'hill': it has 1 x 12",
       [](LevelSource& s) {
         s.heightfields[0].source.columns = 1;
         s.heightfields[0].source.rows = 12;
       }},
      {"heightfield 'hill': 5 of its 6 cells",
       [](LevelSource& s) { s.heightfields[0].source.cells.pop_back(); }},
      {"heightfield 'hill': the heightfield's cell in column 1, row 0 has material 7",
       [](LevelSource& s) { s.heightfields[0].source.cells[1] = 7; }},
      {"heightfield 'hill': the heightfield has samples every 0 m",
       [](LevelSource& s) { s.heightfields[0].source.spacing_m = 0; }},
      {"heightfield 0 of the level cannot be read",
       [&](LevelSource& s) { s.heightfields[0].source.low_m = double{nan}; }},
      {"heightfield 'a\\u{a}b': its name", [](LevelSource& s) { s.heightfields[0].name = "a\nb"; }},
      {"heightfield 'hill': its diagonals are of an unknown kind",
       [](LevelSource& s) {
         s.heightfields[0].source.diagonals = static_cast<world::Diagonals>(9);
       }},
      {"two heightfields", [](LevelSource& s) { s.heightfields.push_back(s.heightfields[0]); }},
      {"hull 'ramp': the hull has 3 corners", [](LevelSource& s) { s.hulls[0].corners.resize(3); }},
      {"hull 'ramp' cannot", [](LevelSource& s) { s.hulls[0].corners.resize(65); }},
      {"hull 'ramp': the hull is flat",
       [](LevelSource& s) {
         for (Vec3f& corner : s.hulls[0].corners) corner.y = 0;
       }},
      {"two hulls", [](LevelSource& s) { s.hulls.push_back(s.hulls[0]); }},
      {"instance 'fence' cannot", [](LevelSource& s) { s.instances[1].pose.position.x = 2e6; }},
      {"point 'spawn' cannot", [](LevelSource& s) { s.points[0].pose.rotation.w = 2; }},
      {"point '' cannot", [](LevelSource& s) { s.points[0].name.clear(); }},
      {"cannot be written", [](LevelSource& s) { s.points[0].name = "two\nlines"; }},
      {"cannot be written", [](LevelSource& s) { s.materials[0].name = std::string(65, 'x'); }},
      {"UTF-8", [](LevelSource& s) { s.points[0].name = "caf\xe9"; }},
      {"point '\\x{e2}\\x{82}' cannot", [](LevelSource& s) { s.points[0].name = "\xe2\x82"; }},
      {"UTF-8", [](LevelSource& s) { s.meshes[0].name = "\xed\xa0\x80"; }},
      {"instance '\\u{9b}2J' cannot",
       [](LevelSource& s) {
         s.instances[0].name =
             "\xc2\x9b"
             "2J";
       }},
      {"control characters", [](LevelSource& s) { s.hulls[0].name = "\x7f"; }},
      {"mesh '", [](LevelSource& s) { s.meshes[0].name = std::string(300, 'x'); }},
  };
  for (const Broken& each : all) {
    LevelSource source = courtyard();
    each.breaks(source);
    EXPECT_THAT(refusal(source), HasSubstr(each.says));
  }
}

TEST(ALevel, HasNamesOfPlainText) {
  for (const char* name : {"a", "Gr\xc3\xa4s", "\xe6\xa3\xae", "\xf0\x9f\x8c\xb2 1", "\xc2\xa0"}) {
    EXPECT_TRUE(is_name(name)) << name;
    LevelSource source = courtyard();
    source.points[0].name = name;
    EXPECT_NE(read_level(bytes_of(source))->point(name), nullptr) << name;
  }
  for (const char* name : {"", "\x1f", "\x7f", "\xc2\x80", "\xc2\x9f", "\x80", "\xc0\xaf", "\xff",
                           "\xf4\x90\x80\x80", "a\xe6\xa3"}) {
    EXPECT_FALSE(is_name(name));
  }
  EXPECT_FALSE(is_name(std::string_view("\0", 1)));
  EXPECT_TRUE(is_name(std::string(64, 'x')));
  EXPECT_FALSE(is_name(std::string(65, 'x')));
}

TEST(ALevel, IsRefusedWithANameThatIsNoText) {
  LevelSource source = courtyard();
  source.points = {{"spawnspawn", {}}};
  const Bytes whole = bytes_of(source);
  const std::string_view text(reinterpret_cast<const char*>(whole.data()), whole.size());
  const std::size_t at = text.find("spawnspawn");
  for (const std::string_view wrong : {"\xc2\x9b", "\xff\xfe", "\x1b[", "\xc3", "\xed\xa0\x80"}) {
    Bytes changed = whole;
    std::memcpy(changed.data() + at, wrong.data(), wrong.size());
    EXPECT_THAT(read_level(sealed_level(changed)).error().message, HasSubstr("unusable name"));
  }
}

TEST(ALevel, ShowsAnyNameInAMessage) {
  EXPECT_EQ(shown_name("\x1b[2Jx"), "\\u{1b}[2Jx");
  EXPECT_EQ(shown_name("tile"), "tile");
  EXPECT_EQ(shown_name(std::string(70, 'n')), std::string(64, 'n') + "...");
  const std::string wide = std::string(62, 'n') + "\xe6\xa3\xae and more";
  EXPECT_EQ(shown_name(wide), std::string(62, 'n') + "...") << "cut between characters";
  EXPECT_EQ(shown_name(std::string(70, '\xff')).size(), 64 * 6 + 3U);
}

TEST(ALevel, HasNoMoreShapesThanATableHasRows) {
  LevelSource source;
  const auto ramp = courtyard().hulls[0].corners;
  for (int i = 0; i < 254; ++i) source.hulls.push_back({"ramp " + std::to_string(i), ramp});
  const auto level = read_level(bytes_of(source));
  ASSERT_TRUE(level.ok()) << level.error().message;
  const auto types = static_types(*level, 1);
  ASSERT_TRUE(types.ok()) << types.error().message;
  EXPECT_EQ(types->back().id, 254);
  EXPECT_THAT(static_types(*level, 2).error().message, HasSubstr("only 253 rows from type 2"));
  source.hulls.push_back({"one more", ramp});
  EXPECT_THAT(refusal(source), HasSubstr("than 254"));
}

TEST(ALevel, MakesTypesWithDifferentSchemaHashesForDifferentTriangles) {
  const auto hash_of_types = [](const LevelSource& source) {
    const auto level = read_level(bytes_of(source));
    StateHash hash;
    add_types(hash, *static_types(*level, 3));
    return hash.value();
  };
  LevelSource source = courtyard();
  const std::uint64_t first = hash_of_types(source);
  EXPECT_EQ(hash_of_types(source), first);
  source.meshes[0].source.corners[0].y += 0.01F;
  EXPECT_NE(hash_of_types(source), first);
  source = courtyard();
  source.heightfields[0].source.heights[7] += 1;
  EXPECT_NE(hash_of_types(source), first);
  source = courtyard();
  source.materials[1].made_of.friction = 0.06F;
  EXPECT_NE(hash_of_types(source), first);
}

TEST(ALevel, HasAHashOfItsPlacesToo) {
  LevelSource source = courtyard();
  const std::uint64_t first = read_level(bytes_of(source))->hash;
  source.points[0].pose.position.x += 1;
  EXPECT_NE(read_level(bytes_of(source))->hash, first);
}

TEST(ALevel, MakesARowForEachShape) {
  const auto level = read_level(bytes_of(courtyard()));
  const auto types = static_types(*level, 3).value();
  ASSERT_EQ(types.size(), 4U);
  EXPECT_EQ(types[3].shape->heightfield(), level->heightfields[0].heightfield);
  EXPECT_EQ(types[3].name, "hill");
  ASSERT_EQ(types[2].shape->hulls().size(), 1U);
  EXPECT_EQ(types[2].shape->hulls()[0], level->hulls[0].hull);
  EXPECT_EQ(types[1].id, 4);
  EXPECT_EQ(types[1].name, "fence");
  EXPECT_EQ(types[1].kind, world::EntityKind::Static);
  EXPECT_EQ(types[1].shape->mesh(), level->meshes[1].mesh);
}

}  // namespace
}  // namespace perigee::level
