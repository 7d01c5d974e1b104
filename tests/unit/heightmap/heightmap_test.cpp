/// Heightmaps of editors become heightfields of a level, or a sentence says why not.
#include "perigee/heightmap/heightmap.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "pngs.hpp"

namespace perigee::heightmap {
namespace {

using testing::HasSubstr;

TEST(AHeightmap, IsReadFromAPngToTheLastBit) {
  const auto heights = counted<std::uint16_t>(13, 7, 719);
  for (const int interlace : {PNG_INTERLACE_NONE, PNG_INTERLACE_ADAM7}) {
    for (const double gamma : {0.0, 0.45455, 1.0}) {
      const auto read = read_png(png_of(13, 7, heights, {.interlace = interlace, .gamma = gamma}));
      ASSERT_TRUE(read.ok()) << read.error().message;
      EXPECT_EQ(read->columns, 13U);
      EXPECT_EQ(read->rows, 7U);
      EXPECT_EQ(read->values, heights);
    }
  }
}

TEST(AHeightmap, OfAnotherKindIsRefused) {
  const auto refusal = [](const Bytes& bytes) {
    const auto read = read_png(bytes);
    return read.ok() ? "read" : read.error().message;
  };
  EXPECT_THAT(refusal(png_of(4, 4, counted<std::uint8_t>(4, 4, 9), {.bits = 8})),
              HasSubstr("8 bits a pixel"));
  EXPECT_THAT(
      refusal(png_of(4, 4, counted<std::uint16_t>(12, 4, 9), {.colours = PNG_COLOR_TYPE_RGB})),
      HasSubstr("colours or transparency"));
  EXPECT_THAT(refusal(png_of(9'000, 2, counted<std::uint16_t>(9'000, 2, 1))),
              HasSubstr("9000 x 2 pixels: divide it"));
  EXPECT_THAT(refusal({}), HasSubstr("no PNG"));
  EXPECT_THAT(refusal(Bytes(100)), HasSubstr("no PNG"));
}

TEST(AHeightmap, ThatIsDamagedIsRefusedOrReadButNeverMore) {
  const Bytes whole = png_of(13, 7, counted<std::uint16_t>(13, 7, 719));
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const auto read = read_png(std::span(whole).first(size));
    ASSERT_FALSE(read.ok()) << size;
    ASSERT_THAT(read.error().message, HasSubstr(size < 8 ? "no PNG" : "damaged")) << size;
  }
  int refused = 0;
  for (std::size_t bit = 0; bit < whole.size() * 8; ++bit) {
    Bytes flipped = whole;
    flipped[bit / 8] ^= static_cast<std::byte>(1 << bit % 8);
    const auto read = read_png(flipped);
    if (read.ok()) {
      ASSERT_EQ(read->values.size(), 13 * 7U);
    } else {
      ++refused;
      ASSERT_FALSE(read.error().message.empty());
    }
  }
  EXPECT_GT(refused, static_cast<int>(whole.size() * 8) - 70) << "but for a flag of some chunks";
}

TEST(AHeightmap, IsReadFromRawNumbers) {
  const auto heights = counted<std::uint16_t>(6, 6, 1'001);
  Bytes bytes(72);
  std::memcpy(bytes.data(), heights.data(), bytes.size());
  for (const std::uint32_t columns : {0U, 6U, 9U, 36U}) {
    const auto read = read_raw(bytes, columns);
    ASSERT_TRUE(read.ok()) << read.error().message;
    EXPECT_EQ(read->columns, columns == 0 ? 6 : columns);
    EXPECT_EQ(read->columns * read->rows, 36U);
    EXPECT_EQ(read->values, heights);
  }
  EXPECT_THAT(read_raw(bytes, 7).error().message, HasSubstr("72 bytes, which are no rows of 7"));
  EXPECT_THAT(read_raw({}, 0).error().message, HasSubstr("0 bytes"));
  EXPECT_THAT(read_raw(std::span(bytes).first(70), 0).error().message, HasSubstr("--columns"));
  EXPECT_THAT(read_raw(std::span(bytes).first(71), 0).error().message, HasSubstr("71 bytes"));
  EXPECT_THAT(read_raw(Bytes(40'000), 20'000).error().message, HasSubstr("20000 x 1 samples"));
}

level::LevelSource with_floor() {
  level::LevelSource out;
  out.meshes.push_back({"floor", {}});
  out.meshes[0].source.corners = {{0, 0, 0}, {0, 0, 1}, {1, 0, 1}};
  out.meshes[0].source.triangles = {{0, 1, 2}};
  return out;
}

const Options plain{.name = "hill", .spacing_m = 2, .height_m = 65.535, .low_m = -3};

level::Level level_of(const level::LevelSource& source) {
  const auto bytes = level::write_level(source);
  PERIGEE_ASSERT(bytes.ok(), "a usable level");
  return level::read_level(*bytes).value();
}

TEST(AHeightmap, BecomesAHeightfieldAndAnInstance) {
  level::LevelSource source = with_floor();
  Options options = plain;
  options.middle_x_m = 40;
  options.middle_z_m = -8;
  ASSERT_FALSE(add_heightfield(source, {4, 3, counted<std::uint16_t>(4, 3, 100)}, {}, options));
  const level::Level level = level_of(source);
  const world::Heightfield& field = *level.heightfields.at(0).heightfield;
  EXPECT_EQ(level.heightfields[0].name, "hill");
  EXPECT_NEAR(field.height_m(1, 1), -3 + 0.5, 1e-9);
  EXPECT_EQ(field.triangle_count(), 12U);
  ASSERT_EQ(level.instances.size(), 1U);
  EXPECT_EQ(level.instances[0].shape, 1U);
  EXPECT_EQ(level.instances[0].pose.position, (Vec3{40, 0, -8}));
  EXPECT_TRUE(level.materials.empty());
}

TEST(AHeightmap, HasMaterialsBehindThoseOfTheLevel) {
  Options options = plain;
  options.materials = {{"grass", {1, 0.8F}}, {"ice", {2, 0.05F}}};
  const Indices of_cells{3, 2, {0, 1, 255, 1, 1, 0}};
  const Indices of_samples{4, 3, {0, 1, 255, 7, 1, 1, 0, 7, 7, 7, 7, 7}};
  for (const Indices& indices : {of_cells, of_samples}) {
    level::LevelSource source = with_floor();
    ASSERT_FALSE(
        add_heightfield(source, {4, 3, counted<std::uint16_t>(4, 3, 1)}, indices, options));
    const level::Level level = level_of(source);
    ASSERT_EQ(level.materials.size(), 3U) << "one for the mesh";
    const world::Heightfield& field = *level.heightfields.at(0).heightfield;
    EXPECT_EQ(field.surface(field.index(0, 0)), 1);
    EXPECT_EQ(field.surface(field.index(1, 0)), 2);
    EXPECT_TRUE(field.is_hole(2, 0));
    EXPECT_EQ(field.surface(field.index(2, 1)), 1);
    EXPECT_EQ(level.meshes[0].mesh->surface(0), 0);
  }
  level::LevelSource source = with_floor();
  source.materials = {{"wood", {5, 0.4F}}};
  source.meshes[0].source.material_of = {0};
  ASSERT_FALSE(add_heightfield(source, {2, 2, {1, 2, 3, 4}}, {}, plain));
  EXPECT_EQ(level_of(source).materials.at(1).name, "hill") << "each cell needs one";
}

TEST(AHeightmap, HasHolesAtAValue) {
  level::LevelSource source;
  Options options = plain;
  options.hole = 65'535;
  ASSERT_FALSE(
      add_heightfield(source, {4, 3, {5, 6, 7, 8, 5, 6, 7, 65'535, 5, 6, 7, 8}}, {}, options));
  const level::Level level = level_of(source);
  const world::Heightfield& field = *level.heightfields.at(0).heightfield;
  EXPECT_TRUE(field.is_hole(2, 0));
  EXPECT_TRUE(field.is_hole(2, 1));
  EXPECT_FALSE(field.is_hole(1, 1));
  EXPECT_EQ(field.triangle_count(), 8U);
  EXPECT_NEAR(field.bounds().high.y, -3 + 0.008, 1e-9) << "not as high as the hole's value";
}

TEST(AHeightmap, ThatDoesNotFitIsRefused) {
  const auto refusal = [](const Options& options, const Heights& heights,
                          const std::optional<Indices>& indices = {}) {
    level::LevelSource source;
    const auto error = add_heightfield(source, heights, indices, options);
    return error ? error->message : "";
  };
  const Heights good{3, 2, {1, 2, 3, 4, 5, 6}};
  EXPECT_EQ(refusal(plain, good), "");
  Options options = plain;
  options.spacing_m = 0;
  EXPECT_THAT(refusal(options, good), HasSubstr("--spacing-m"));
  options = plain;
  options.height_m = -1;
  EXPECT_THAT(refusal(options, good), HasSubstr("--height-m"));
  EXPECT_THAT(refusal(plain, {1, 6, good.values}), HasSubstr("1 x 6 samples"));
  EXPECT_THAT(refusal(plain, good, Indices{2, 2, {0, 0, 0, 0}}),
              HasSubstr("has 2 x 2 pixels: it needs 2 x 1, one for each cell, or 3 x 2"));
  EXPECT_THAT(refusal(plain, good, Indices{2, 1, {0, 4}}),
              HasSubstr("index 4 in column 1, row 0, but the heightmap has 0 materials"));
  options.height_m = 1e9;
  level::LevelSource source;
  ASSERT_FALSE(add_heightfield(source, good, {}, options));
  EXPECT_THAT(level::write_level(source).error().message, HasSubstr("within 32,768 m"));
}

TEST(AHeightmap, HasAPictureOfItsMaterials) {
  const auto indices = counted<std::uint8_t>(5, 4, 3);
  for (const int colours : {PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_PALETTE}) {
    const auto read = read_indices(png_of(5, 4, indices, {.bits = 8, .colours = colours}));
    ASSERT_TRUE(read.ok()) << read.error().message;
    EXPECT_EQ(read->values, indices);
  }
  EXPECT_THAT(read_indices(png_of(4, 4, counted<std::uint16_t>(4, 4, 9))).error().message,
              HasSubstr("needs 8 bits a pixel"));
}

}  // namespace
}  // namespace perigee::heightmap
