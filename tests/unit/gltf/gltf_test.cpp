// glTF files of editors: their nodes, meshes and materials become parts of a level.
#include "perigee/gltf/gltf.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "files.hpp"

namespace perigee::gltf {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

level::Level level_of(const Bytes& file, const Options& options = {}) {
  const auto imported = read_gltf(file, options);
  if (!imported) {
    ADD_FAILURE() << imported.error().message;
    return {};
  }
  const auto bytes = level::write_level(imported->level);
  if (!bytes) {
    ADD_FAILURE() << bytes.error().message;
    return {};
  }
  return level::read_level(*bytes).value();
}

TEST(AGltfFile, BecomesALevelFromBothOfItsForms) {
  const File file = square();
  for (const Bytes& bytes : {file.glb(), file.embedded()}) {
    const level::Level level = level_of(bytes);
    ASSERT_EQ(level.meshes.size(), 1U);
    EXPECT_EQ(level.meshes[0].name, "tile");
    EXPECT_EQ(level.meshes[0].mesh->triangles().size(), 2U);
    EXPECT_NEAR(level.meshes[0].mesh->triangle(0).normal.y, 1, 1e-12);
    EXPECT_EQ(level.meshes[0].mesh->surface(1), 3);
    EXPECT_EQ(level.meshes[0].mesh->material(0)->friction, 0.05F);
    ASSERT_EQ(level.instances.size(), 1U);
    EXPECT_EQ(level.instances[0].name, "floor");
    EXPECT_EQ(level.instances[0].pose, Pose{});
    const level::Point* spawn = level.point("spawn");
    ASSERT_NE(spawn, nullptr);
    EXPECT_EQ(spawn->pose.position, (Vec3{0, 1, 0}));
    EXPECT_NEAR(rotate(spawn->pose.rotation, {0, 0, 1}).x, 1, 1e-7);
  }
}

TEST(AGltfFile, HasItsTransformsInPosesAndItsScalesInMeshes) {
  File file = square();
  file.json["nodes"] = Json::parse(R"([
    {"name": "group", "translation": [10, 0, 0], "rotation": [0, 0.70710678, 0, 0.70710678],
     "children": [1, 2, 3]},
    {"name": "a", "mesh": 0, "translation": [0, 0, 5]},
    {"name": "b", "mesh": 0, "scale": [2, 1, 3]},
    {"name": "c", "mesh": 0, "scale": [2, 1, 3], "translation": [0, 7, 0]}])");
  file.json["scenes"][0]["nodes"] = {0};
  const level::Level level = level_of(file.glb());
  ASSERT_EQ(level.meshes.size(), 2U) << "nodes with the same scale share a mesh";
  ASSERT_EQ(level.instances.size(), 3U);
  EXPECT_NEAR(level.instances[0].pose.position.x, 15, 1e-6) << "+z of the group is +x of the scene";
  EXPECT_EQ(level.instances[1].shape, level.instances[2].shape);
  EXPECT_EQ(level.meshes[1].name, "tile~2");
  const world::Bounds& wide = level.meshes[1].mesh->bounds();
  EXPECT_NEAR(wide.high.x, 2, 1e-6);
  EXPECT_NEAR(wide.high.z, 3, 1e-6);
  EXPECT_NEAR(level.instances[2].pose.position.y, 7, 1e-12);
}

TEST(AGltfFile, KeepsItsFrontsWhenAnObjectIsMirrored) {
  for (const char* scale : {"[-1, 1, 1]", "[1, 1, -2]"}) {
    File file = square();
    file.json["nodes"][0]["scale"] = Json::parse(scale);
    const level::Level level = level_of(file.glb());
    ASSERT_EQ(level.meshes.size(), 1U);
    const Vec3 normal = level.meshes[0].mesh->triangle(0).normal;
    EXPECT_NEAR(rotate(level.instances[0].pose.rotation, normal).y, 1, 1e-6) << scale;
  }
  File file = square();  // upside down, by a mirror
  file.json["nodes"][0]["scale"] = {1, -1, 1};
  const level::Level level = level_of(file.glb());
  const Vec3 normal = level.meshes[0].mesh->triangle(0).normal;
  EXPECT_NEAR(rotate(level.instances[0].pose.rotation, normal).y, -1, 1e-6);
}

TEST(AGltfFile, TakesAMatrixAsTheSamePlace) {
  File file = square();
  file.json["nodes"][0]["matrix"] = {0, 0, -2, 0, 0, 2, 0, 0, 2, 0, 0, 0, 5, 6, 7, 1};
  const level::Level level = level_of(file.glb());
  const Pose& pose = level.instances[0].pose;
  EXPECT_EQ(pose.position, (Vec3{5, 6, 7}));
  EXPECT_NEAR(rotate(pose.rotation, {0, 0, 1}).x, 1, 1e-9);
  EXPECT_NEAR(level.meshes[0].mesh->bounds().high.x, 2, 1e-9);
}

TEST(AGltfFile, DividesAMeshByTheSidesOfItsMaterials) {
  File file = square();
  file.json["materials"].push_back({{"name", "wire"}, {"doubleSided", true}});
  file.json["meshes"][0]["primitives"].push_back(
      {{"attributes", {{"POSITION", 0}}}, {"indices", 1}, {"material", 1}});
  level::Level level = level_of(file.glb());
  ASSERT_EQ(level.meshes.size(), 2U);
  EXPECT_EQ(level.meshes[1].name, "tile (two-sided)");
  EXPECT_EQ(level.meshes[1].mesh->triangles().size(), 4U);
  EXPECT_EQ(level.instances[1].name, "floor (two-sided)");
  const Options one_sided{.one_sided = true};
  const auto twice = read_gltf(file.glb(), one_sided);
  ASSERT_TRUE(twice.ok());
  EXPECT_THAT(write_level(twice->level).error().message, HasSubstr("same corners"))
      << "both parts have the same triangles";
}

TEST(AGltfFile, IsJoinedToOneMesh) {
  File file = square();
  file.json["nodes"].push_back({{"name", "second"}, {"mesh", 0}, {"translation", {2, 0, 0}}});
  file.json["nodes"].push_back(
      {{"name", "mirrored"}, {"mesh", 0}, {"translation", {4, 0, 0}}, {"scale", {-1, 1, 1}}});
  file.json["scenes"][0]["nodes"] = {0, 1, 2, 3};
  const level::Level level = level_of(file.glb(), {.join = true});
  ASSERT_EQ(level.meshes.size(), 1U);
  ASSERT_EQ(level.instances.size(), 1U);
  EXPECT_EQ(level.points.size(), 1U);
  const world::Mesh& mesh = *level.meshes[0].mesh;
  EXPECT_EQ(mesh.triangles().size(), 6U);
  EXPECT_NEAR(mesh.bounds().high.x, 5, 1e-9);
  for (std::uint32_t i = 0; i < 6; ++i) EXPECT_NEAR(mesh.triangle(i).normal.y, 1, 1e-9);
}

TEST(AGltfFile, MayHaveTrianglesWithoutIndicesOrMaterials) {
  File file = square();
  file.json["accessors"][0]["count"] = 3;
  file.json["meshes"][0]["primitives"] = Json::parse(R"([{"attributes": {"POSITION": 0}}])");
  level::Level level = level_of(file.glb());
  EXPECT_EQ(level.meshes[0].mesh->triangles().size(), 1U);
  ASSERT_EQ(level.materials.size(), 2U) << "one for triangles without a material";
  EXPECT_EQ(level.meshes[0].mesh->surface(0), 0);
  file.json.erase("materials");
  level = level_of(file.glb());
  EXPECT_EQ(level.materials.size(), 0U);
  EXPECT_EQ(level.meshes[0].mesh->material(0), nullptr);
}

TEST(AGltfFile, LeavesOutWhatIsNoPartOfALevel) {
  File file = square();
  file.json["images"] = Json::parse(R"([{"uri": "../../../etc/passwd"}])");
  file.json["animations"] = Json::parse(R"([{"channels": 7}])");
  file.json["materials"][0]["normalTexture"] = {{"index", 99}};
  file.json["nodes"] = Json::parse(R"([
    {"name": "floor", "mesh": 0},
    {"name": "_cloud", "mesh": 77, "children": [2]},
    {"name": "drop", "mesh": 0},
    {"name": "eye", "camera": 0},
    {"name": "sun", "extensions": {"KHR_lights_punctual": {"light": 0}}}])");
  file.json["scenes"][0]["nodes"] = {0, 1, 3, 4};
  const level::Level level = level_of(file.glb());
  EXPECT_EQ(level.instances.size(), 1U);
  EXPECT_EQ(level.points.size(), 0U);
}

TEST(AGltfFile, LosesItsSliversIfThatIsWanted) {
  File file = square();
  const float place[] = {0, 0, 1};  // the fourth corner is between the second and the third
  std::memcpy(file.data.data() + 36, place, sizeof place);
  const std::uint16_t order[] = {0, 1, 2, 1, 3, 2};
  std::memcpy(file.data.data() + 48, order, sizeof order);
  const auto with = read_gltf(file.glb(), {});
  ASSERT_TRUE(with.ok());
  EXPECT_THAT(write_level(with->level).error().message, HasSubstr("mesh 'tile': triangle 1"));
  const auto without = read_gltf(file.glb(), {.drop_slivers = true});
  EXPECT_EQ(without->slivers, 1U);
  EXPECT_EQ(level_of(file.glb(), {.drop_slivers = true}).meshes[0].mesh->triangles().size(), 1U);
}

TEST(AGltfFile, MakesHullsOfObjectsThatAreNamedSo) {
  const File file = wedges();
  const level::Level level = level_of(file.glb());
  ASSERT_EQ(level.hulls.size(), 2U) << "one for each scale";
  EXPECT_EQ(level.hulls[0].name, "wedge");
  EXPECT_EQ(level.hulls[0].hull->corners().size(), 6U);
  EXPECT_EQ(level.hulls[0].hull->planes().size(), 5U);
  EXPECT_NEAR(level.hulls[1].hull->bounds().size().x, 6, 1e-6);
  ASSERT_EQ(level.meshes.size(), 1U) << "the same mesh, in a node with another name";
  ASSERT_EQ(level.instances.size(), 4U);
  EXPECT_EQ(level.instances[0].shape, 1U);
  EXPECT_EQ(level.instances[1].shape, 1U);
  EXPECT_EQ(level.instances[2].shape, 2U);
  EXPECT_EQ(level.instances[3].shape, 0U);
  EXPECT_EQ(level_of(file.glb(), {.join = true}).hulls.size(), 2U);
}

TEST(AGltfFile, GivesEachNameOnce) {
  File file = square();
  file.json["materials"] = Json::array();
  file.json["meshes"][0]["primitives"][0].erase("material");
  file.json["nodes"] = Json::array();
  for (const char* name : {"a~2", "a", "a", "a", "a~2"}) {
    file.json["nodes"].push_back({{"name", name}, {"mesh", 0}});
  }
  file.json["scenes"][0]["nodes"] = {0, 1, 2, 3, 4};
  std::vector<std::string> names;
  for (const level::Instance& each : level_of(file.glb()).instances) names.push_back(each.name);
  EXPECT_THAT(names, ElementsAre("a~2", "a", "a~3", "a~4", "a~2~2"));
}

TEST(AGltfFile, TakesTheCornersThatItsTrianglesUse) {
  File file = wedges();
  // A seventh corner, far away and of no triangle.
  const float far[] = {100, 100, 100};
  const auto* begin = reinterpret_cast<const std::byte*>(far);
  file.data.insert(file.data.begin() + 72, begin, begin + sizeof far);
  file.json["accessors"][0]["count"] = 7;
  file.json["bufferViews"][0]["byteLength"] = 84;
  file.json["bufferViews"][1]["byteOffset"] = 84;
  file.json["buffers"][0]["byteLength"] = file.data.size();
  const auto imported = read_gltf(file.glb(), {});
  ASSERT_TRUE(imported.ok()) << imported.error().message;
  EXPECT_EQ(imported->level.hulls[0].corners.size(), 6U);
  EXPECT_EQ(imported->level.meshes[0].source.corners.size(), 6U);
  EXPECT_NEAR(level_of(file.glb()).hulls[0].hull->bounds().high.x, 2, 1e-6);

  file.json["nodes"][0]["name"] = "a";
  Json& parts = file.json["meshes"][0]["primitives"];
  file.json["accessors"].push_back(
      {{"bufferView", 1}, {"componentType", 5123}, {"count", 3}, {"type", "SCALAR"}});
  parts = Json::array();
  for (int i = 0; i < 100; ++i)
    parts.push_back({{"attributes", {{"POSITION", 0}}}, {"indices", 2}});
  file.json["scenes"][0]["nodes"] = {0};
  EXPECT_EQ(read_gltf(file.glb(), {})->level.meshes[0].source.corners.size(), 300U)
      << "three for each part";
}

TEST(AGltfFile, HasNoHullOfAMeshWithADentOrWithoutThickness) {
  File file = wedges();
  const float dent[] = {0.5F, 0.2F, 0.5F};
  std::memcpy(file.data.data() + 5 * 12, dent, sizeof dent);
  const std::string why = read_gltf(file.glb(), {}).error().message;
  EXPECT_THAT(why, HasSubstr("node 'hull_a': its mesh is not convex"));
  file = square();
  file.json["nodes"][0]["name"] = "hull_floor";
  EXPECT_THAT(read_gltf(file.glb(), {}).error().message,
              HasSubstr("node 'hull_floor': the hull is flat"));
}

TEST(AGltfFile, GivesEqualNamesNumbers) {
  File file = square();
  file.json["nodes"] = Json::parse(R"([{"name": "floor", "mesh": 0},
    {"name": "floor", "mesh": 0, "translation": [4, 0, 0]}, {"mesh": 0, "translation": [8, 0, 0]}])");
  file.json["scenes"][0]["nodes"] = {0, 1, 2};
  std::vector<std::string> names;
  for (const auto& each : level_of(file.glb()).instances) names.push_back(each.name);
  EXPECT_THAT(names, ElementsAre("floor", "floor~2", "node 2"));
}

}  // namespace
}  // namespace perigee::gltf
