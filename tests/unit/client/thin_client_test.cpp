// Thin clients against hand-made payloads: the same server as for full clients.
#include "perigee/client/thin_client.hpp"

#include <set>

#include "a_client.hpp"

namespace perigee::client {
namespace {

struct AThinClient : AClientOf<ThinClient> {
  AThinClient() { walker.input.forward = 100; }
  /// Largest distance between a claim and the final state of its tick.
  double largest_error_m() const {
    double out = 0;
    for (const ControlFrame& control : controls) {
      const Tick at = control.inputs[0].tick + 1;
      const auto final = worker.finals.find(at.count);
      if (final == worker.finals.end() || control.claimed_parent != final->second.parent) continue;
      out = std::max(out,
                     distance(to_double(control.claimed_position), final->second.state.position));
    }
    return out;
  }
};

TEST_F(AThinClient, SendsAnInputForEveryTickAheadOfTheWorker) {
  play(240);
  EXPECT_TRUE(client.playing());
  ASSERT_GT(walker.ticks.size(), 200U);
  std::set<std::uint32_t> sent;
  for (const ControlFrame& control : controls) {
    for (const PlayerInput& input : control.inputs) sent.insert(input.tick.count);
  }
  for (std::size_t i = 1; i < walker.ticks.size(); ++i) {
    ASSERT_EQ(walker.ticks[i], walker.ticks[i - 1] + 1);
  }
  EXPECT_EQ(sent.size(), client.inputs_sent());
  EXPECT_GT(ticks_between(worker.now(), client.avatar().next()), 0);
  EXPECT_GT(client.telemetry().full_loop_rtt_us(), 0) << "its inputs were applied";
  EXPECT_EQ(client.telemetry().malformed(), 0U);
  EXPECT_GE(reports.size(), 2U) << "one per second";
}

TEST_F(AThinClient, ClaimsAPlaceNearTheFinalOne) {
  play(240);
  controls.erase(controls.begin(),
                 controls.begin() + static_cast<std::ptrdiff_t>(controls.size() / 2));
  EXPECT_LT(largest_error_m(), 0.5) << "a worker records claims that are farther off";
  EXPECT_GT(largest_error_m(), 0);
}

TEST_F(AThinClient, AcknowledgesBlocksAndEventsAsAFullClientDoes) {
  play(60);
  ASSERT_FALSE(acknowledgements.empty());
  EXPECT_EQ(acknowledgements.back().events.next, next_event);
  EXPECT_EQ(acknowledgements.back().stream_epoch, epoch);
  EXPECT_NE(acknowledgements.back().complete.bits, 0U);
}

TEST_F(AThinClient, StartsAnewAfterAHardReset) {
  play(120);
  controls.clear();
  OwnSection own = worker.own(worker.now());
  own.reset_epoch = 1;
  send_frame(stream, block(worker.now() + 1, &own));
  for (int i = 0; i < 5; ++i) frame();
  ASSERT_FALSE(controls.empty());
  EXPECT_EQ(controls.back().reset_epoch, 1);
  EXPECT_EQ(client.verdicts().hard_resets, 1U);
  client.restart_totals();
  EXPECT_EQ(client.verdicts().hard_resets, 0U);
}

TEST_F(AThinClient, CountsLateInputsAndGuessedTicks) {
  play(60);
  OwnSection own = worker.own(worker.now());
  own.late = 3;
  own.guessed = 2;
  send_frame(stream, block(worker.now() + 1, &own));
  EXPECT_EQ(client.verdicts().late, 3U);
  EXPECT_EQ(client.verdicts().guessed, 2U);
}

TEST_F(AThinClient, ReportsChunksOfGroundAsReceived) {
  play(60);
  OwnSection own = worker.own(worker.now());
  own.chunks.push_back({77, 5, 9});
  send_frame(stream, block(worker.now() + 1, &own));
  now_us += 16'667;
  client.advance(now_us, walker);
  bool reported = false;
  while (const auto out = client.poll_send()) {
    const auto payload = to_server(at, transport::bytes_of(out->datagram));
    if (!payload) continue;
    FrameReader frames(payload->bytes);
    while (const auto one = frames.next()) {
      ChunkFrame chunks;
      if (one->stream != stream || !read_chunks(one->bytes, chunks)) continue;
      ASSERT_EQ(chunks.reports.size(), 1U);
      reported = chunks.reports[0].has == ChunkVersion{77, 5, 9} && !chunks.reports[0].lacks;
    }
  }
  EXPECT_TRUE(reported);
}

TEST_F(AThinClient, StopsWhenTheWorkerFallsSilentAndPlaysAgain) {
  play(60);
  for (int i = 0; i < 200; ++i) {
    frame();
    send_echo();  // the gateway lives
  }
  EXPECT_FALSE(client.playing());
  EXPECT_EQ(client.telemetry().totals().stalls, 1U);
  for (int i = 0; i < 200; ++i) worker.tick({});
  play(60);
  EXPECT_TRUE(client.playing());
}

}  // namespace
}  // namespace perigee::client
