// Bytes from the fabric that no correct process sends.
#include "fixture.hpp"
#include "perigee/base/hash.hpp"

namespace perigee::worker {
namespace {

struct AFabricDatagram : testing::Test {
  Bench bench{{}, two_worker_map()};
  AFabricDatagram() {
    bench.join();
    bench.stand(10);
  }
  void arrives(std::span<const std::byte> bytes, const Address& from = gateway_address) {
    bench.core->on_fabric(bench.now_fine(), from, bytes);
  }
  Bytes control() const {
    PlayerInput input;
    input.tick = bench.core->next_tick();
    input.samples.push_back({.action = ActionKind::Use, .target = 1001});
    Bytes bytes(512);
    const auto frame = write_control(bench.frame_of({input}), bytes);
    return bench.datagram(InputRecord{session_of(0), bench.now_fine(), stream_owner, frame});
  }
  Bytes acknowledgement() const {
    Bytes bytes(64);
    const auto frame = write_acknowledge({6000, {Sequence{1}, 0}, Tick{6001}}, bytes);
    return bench.datagram(
        InputRecord{session_of(0), bench.now_fine(), stream_of_worker(WorkerSlot{0}), frame});
  }
  Bytes observer() const {
    return bench.datagram(ObserverRecord{session_of(9), bench.core->next_tick(), {}, {}, 3000, 1},
                          FabricSender::Worker, 1);
  }
  std::uint64_t drops() const {
    std::uint64_t all = 0;
    for (const Count c :
         {metric.drop_malformed, metric.drop_wrong_cluster_id, metric.drop_unknown_sender,
          metric.drop_unknown_session, metric.drop_unknown_frame}) {
      all += bench.count(c);
    }
    return all;
  }
};

TEST_F(AFabricDatagram, CutShortAnywhereIsCountedAndDropped) {
  for (const Bytes& whole :
       {control(), acknowledgement(), bench.datagram(JoinRecord{5, 6, RegionId{0}}),
        bench.datagram(LeaveRecord{session_of(0)})}) {
    for (std::size_t size = 0; size < whole.size(); ++size) {
      const std::uint64_t before = drops();
      arrives(std::span(whole).first(size));
      // A header alone is a datagram without records.
      if (drops() == before) {
        EXPECT_EQ(size, 14U) << "of " << whole.size();
      }
    }
  }
  EXPECT_EQ(bench.core->summary().players, 1U);
}

TEST_F(AFabricDatagram, WithFlippedBitsNeverCrashes) {
  const std::uint64_t seed = 77;
  SCOPED_TRACE(seed);
  Random random(seed);
  for (int i = 0; i < 20'000; ++i) {
    const std::uint32_t kind = random.below(5);
    Bytes bytes = kind == 0   ? control()
                  : kind == 1 ? acknowledgement()
                  : kind == 2 ? observer()
                  : kind == 3 ? bench.datagram(JoinRecord{session_of(3), 103, RegionId{0}})
                              : bench.datagram(LeaveRecord{session_of(3)});
    for (std::uint32_t flips = 1 + random.below(4); flips > 0; --flips) {
      bytes[random.below(static_cast<std::uint32_t>(bytes.size()))] ^=
          static_cast<std::byte>(1U << random.below(8));
    }
    arrives(bytes, kind == 2 ? neighbour_address : gateway_address);
    if (i % 50 == 0) bench.tick();
  }
  EXPECT_GT(bench.count(metric.drop_malformed), 1000U);
  EXPECT_GT(bench.count(metric.drop_wrong_cluster_id), 100U);
  EXPECT_GT(bench.count(metric.drop_unknown_sender), 100U);
  bench.tick(60);
}

TEST_F(AFabricDatagram, OfRandomBytesIsMalformed) {
  const std::uint64_t seed = 5;
  SCOPED_TRACE(seed);
  Random random(seed);
  for (int i = 0; i < 5000; ++i) {
    Bytes bytes(random.below(200));
    for (std::byte& b : bytes) b = static_cast<std::byte>(random.next());
    arrives(bytes);
  }
  EXPECT_EQ(drops(), 5000U);
}

TEST_F(AFabricDatagram, OfAnotherClusterIdIsDropped) {
  ++bench.map.cluster_id;
  arrives(bench.datagram(LeaveRecord{session_of(0)}));
  --bench.map.cluster_id;
  EXPECT_EQ(bench.count(metric.drop_wrong_cluster_id), 1U);
  EXPECT_EQ(bench.core->summary().players, 1U);
}

TEST_F(AFabricDatagram, OfASenderThatTheMapDoesNotKnowIsDropped) {
  const Bytes leave = bench.datagram(LeaveRecord{session_of(0)});
  arrives(leave, Address::v4(10, 9, 9, 9, 7000));
  arrives(leave, neighbour_address);  // a worker's address, but a gateway's header
  arrives(bench.datagram(LeaveRecord{session_of(0)}, FabricSender::Gateway, 33));
  arrives(bench.datagram(LeaveRecord{session_of(0)}, FabricSender::Worker, 199), neighbour_address);
  EXPECT_EQ(bench.count(metric.drop_unknown_sender), 4U);
  EXPECT_EQ(bench.core->summary().players, 1U);
}

TEST_F(AFabricDatagram, WithARecordThatItsSenderHasNoRightToIsMalformed) {
  arrives(bench.datagram(JoinRecord{session_of(9), 109, RegionId{0}}, FabricSender::Worker, 1),
          neighbour_address);
  arrives(bench.datagram(ObserverRecord{session_of(9), {}, {}, {}, 3000, 1}));
  arrives(bench.datagram(JoinedRecord{session_of(9), 5}));
  arrives(bench.datagram(BlockRecord{session_of(9), 0, {}}));
  EXPECT_EQ(bench.count(metric.drop_malformed), 4U);
  EXPECT_EQ(bench.core->summary().players, 1U);
  EXPECT_EQ(bench.core->summary().observers, 1U);
}

TEST_F(AFabricDatagram, WithAFrameOfNoStreamIsCounted) {
  const Bytes junk(4);
  arrives(bench.datagram(InputRecord{session_of(0), {}, 77, junk}));
  EXPECT_EQ(bench.count(metric.drop_unknown_frame), 1U);
  arrives(bench.datagram(InputRecord{session_of(0), {}, stream_owner, junk}));
  arrives(bench.datagram(InputRecord{session_of(0), {}, stream_of_worker(WorkerSlot{0}), junk}));
  EXPECT_EQ(bench.count(metric.drop_malformed), 2U);
}

TEST_F(AFabricDatagram, WithAnAcknowledgementOfABlockThatWasNeverSentIsCounted) {
  bench.stand(20);
  Bytes bytes(64);
  const Tick ahead = bench.core->next_tick() + 600;
  const auto epoch = bench.blocks.back().header.stream_epoch;
  const auto frame = write_acknowledge({epoch, {}, ahead}, bytes);
  EXPECT_EQ(bench.count(metric.drop_malformed), 0U);
  arrives(bench.datagram(InputRecord{session_of(0), {}, stream_of_worker(WorkerSlot{0}), frame}));
  EXPECT_EQ(bench.count(metric.drop_malformed), 1U);
}

TEST_F(AFabricDatagram, WithAForgedAcknowledgementChangesNothing) {
  Bytes bytes(64);
  const auto frame = write_acknowledge({6000, {Sequence{30000}, 0xffff'ffff}, Tick{1}}, bytes);
  arrives(bench.datagram(InputRecord{session_of(0), {}, stream_of_worker(WorkerSlot{0}), frame}));
  bench.stand(80);
  bool deck = false;
  for (const auto& spawn : bench.sent<SpawnEvent>()) deck = deck || spawn.type == test::deck_row;
  EXPECT_TRUE(deck);
}

}  // namespace
}  // namespace perigee::worker
