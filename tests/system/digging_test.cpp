// Voxel ground is dug in a whole cluster on virtual time: on every network, all clients end up with
// the worker's ground. (V11, K42)
#include <gtest/gtest.h>

#include "perigee/lab/scenario.hpp"
#include "perigee/lab/stage.hpp"
#include "perigee/lab/virtual_cluster.hpp"
#include "sanitized.hpp"

namespace perigee::lab {
namespace {

/// Digs until `rests` is set.
struct Pupil final : client::InputSampler {
  std::unique_ptr<client::InputSampler> digger;
  const bool& rests;
  Pupil(std::uint64_t seed, const bool& when) : digger(make_digger(seed)), rests(when) {}
  PlayerInput sample(Tick tick) override {
    PlayerInput input = digger->sample(tick);
    return rests ? neutral(input, tick) : input;
  }
};

struct Field {
  bool rests = false;
  std::unique_ptr<world::GameModule> game;
  std::unique_ptr<VirtualCluster> cluster;

  Field(const char* profile, std::uint32_t players, std::uint64_t seed)
      : game(make_pens(players, digging_pen())) {
    ClusterOptions options;
    options.link = *find_link_profile(profile);
    options.players = players;
    options.seed = seed;
    cluster = std::make_unique<VirtualCluster>(
        options, *game, [this](const client::Client&, std::uint64_t pupil_seed) {
          return std::make_unique<Pupil>(pupil_seed, rests);
        });
  }
  void run(double seconds) { cluster->run_for(static_cast<Micros>(seconds * 1e6)); }
  const client::Client& client(std::size_t i) const { return *cluster->players()[i].client; }
  std::uint64_t count(worker::Count what) const {
    return cluster->worker(0).counts()[what] + cluster->worker(1).counts()[what];
  }

  /// Chunks near the player that differ from those of its worker, and chunks that were dug at all.
  struct Chunks {
    int dug = 0, different = 0;
  };
  Chunks chunks_near(std::size_t i) const {
    Chunks out;
    for (std::size_t w = 0; w < 2; ++w) {
      const world::World& world = cluster->worker(w).world();
      for (const Handle handle : world.patches()) {
        const world::VoxelPatch& truth = *world.voxels(handle);
        const world::VoxelPatch* seen = client(i).entities().voxels(handle);
        const Handle parent = client(i).prediction().parent();
        if (seen == nullptr || world.find(parent) == nullptr) continue;
        const Vec3 at =
            transform(*world.pose(parent, world.now()), client(i).prediction().state().position);
        const Vec3 local = inverse_transform(*world.pose(handle, world.now()), at);
        for (std::uint16_t chunk = 0; chunk < truth.plan().chunks(); ++chunk) {
          const world::Cell corner = truth.plan().chunk_corner(chunk);
          const Vec3 middle{corner.x + 4.0, corner.y + 4.0, corner.z + 4.0};
          if (distance(middle, local) > 30) continue;
          out.dug += truth.version(chunk) != 0;
          out.different += seen->chunk(chunk) != truth.chunk(chunk);
        }
      }
    }
    return out;
  }
  void expect_all_agree() const {
    for (std::size_t i = 0; i < cluster->players().size(); ++i) {
      SCOPED_TRACE(i);
      ASSERT_TRUE(client(i).playing());
      EXPECT_GE(chunks_near(i).dug, 1);
      EXPECT_EQ(chunks_near(i).different, 0);
      EXPECT_TRUE(client(i).prediction().own_edits().empty()) << "nothing of its own is left over";
      EXPECT_EQ(client(i).telemetry().malformed(), 0U);
    }
  }
};

class GroundOnEveryNetwork : public testing::TestWithParam<const char*> {};

TEST_P(GroundOnEveryNetwork, EverybodyEndsUpWithTheSameGround) {
  for (const std::uint64_t seed : {1U, 2U}) {
    SCOPED_TRACE(seed);
    Field field(GetParam(), 6, seed);
    field.run(25);
    field.rests = true;
    field.run(4);
    field.expect_all_agree();
    EXPECT_GT(field.count(worker::metric.edits_committed), 40U);
    EXPECT_EQ(field.count(worker::metric.chunk_reports_refused), 0U);
  }
}
INSTANTIATE_TEST_SUITE_P(Profiles, GroundOnEveryNetwork,
                         testing::ValuesIn(extremes_of<const char*>({"P0", "P2", "P3", "P4", "P5",
                                                                     "P6"})),
                         [](const auto& profile) { return std::string(profile.param); });

// To a worker, late join and resume are the same: the client has no ground yet.
TEST(AResumedClient, AsksForTheGroundThatItLacks) {
  Field field("P5", 4, 3);
  field.run(20);
  const std::uint64_t sent = field.count(worker::metric.chunks_sent);
  field.cluster->restart_gateway(2'000'000);
  field.run(12);
  field.rests = true;
  field.run(4);
  field.expect_all_agree();
  EXPECT_GT(field.count(worker::metric.chunks_sent), sent + 8);
}

}  // namespace
}  // namespace perigee::lab
