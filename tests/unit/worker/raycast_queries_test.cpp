// Two ends of a remote raycast, without workers around them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "perigee/worker/outcomes/remote_raycasts.hpp"
#include "unit/worker/yard.hpp"

namespace perigee::worker {
namespace {

/// Two workers: the first owns the half of space with x < 0.
ClusterMap two_halves() {
  ClusterMap map;
  map.cluster_id = 7;
  map.workers = {{.slot = WorkerSlot{0}, .alive = true, .incarnation = Incarnation{1}},
                 {.slot = WorkerSlot{1}, .alive = true, .incarnation = Incarnation{1}}};
  map.regions = {{.region = RegionId{0},
                  .low = {-1000, -100, -100},
                  .high = {0, 100, 100},
                  .owner = WorkerSlot{0}},
                 {.region = RegionId{1},
                  .low = {0, -100, -100},
                  .high = {1000, 100, 100},
                  .owner = WorkerSlot{1}}};
  return map;
}

struct End {
  test::Yard game;
  world::World world{{.types = game.types(), .start = Tick{100}}};
  ClusterMap map = two_halves();
  ClusterView cluster;
  WorkerOutputs outputs;
  Counts<Count> counts;
  std::vector<std::vector<std::byte>> sent;  ///< without the kind of message
  world::Judgement verdict{.detail = 5};
  std::vector<std::uint8_t> committed;
  RemoteRaycasts raycasts;

  explicit End(WorkerSlot slot)
      : cluster(map, slot),
        raycasts({.cluster = cluster,
                  .world = world,
                  .outputs = outputs,
                  .counts = counts,
                  .judge =
                      [this](const world::DrawnScene& scene, const world::Outcome&) {
                        (void)scene.cast(500);
                        return verdict;
                      },
                  .commit =
                      [this](const world::Outcome&, const world::Judgement& judgement) {
                        committed.push_back(judgement.detail);
                      }}) {
    outputs.to_peer = [this](WorkerSlot, std::span<const std::byte> bytes) {
      sent.emplace_back(bytes.begin() + 1, bytes.end());
    };
  }
};

const world::Outcome shot{.tick = Tick{90}};
const Judged missed_here{.judgement = {.detail = 1},
                         .raycast = world::Raycast{.eye = {-10, 50, 0}, .direction = {1, 0, 0}},
                         .looked_m = 500};

TEST(ARaycast, IsNotSentIfItStaysNearOurOwnRegions) {
  End here(WorkerSlot{0});
  Judged near = missed_here;
  near.looked_m = 50;
  EXPECT_FALSE(here.raycasts.leaves(near));
  EXPECT_FALSE(here.raycasts.ask(shot, near, Tick{100}));
  EXPECT_THAT(here.sent, testing::IsEmpty());
}

TEST(ARaycast, CommitsWhatThisWorkerKnowsIfTheOtherMissesOrIsSilent) {
  End here(WorkerSlot{0}), there(WorkerSlot{1});
  ASSERT_TRUE(here.raycasts.ask(shot, missed_here, Tick{100}));
  here.raycasts.after_tick(Tick{101}, Tick{90});
  EXPECT_THAT(here.committed, testing::IsEmpty()) << "it waits";
  there.raycasts.on_query(WorkerSlot{0}, here.sent.at(0), Tick{90});
  here.raycasts.on_reply(WorkerSlot{1}, there.sent.at(0));
  here.raycasts.after_tick(Tick{102}, Tick{91});
  EXPECT_THAT(here.committed, testing::ElementsAre(1));

  ASSERT_TRUE(here.raycasts.ask(shot, missed_here, Tick{200}));
  here.raycasts.after_tick(Tick{200} + RemoteRaycasts::patience_ticks, Tick{190});
  EXPECT_THAT(here.committed, testing::ElementsAre(1, 1));
  EXPECT_EQ(here.counts[metric.remote_raycasts_unanswered], 1U);
}

TEST(ARaycast, IsAnsweredOnceItsTickCannotChange) {
  End here(WorkerSlot{0}), there(WorkerSlot{1});
  ASSERT_TRUE(here.raycasts.ask(shot, missed_here, Tick{100}));
  there.raycasts.on_query(WorkerSlot{0}, here.sent.at(0), Tick{89});
  EXPECT_THAT(there.sent, testing::IsEmpty());
  there.raycasts.after_tick(Tick{105}, Tick{90});
  EXPECT_EQ(there.sent.size(), 1U);
}

TEST(ARaycast, RefusesQueriesOfStrangersAndGarbage) {
  End here(WorkerSlot{0}), there(WorkerSlot{1});
  ASSERT_TRUE(here.raycasts.ask(shot, missed_here, Tick{100}));
  there.map.cluster_id = 8;
  there.raycasts.on_query(WorkerSlot{0}, here.sent.at(0), Tick{90});
  EXPECT_EQ(there.counts[metric.drop_unknown_sender], 1U);
  for (std::size_t size = 0; size < here.sent.at(0).size(); ++size) {
    there.raycasts.on_query(WorkerSlot{0}, std::span(here.sent.at(0)).first(size), Tick{90});
  }
  EXPECT_EQ(there.counts[metric.drop_malformed], here.sent.at(0).size());
  EXPECT_THAT(there.sent, testing::IsEmpty());
}

}  // namespace
}  // namespace perigee::worker
