// Replicated ground, without entities.
#include "perigee/client/ground_patches.hpp"

#include "hand_server.hpp"

namespace perigee::client {
namespace {

constexpr Handle field = 12;
constexpr std::uint32_t cell = 3;

struct AGround : testing::Test {
  AGround() { patches.set(field, game.types()[test::ground_row].shape); }
  VoxelEvent edit(std::uint16_t version, bool withdrawn = false) const {
    return {.patch = field,
            .cell = cell,
            .version = version,
            .tick = Tick{100},
            .actor = 7,
            .index = 8,
            .withdrawn = withdrawn};
  }
  bool solid() const {
    const world::VoxelPatch& patch = *patches.find(field);
    return patch.solid(patch.plan().cell_of(cell), patch.newest());
  }
  test::Yard game{{.ground = true}};
  GroundPatches patches;
};

TEST_F(AGround, ChangesInTheOrderOfVersions) {
  ASSERT_TRUE(solid());
  patches.voxel(edit(2), 0);
  EXPECT_TRUE(solid()) << "version 1 is missing";
  patches.voxel(edit(1), 0);
  EXPECT_FALSE(solid());
  patches.voxel(edit(2, true), 0);
  EXPECT_TRUE(solid());
}

TEST_F(AGround, NamesEditsInTicksOfTheClientsInputs) {
  patches.voxel(edit(1), 4);
  EXPECT_NE(patches.find(field)->find(Tick{96}, 7, 8), nullptr);
  EXPECT_EQ(patches.find(field)->find(Tick{100}, 7, 8), nullptr);
}

TEST_F(AGround, ReportsChunksThatItLacks) {
  const std::uint16_t chunk =
      patches.find(field)->plan().chunk_of(patches.find(field)->plan().cell_of(cell));
  EXPECT_FALSE(patches.report_on({field + 1, chunk, 1})) << "not known";
  const auto report = patches.report_on({field, chunk, 1});
  ASSERT_TRUE(report);
  EXPECT_TRUE(report->lacks);
  EXPECT_EQ(report->has.version, 0);
  patches.chunk({{field, chunk, 5}, {}});
  EXPECT_FALSE(patches.report_on({field, chunk, 5})->lacks);
  EXPECT_FALSE(patches.report_on({field, chunk, 4})->lacks) << "the worker's list is older";
  EXPECT_FALSE(solid()) << "the chunk is empty";
}

TEST_F(AGround, IsForgottenWithItsEntity) {
  patches.keep([](Handle handle) { return handle == field; });
  EXPECT_NE(patches.find(field), nullptr);
  patches.set(field, game.types()[test::person_row].shape);
  EXPECT_EQ(patches.find(field), nullptr) << "another entity, without cells";
}

}  // namespace
}  // namespace perigee::client
