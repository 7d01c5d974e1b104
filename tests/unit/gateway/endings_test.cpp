#include "perigee/base/wire_world.hpp"
#include "without_core.hpp"

namespace perigee::gateway {
namespace {

struct EndingsOfWorkers : WithBlocks {
  std::uint32_t slot = play(1);

  void change_map() {
    links.on_map(map);
    endings.on_map(now_us, false);
  }
  /// The headers of blocks of worker 1 that the client receives after this long.
  std::vector<BlockHeader> sent_after(Micros span_us) {
    std::vector<BlockHeader> headers;
    for (const Micros end = now_us + span_us; now_us < end;) {
      endings.advance(now_us += 10'000);
      sender.send_due(now_us);
    }
    for (const FromClientSide& frame : frames(slot)) {
      if (frame.stream != stream_of_worker(WorkerSlot{1})) continue;
      if (const auto header = read_block_header(frame.bytes)) headers.push_back(*header);
    }
    return headers;
  }
};

TEST_F(EndingsOfWorkers, AreSentSeveralTimesWithTheTickAfterTheNewest) {
  endings.note_received(WorkerSlot{1}, Tick{70});
  endings.note_received(WorkerSlot{1}, Tick{69});  // arrived late
  map.workers[1].incarnation = map.workers[1].incarnation.next();
  change_map();
  EXPECT_TRUE(sent_after(Endings::send_first_us - 10'000).empty());
  const auto sent = sent_after(30'000'000);
  ASSERT_EQ(sent.size(), Endings::sends);
  EXPECT_EQ(sent[0].tick, Tick{71});
  EXPECT_EQ(sent[0].stream_epoch, 71);
}

TEST_F(EndingsOfWorkers, AreNotSentWhileTheWorkerMayComeBackOrHasASuccessor) {
  endings.note_received(WorkerSlot{1}, Tick{70});
  map.workers[1].alive = false;
  change_map();
  EXPECT_TRUE(sent_after(5'000'000).empty()) << "it still owns a region";
  map.regions[1].owner = WorkerSlot{0};
  map.failover_records.push_back(
      {.handle_base = map.workers[1].handle_base, .successor = WorkerSlot{0}});
  change_map();
  EXPECT_TRUE(sent_after(5'000'000).empty()) << "the successor's stream says what remains";
  map.failover_records.clear();
  change_map();
  EXPECT_FALSE(sent_after(5'000'000).empty());
}

TEST_F(EndingsOfWorkers, AreForgottenWithTheCluster) {
  endings.note_received(WorkerSlot{1}, Tick{70});
  map.workers[1].incarnation = map.workers[1].incarnation.next();
  change_map();
  endings.on_map(now_us, true);
  EXPECT_TRUE(sent_after(10'000'000).empty());
}

}  // namespace
}  // namespace perigee::gateway
