// Broken glTF files, by accident or on purpose: each is refused with its reason.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "files.hpp"
#include "perigee/base/hash.hpp"
#include "perigee/gltf/gltf.hpp"

namespace perigee::gltf {
namespace {

using testing::HasSubstr;

std::string refusal(const Bytes& bytes) {
  const auto imported = read_gltf(bytes, {});
  if (!imported) return imported.error().message;
  const auto written = level::write_level(imported->level);
  return written.ok() ? "accepted" : written.error().message;
}

Bytes bytes_of(const std::string& text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

struct BrokenFile {
  const char* says;
  std::function<void(Json&)> breaks;
};

void expect_refusals(const std::vector<BrokenFile>& all) {
  for (const BrokenFile& each : all) {
    File file = square();
    each.breaks(file.json);
    EXPECT_THAT(refusal(file.glb()), HasSubstr(each.says)) << file.json.dump();
  }
}

TEST(ABrokenGltfFile, NamesItsAccessor) {
  static constexpr auto huge = std::numeric_limits<std::uint32_t>::max();
  expect_refusals({
      {"accessor 0 has 5 elements", [](Json& j) { j["accessors"][0]["count"] = 5; }},
      {"accessor 0 has 4294967295 elements", [](Json& j) { j["accessors"][0]["count"] = huge; }},
      {"accessor 0 has", [](Json& j) { j["accessors"][0]["byteOffset"] = 4; }},
      {"accessor 0 has", [](Json& j) { j["accessors"][0]["byteOffset"] = huge; }},
      {"accessor 0 has no buffer view 9", [](Json& j) { j["accessors"][0]["bufferView"] = 9; }},
      {"accessor 0 has no buffer view -1", [](Json& j) { j["accessors"][0].erase("bufferView"); }},
      {"accessor 0 has no buffer view", [](Json& j) { j["accessors"][0]["bufferView"] = -3; }},
      {"accessor 0 is sparse",
       [](Json& j) {
         j["accessors"][0]["sparse"] = Json::parse(
             R"({"count": 1, "indices": {"bufferView": 1, "componentType": 5123},
                 "values": {"bufferView": 0}})");
       }},
      {"accessor 0 of positions", [](Json& j) { j["accessors"][0]["componentType"] = 5122; }},
      {"accessor 0 of positions", [](Json& j) { j["accessors"][0]["type"] = "VEC2"; }},
      {"accessor 1 of indices", [](Json& j) { j["accessors"][1]["componentType"] = 5126; }},
      {"accessor 1 of indices", [](Json& j) { j["accessors"][1]["type"] = "VEC2"; }},
      {"accessor 0 has a buffer view that is not within",
       [](Json& j) { j["bufferViews"][0]["byteLength"] = 600; }},
      {"accessor 0 has a buffer view that is not within",
       [](Json& j) { j["bufferViews"][0]["byteOffset"] = huge; }},
      {"accessor 0 has no buffer 7", [](Json& j) { j["bufferViews"][0]["buffer"] = 7; }},
      {"stride", [](Json& j) { j["bufferViews"][0]["byteStride"] = 8; }},
      {"accessor 0 has 4 elements", [](Json& j) { j["bufferViews"][0]["byteStride"] = 252; }},
      {"glTF is not valid", [](Json& j) { j["accessors"] = 5; }},
      {"accessor out of bounds", [](Json& j) { j["accessors"] = Json::array(); }},
  });
}

TEST(ABrokenGltfFile, NamesItsMesh) {
  expect_refusals({
      {"mesh 'tile', part 0: it has no accessor of positions",
       [](Json& j) { j["meshes"][0]["primitives"][0]["attributes"]["POSITION"] = 12; }},
      {"accessor out of bounds", [](Json& j) { j["meshes"][0]["primitives"][0]["indices"] = 12; }},
      {"mesh 'tile', part 0: it has material 4",
       [](Json& j) { j["meshes"][0]["primitives"][0]["material"] = 4; }},
      {"mesh 'tile', part 0: it is made of points, lines",
       [](Json& j) { j["meshes"][0]["primitives"][0]["mode"] = 1; }},
      {"mesh 'tile', part 0: it has shape keys",
       [](Json& j) {
         j["meshes"][0]["primitives"][0]["targets"] = Json::parse(R"([{"POSITION": 0}])");
       }},
      {"mesh 'tile', part 0: it is compressed",
       [](Json& j) {
         j["meshes"][0]["primitives"][0]["extensions"]["KHR_draco_mesh_compression"] = {
             {"bufferView", 0}};
       }},
      {"5 indices", [](Json& j) { j["accessors"][1]["count"] = 5; }},
      {"mesh 'tile', part 0: triangle 0 has corner",
       [](Json& j) { j["accessors"][0]["count"] = 2; }},
      {"mesh", [](Json& j) { j["meshes"][0]["primitives"] = Json::array(); }},
      {"mesh 'tile': triangle 2 of the mesh has the same corners",
       [](Json& j) { j["meshes"][0]["primitives"].push_back(j["meshes"][0]["primitives"][0]); }},
      {"friction", [](Json& j) { j["materials"][0]["extras"]["friction"] = 11; }},
      {"friction", [](Json& j) { j["materials"][0]["extras"]["friction"] = "low"; }},
      {"material 'ice': its custom property 'surface'",
       [](Json& j) { j["materials"][0]["extras"]["surface"] = 70'000; }},
      {"surface", [](Json& j) { j["materials"][0]["extras"]["surface"] = 1.5; }},
      {"more than 255 materials",
       [](Json& j) {
         for (int i = 0; i < 260; ++i) j["materials"].push_back(j["materials"][0]);
       }},
      {"name", [](Json& j) { j["meshes"][0]["name"] = std::string(80, 'n'); }},
  });
}

TEST(ABrokenGltfFile, NamesItsNode) {
  expect_refusals({
      {"node 'floor' has two parents, or is its own ancestor",
       [](Json& j) { j["nodes"][0]["children"] = {0}; }},
      {"node 'spawn' has two parents", [](Json& j) { j["nodes"][0]["children"] = {1}; }},
      {"node 'floor' has two parents",
       [](Json& j) {
         j["nodes"][0]["children"] = {1};
         j["nodes"][1]["children"] = {0};
         j["scenes"][0]["nodes"] = {0};
       }},
      {"node 'floor' has child 8", [](Json& j) { j["nodes"][0]["children"] = {8}; }},
      {"the scene has child -2", [](Json& j) { j["scenes"][0]["nodes"] = {-2}; }},
      {"no scene 3", [](Json& j) { j["scene"] = 3; }},
      {"no scene 0", [](Json& j) { j["scenes"] = Json::array(); }},
      {"node 'floor' has mesh 3", [](Json& j) { j["nodes"][0]["mesh"] = 3; }},
      {"node 'floor' has a skin", [](Json& j) { j["nodes"][0]["skin"] = 0; }},
      {"node 'floor' has an unusable", [](Json& j) { j["nodes"][0]["scale"] = {1, 0, 1}; }},
      {"node 'floor' has an unusable", [](Json& j) { j["nodes"][0]["scale"] = {1e300, 1e300, 1}; }},
      {"node 'floor' has an unusable",
       [](Json& j) { j["nodes"][0]["matrix"] = std::vector<int>(16, 0); }},
      {"node 'spawn' has an unusable", [](Json& j) { j["nodes"][1]["rotation"] = {0, 0, 0, 2}; }},
      {"node 'spawn' has an unusable", [](Json& j) { j["nodes"][1]["translation"] = {0, 1}; }},
      {"point 'spawn' cannot", [](Json& j) { j["nodes"][1]["translation"] = {1e9, 0, 0}; }},
      {"two points of the level are named 'spawn'",
       [](Json& j) {
         j["nodes"].push_back({{"name", "spawn"}});
         j["scenes"][0]["nodes"] = {0, 1, 2};
       }},
      {"neither a mesh nor an empty node",
       [](Json& j) { j["scenes"][0]["nodes"] = Json::array(); }},
      {"64 nodes deep",
       [](Json& j) {
         j["nodes"] = Json::array();
         for (int i = 0; i < 70; ++i) j["nodes"].push_back({{"children", {i + 1}}});
         j["nodes"].push_back({{"mesh", 0}});
         j["scenes"][0]["nodes"] = {0};
       }},
  });
}

TEST(ABrokenGltfFile, OpensNoOtherFile) {
  for (const char* uri :
       {"floor.bin", "../../../../etc/passwd", "/etc/passwd", "file:///etc/passwd",
        "http://192.0.2.1/x.bin", "DATA:application/octet-stream;base64,AAAA", ""}) {
    File file = square();
    file.json["buffers"][0]["uri"] = uri;
    EXPECT_THAT(refusal(file.glb()), HasSubstr("buffer 0 is in another file")) << uri;
    EXPECT_THAT(refusal(bytes_of(file.json.dump())), HasSubstr("buffer 0 is in another file"));
  }
  File file = square();
  EXPECT_THAT(refusal(bytes_of(file.json.dump())), HasSubstr("buffer 0 has no data"));
  file.json["buffers"].push_back({{"byteLength", 4}});
  EXPECT_THAT(refusal(file.glb()), HasSubstr("buffer 1 has no data"));
  file.json["buffers"] = 7;
  EXPECT_THAT(refusal(file.glb()), HasSubstr("'buffers' is not a list"));
}

TEST(ABrokenGltfFile, MayNotRequireExtensions) {
  File file = square();
  file.json["extensionsRequired"] = {"KHR_draco_mesh_compression"};
  EXPECT_THAT(refusal(file.glb()), HasSubstr("KHR_draco_mesh_compression"));
}

TEST(ABrokenGltfFile, MayBeNestedAsDeeplyAsItLikes) {
  for (const std::size_t deep : {65U, 200'000U, 5'000'000U}) {
    EXPECT_THAT(refusal(bytes_of(std::string(deep, '['))), HasSubstr("nested more than 64"));
  }
  std::string objects;
  for (int i = 0; i < 200'000; ++i) objects += "{\"a\":";
  EXPECT_THAT(refusal(bytes_of(objects)), HasSubstr("nested more than 64"));
  File file = square();
  file.json["asset"]["generator"] = std::string(300, '[');
  EXPECT_EQ(refusal(file.glb()), "accepted") << "brackets within a text";
}

TEST(ABrokenGltfFile, MayBeCutOffAnywhere) {
  const File file = square();
  for (const Bytes& whole : {file.glb(), file.embedded()}) {
    for (std::size_t size = 0; size < whole.size(); ++size) {
      const Bytes cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
      EXPECT_NE(refusal(cut), "accepted") << size;
    }
  }
}

TEST(ABrokenGltfFile, MayLieInItsHead) {
  const File file = square();
  EXPECT_THAT(refusal(file.glb(1)), HasSubstr("version 1"));
  Bytes bytes = file.glb();
  bytes.push_back({});
  EXPECT_THAT(refusal(bytes), HasSubstr("its head says"));
  bytes = file.glb();
  std::memset(bytes.data() + 12, 0xff, 4);
  EXPECT_THAT(refusal(bytes), HasSubstr("chunk 0 of the GLB file is longer"));
  bytes = file.glb();
  bytes[16] = std::byte{'X'};
  EXPECT_THAT(refusal(bytes), HasSubstr("does not begin with JSON"));
  EXPECT_THAT(refusal(bytes_of("not JSON")), HasSubstr("neither a GLB file nor valid JSON"));
  EXPECT_THAT(refusal({}), HasSubstr("neither a GLB file nor valid JSON"));
}

TEST(ABrokenGltfFile, HasNoPlacesThatAreNoNumbers) {
  File file = square();
  const float nan = std::numeric_limits<float>::quiet_NaN();
  std::memcpy(file.data.data() + 16, &nan, sizeof nan);
  EXPECT_THAT(refusal(file.glb()),
              HasSubstr("mesh 'tile', part 0: element 1 of accessor 0 is not a place"));
  file = wedges();
  for (const float bad : {nan, std::numeric_limits<float>::infinity()}) {
    std::memcpy(file.data.data() + 16, &bad, sizeof bad);
    EXPECT_THAT(refusal(file.glb()), HasSubstr("element 1 of accessor 0 is not a place"));
  }
}

TEST(ABrokenGltfFile, HasNoScalesThatGrowBeyondNumbers) {
  File file = square();
  file.json["nodes"][0]["scale"] = {1e200, 1, 1e-195};
  EXPECT_THAT(refusal(file.glb()), HasSubstr("node 'floor' has an unusable"));
  file.json["nodes"] = Json::parse(R"([
    {"name": "outer", "scale": [1e9, 1, 1e-9], "children": [1]},
    {"name": "inner", "mesh": 0, "scale": [1e9, 1, 1e-9]}])");
  file.json["scenes"][0]["nodes"] = {0};
  EXPECT_THAT(refusal(file.glb()), HasSubstr("node 'inner' has an unusable"));
  file = wedges();
  file.json["nodes"][0]["scale"] = {1e5, 1, 1};
  const float large = 3e38F;
  std::memcpy(file.data.data() + 12, &large, sizeof large);
  EXPECT_THAT(refusal(file.glb()), HasSubstr("node 'hull_a': its scale"));
}

TEST(ABrokenGltfFile, ShowsItsNamesWithoutControllingTheTerminal) {
  File file = square();
  file.json["nodes"][0]["name"] = "\x1b]0;x\x07";
  file.json["nodes"][0]["scale"] = {1, 0, 1};
  EXPECT_THAT(refusal(file.glb()), HasSubstr("node '\\u{1b}]0;x\\u{7}' has an unusable"));
  file = square();
  file.json["meshes"][0]["name"] = std::string(5'000, '\x1b');
  EXPECT_LT(refusal(file.glb()).size(), 600U);
  file = square();
  file.json["extensionsRequired"] = {
      "\xc2\x9b"
      "2J"};
  EXPECT_THAT(refusal(file.glb()), HasSubstr("\\u{9b}2J"));
}

/// A file of any size is refused before it takes memory for a multiple of its size.
TEST(ABrokenGltfFile, MayBeLongAndRepeatItself) {
  std::string text = "{\"nodes\":[[]";
  text.reserve(json_bytes_max + 16);
  while (text.size() <= json_bytes_max) text += ",[]";
  text += "]}";
  EXPECT_THAT(refusal(bytes_of(text)), HasSubstr("more than 64 MiB"));

  File file = square();  // meshes of one long list of indices
  const std::size_t triangles = 1U << 18;
  file.data.resize(48 + 3 * triangles);
  for (std::size_t i = 0; i < 3 * triangles; ++i) {
    file.data[48 + i] = static_cast<std::byte>(i % 3);
  }
  file.json["bufferViews"][1]["byteLength"] = 3 * triangles;
  file.json["buffers"][0]["byteLength"] = file.data.size();
  file.json["accessors"][1] = {
      {"bufferView", 1}, {"componentType", 5121}, {"count", 3 * triangles}, {"type", "SCALAR"}};
  file.json["nodes"] = Json::array();
  file.json["scenes"][0]["nodes"] = Json::array();
  for (std::size_t i = 0; i < 65; ++i) {
    file.json["meshes"][i] = file.json["meshes"][0];
    file.json["nodes"].push_back({{"mesh", i}});
    file.json["scenes"][0]["nodes"].push_back(i);
  }
  EXPECT_THAT(refusal(file.glb()), HasSubstr("together have more than 16777216 triangles"));
}

/// Each value of the JSON in turn becomes each of these.
TEST(ABrokenGltfFile, MayHaveAnyValueInAnyPlace) {
  const Json values[] = {nullptr,
                         true,
                         -1,
                         4'294'967'295U,
                         1e300,
                         "text",
                         Json::array(),
                         Json::object(),
                         Json::array({-7}),
                         Json::array({1e99, "x"})};
  const File file = square();
  int refused = 0;
  const Json flat = file.json.flatten();
  for (const auto& [path, value] : flat.items()) {
    for (Json::json_pointer at(path); !at.empty(); at = at.parent_pointer()) {
      for (const Json& other : values) {
        File changed = file;
        changed.json[at] = other;
        refused += refusal(changed.glb()) != "accepted" ? 1 : 0;
      }
    }
  }
  EXPECT_GT(refused, 500);
}

TEST(ABrokenGltfFile, MayHaveAnyFlippedBits) {
  const Bytes whole = square().glb();
  Random random(11);
  for (int i = 0; i < 3'000; ++i) {
    Bytes flipped = whole;
    for (int k = 0; k < 4; ++k) {
      const std::uint32_t bit = random.below(static_cast<std::uint32_t>(whole.size() * 8));
      flipped[bit / 8] ^= static_cast<std::byte>(1 << bit % 8);
    }
    EXPECT_FALSE(refusal(flipped).empty());
  }
}

}  // namespace
}  // namespace perigee::gltf
