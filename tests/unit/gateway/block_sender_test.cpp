#include "without_core.hpp"

namespace perigee::gateway {
namespace {

struct BlocksToClients : WithoutCore {
  Echoes echoes{clients_max};
  BlockSender sender{{.coalesce_us = 1'000,
                      .payloads_per_flush_max = 2,
                      .echoes = echoes,
                      .payloads = payloads,
                      .outputs = out,
                      .counts = counts,
                      .drops = drops},
                     clients_max};
  std::uint32_t slot = play(1);
  void queue(StreamId stream, std::uint8_t priority, std::size_t size = 50) {
    sender.queue(now_us, slot, stream, priority, filled(size, stream));
  }
  std::vector<int> streams() {
    std::vector<int> found;
    for (const FromClientSide& frame : frames(slot)) found.push_back(frame.stream);
    return found;
  }
};

TEST_F(BlocksToClients, WaitForEachOtherAndShareAPayloadAfterTheEcho) {
  queue(2, 1);
  EXPECT_EQ(sender.next_us(), now_us + 1'000);
  now_us += 999;
  queue(1, 0);
  sender.send_due(now_us);
  EXPECT_TRUE(streams().empty());
  sender.send_due(now_us += 1);
  EXPECT_THAT(streams(), testing::ElementsAre(stream_gateway, 1, 2));
  EXPECT_EQ(counts[metric.payloads_sent], 1U);
  EXPECT_EQ(counts[metric.blocks_sent], 2U);
  EXPECT_FALSE(sender.next_us());
}

TEST_F(BlocksToClients, BeyondTwoPayloadsWaitOnceMore) {
  for (StreamId stream = 1; stream <= 3; ++stream) queue(stream, 1, block_bytes_max);
  sender.send_due(now_us += 1'000);
  EXPECT_THAT(streams(), testing::ElementsAre(stream_gateway, 1, 2));
  EXPECT_EQ(sender.next_us(), now_us + 1'000);
  sender.send_due(now_us += 1'000);
  EXPECT_THAT(streams(), testing::ElementsAre(stream_gateway, 3));
}

TEST_F(BlocksToClients, ReportTheOldestBlockOfTheOwnAvatar) {
  sender.note_own_block(now_us, slot, Tick{70});
  queue(1, 0);
  sender.note_own_block(now_us + 500, slot, Tick{71});
  sender.send_due(now_us += 1'000);
  ASSERT_EQ(out.own_blocks.size(), 1U);
  EXPECT_EQ(out.own_blocks[0].tick, Tick{70});
  EXPECT_EQ(out.own_blocks[0].held_us, 1'000);
}

TEST_F(BlocksToClients, EndWithTheirSession) {
  queue(1, 0);
  sender.end(slot);
  EXPECT_FALSE(sender.next_us());
  sender.start(slot);
  queue(2, 0);
  sender.send_due(now_us += 1'000);
  EXPECT_THAT(streams(), testing::ElementsAre(stream_gateway, 2));
}

}  // namespace
}  // namespace perigee::gateway
