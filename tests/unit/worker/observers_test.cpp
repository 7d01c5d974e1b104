// Avatars of other workers as observers of this worker's regions, and this worker's avatars as
// observers of theirs.
#include "fixture.hpp"

namespace perigee::worker {
namespace {

constexpr SessionId stranger = make_session(GatewaySlot{0}, 1, 9);

struct ObservingWorker : Bench {
  explicit ObservingWorker(const test::YardOptions& yard = {.barge = true})
      : Bench(yard, two_worker_map()) {}
  void neighbour_says(const ObserverRecord& record) {
    core->on_fabric(now_fine(), neighbour_address, datagram(record, FabricSender::Worker, 1));
  }
  ObserverRecord looks_from(const Vec3& position, SessionId session = stranger) const {
    return {session, core->next_tick() + 6, position, {}, 3000, 1};
  }
  std::vector<Tick> blocks_for(SessionId session) const {
    std::vector<Tick> ticks;
    for (const ReadBlock& block : blocks) {
      if (block.session == session) ticks.push_back(block.header.tick);
    }
    return ticks;
  }
};

TEST(AnAvatarNearABorder, IsAnnouncedToTheNeighbourFiveTimesASecond) {
  ObservingWorker bench;
  bench.join();
  bench.stand(120);
  ASSERT_GE(bench.observers.size(), 10U);
  EXPECT_LE(bench.observers.size(), 11U);
  for (const ObserverRecord& record : bench.observers) {
    EXPECT_EQ(record.session, session_of(0));
    EXPECT_EQ(record.radius_m, 3000);
    EXPECT_LT(distance(record.position, {0, 0.91, 0}), 1);
  }
  EXPECT_EQ(ticks_between(bench.observers[4].effective, bench.observers[5].effective), 12);
}

TEST(AnAvatarFarFromTheBorder, IsNoMatterOfTheNeighbours) {
  ObservingWorker bench({.center_x_m = -3000});
  bench.join();
  bench.stand(60);
  EXPECT_TRUE(bench.observers.empty());
  EXPECT_FALSE(bench.blocks_for(session_of(0)).empty());
}

TEST(ARemoteObserver, IsServedFromItsRecordsTickOn) {
  ObservingWorker bench;
  bench.tick(3);
  const ObserverRecord record = bench.looks_from({150, 10, 0});
  bench.neighbour_says(record);
  bench.tick(80);
  const auto ticks = bench.blocks_for(stranger);
  ASSERT_FALSE(ticks.empty());
  EXPECT_FALSE(before(ticks.front(), record.effective));
  EXPECT_LE(ticks_between(record.effective, ticks.front()), 4);
  const Handle barge = bench.find(test::barge_row);
  bool sent = false;
  for (const auto& spawn : bench.sent<SpawnEvent>(stranger)) sent = sent || spawn.handle == barge;
  EXPECT_TRUE(sent);
  for (const ReadBlock& block : bench.blocks) EXPECT_FALSE(block.own);
}

TEST(ARemoteObserver, IsDroppedASecondAfterItsLastRecord) {
  ObservingWorker bench;
  const ObserverRecord record = bench.looks_from({150, 10, 0});
  bench.neighbour_says(record);
  bench.tick(200);
  const auto ticks = bench.blocks_for(stranger);
  ASSERT_FALSE(ticks.empty());
  EXPECT_LE(ticks_between(record.effective, ticks.back()), 60);
  EXPECT_GE(ticks_between(record.effective, ticks.back()), 40);
}

TEST(ARemoteObserver, ContinuesItsStreamIfItComesBackSoon) {
  ObservingWorker bench;
  bench.neighbour_says(bench.looks_from({150, 10, 0}));
  bench.tick(200);
  const std::size_t spawns = bench.sent<SpawnEvent>(stranger).size();
  const std::uint16_t epoch = bench.blocks.back().header.stream_epoch;
  bench.neighbour_says(bench.looks_from({150, 10, 0}));
  bench.tick(40);
  EXPECT_EQ(bench.blocks.back().header.stream_epoch, epoch);
  EXPECT_EQ(bench.sent<SpawnEvent>(stranger).size(), spawns);
}

TEST(ARemoteObserver, StartsANewStreamOnceItWasForgotten) {
  ObservingWorker bench;
  bench.neighbour_says(bench.looks_from({150, 10, 0}));
  bench.tick(200);
  const std::uint16_t epoch = bench.blocks.back().header.stream_epoch;
  const std::size_t first_incarnation = bench.blocks.size();
  bench.tick(150);
  EXPECT_EQ(bench.core->summary().observers, 0U);
  bench.neighbour_says(bench.looks_from({150, 10, 0}));
  bench.tick(80);
  ASSERT_GT(bench.blocks.size(), first_incarnation);
  EXPECT_NE(bench.blocks.back().header.stream_epoch, epoch);
  std::vector<Sequence> sequences;
  for (std::size_t i = first_incarnation; i < bench.blocks.size(); ++i) {
    for (const auto& [sequence, event] : bench.blocks[i].events) sequences.push_back(sequence);
  }
  ASSERT_FALSE(sequences.empty());
  EXPECT_EQ(sequences[0], Sequence{0});
}

// The owner and its neighbours choose by the same record, at the same ticks.
TEST(AnOwnAvatar, ObservesFromWhereItsRecordSays) {
  ObservingWorker bench;
  bench.join();
  bench.tick(2);
  ASSERT_EQ(bench.observers.size(), 1U);
  EXPECT_FALSE(bench.blocks_for(session_of(0)).empty());  // the first one applies at once
}

TEST(ARemoteObserver, OfAnUnknownGatewayIsIgnored) {
  ObservingWorker bench;
  bench.neighbour_says(bench.looks_from({0, 0, 0}, make_session(GatewaySlot{40}, 1, 1)));
  bench.tick(20);
  EXPECT_EQ(bench.core->summary().observers, 0U);
}

TEST(RemoteObservers, AreBoundedInNumber) {
  ObservingWorker bench;
  for (std::uint32_t n = 0; n < 4200; ++n) {
    bench.neighbour_says(
        bench.looks_from({7000, 1500, 7000}, make_session(GatewaySlot{0}, n / 4096, n % 4096)));
  }
  EXPECT_EQ(bench.core->summary().observers, 4096U);
  EXPECT_EQ(bench.count(metric.drop_unknown_session), 104U);
}

}  // namespace
}  // namespace perigee::worker
