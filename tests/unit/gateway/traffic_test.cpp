// Frames to workers, blocks to clients.
#include "fixture.hpp"
#include "perigee/base/wire_world.hpp"

namespace perigee::gateway {
namespace {

using Traffic = GatewayTest;

// D3
TEST_F(Traffic, FramesReachTheirWorkersWithTheStampOfTheirArrival) {
  const auto player = join(1);
  send_frames(*player, plus(frame(stream_owner, filled(20, 1)),
                            frame(stream_of_worker(WorkerSlot{1}), filled(5, 2))));
  core->flush();
  ASSERT_EQ(out.fabric.size(), 2u);
  const auto copy = out.fabric;
  const auto owner = take<InputRecord>(WorkerSlot{0});
  ASSERT_EQ(owner.size(), 1u);
  EXPECT_EQ(owner[0].session, session);
  EXPECT_EQ(owner[0].received, stamp());
  EXPECT_EQ(owner[0].stream, stream_owner);
  EXPECT_EQ(bytes_of(owner[0].frame), filled(20, 1));
  out.fabric = copy;
  const auto other = take<InputRecord>(WorkerSlot{1});
  ASSERT_EQ(other.size(), 1u);
  EXPECT_EQ(other[0].stream, stream_of_worker(WorkerSlot{1}));
  EXPECT_EQ(bytes_of(other[0].frame), filled(5, 2));
}

// Its stream has two bytes in the client's payloads.
TEST_F(Traffic, AClusterMayHaveMoreWorkersThanAByteCounts) {
  const auto far = WorkerSlot::at(workers_max - 1);
  const Address fabric = Address::v4(10, 0, 3, 1, 40040);
  map.workers.push_back({.slot = far, .fabric = fabric, .alive = true});
  ++map.version;
  core->on_map(now_us, map);
  const auto player = join(1);
  from_worker_at(fabric, {9, FabricSender::Worker, far.number, 0},
                 BlockRecord{session, 0, filled(30, 5)});
  pass_time(3'000, {player.get()});
  const auto& frames = player->payloads.back();
  ASSERT_EQ(frames.size(), 2u);
  EXPECT_EQ(frames[1].stream, stream_of_worker(far));
  EXPECT_EQ(frames[1].bytes, filled(30, 5));
  take<InputRecord>();
  Bytes answer(10);
  FrameWriter writer(answer);
  ASSERT_TRUE(writer.add(stream_of_worker(far), filled(5, 2)));
  send_frames(*player, bytes_of(writer.payload()));
  const auto inputs = take<InputRecord>();
  ASSERT_EQ(inputs.size(), 1u);
  EXPECT_EQ(inputs[0].stream, stream_of_worker(far));
  EXPECT_EQ(bytes_of(inputs[0].frame), filled(5, 2));
}

TEST_F(Traffic, FramesForTheOwnerGoToItsStandbyToo) {
  map.workers[0].standby = WorkerSlot{1};
  ++map.version;
  core->on_map(now_us, map);
  const auto player = join(1);
  const auto both = plus(frame(stream_owner, filled(20, 1)),
                         frame(stream_of_worker(WorkerSlot{0}), filled(5, 2)));
  send_frames(*player, both);
  core->flush();
  const auto copy = out.fabric;
  EXPECT_EQ(take<InputRecord>(WorkerSlot{0}).size(), 2u);
  out.fabric = copy;
  const auto standby = take<InputRecord>(WorkerSlot{1});
  ASSERT_EQ(standby.size(), 1u) << "acknowledgements of blocks are nobody else's";
  EXPECT_EQ(standby[0].session, session);
  EXPECT_EQ(standby[0].received, stamp());
  EXPECT_EQ(standby[0].stream, stream_of_worker(WorkerSlot{0})) << "whose standby it is";
  EXPECT_EQ(bytes_of(standby[0].frame), filled(20, 1));
  map.workers[1].alive = false;
  ++map.version;
  core->on_map(now_us, map);
  send_frames(*player, both);
  EXPECT_TRUE(take<InputRecord>(WorkerSlot{1}).empty());
}

TEST_F(Traffic, FramesOfOneTurnShareDatagramsWithRisingSequences) {
  const auto player = join(1);
  for (int i = 0; i < 3; ++i) send_frames(*player, frame(stream_owner, filled(600, i)));
  core->flush();
  ASSERT_EQ(out.fabric.size(), 2u);
  EXPECT_EQ(FabricReader(out.fabric[0].bytes).header().sequence + 1,
            FabricReader(out.fabric[1].bytes).header().sequence);
  EXPECT_EQ(take<InputRecord>(WorkerSlot{0}).size(), 3u);
}

TEST_F(Traffic, FramesForTheOwnerWaitForNobodyBeforeTheJoin) {
  const auto player = connect(1);
  send_frames(*player, frame(stream_owner, filled(20, 1)));
  EXPECT_EQ(dropped(Drop::FrameBeforeJoined), 1u);
  EXPECT_TRUE(take<InputRecord>().empty());
}

// K20: for the latency waterfall; blocks without the own avatar do not count
TEST_F(Traffic, BlocksWithTheOwnAvatarAreTimedFromTheirArrivalOn) {
  const auto player = join(1);
  Bytes bytes(100);
  BlockHeader header;
  header.tick = Tick{7'000};
  const Bytes whole = bytes_of(BlockWriter(bytes, header).bytes());
  block(WorkerSlot{0}, 0, whole);
  block(WorkerSlot{1}, 3, whole);
  pass_time(5'000, {player.get()});
  ASSERT_EQ(out.own_blocks.size(), 1u);
  EXPECT_EQ(out.own_blocks[0].tick, Tick{7'000});
  EXPECT_EQ(out.own_blocks[0].held_us, settings.coalesce_us);
  block(WorkerSlot{0}, 0, filled(3, 9));
  pass_time(5'000, {player.get()});
  EXPECT_EQ(out.own_blocks.size(), 1u) << "forwarded, but its tick is not known";
}

TEST_F(Traffic, FramesForWorkersOutsideTheMapAreDropped) {
  const auto player = join(1);
  send_frames(*player,
              plus(frame(stream_of_worker(WorkerSlot{7}), filled(2, 1)), frame(199, filled(2, 1))));
  EXPECT_EQ(dropped(Drop::FrameUnknownWorker), 2u);
}

TEST_F(Traffic, TheLargestFrameFitsAFabricDatagram) {
  const auto player = join(1);
  send_frames(*player, frame(stream_owner, filled(1197, 1)));
  EXPECT_EQ(take<InputRecord>(WorkerSlot{0}).at(0).frame.size(), 1197u);
}

TEST_F(Traffic, TheFramesBeforeAMalformedOneCount) {
  const auto player = join(1);
  const Bytes good = frame(stream_owner, filled(4, 1));
  const Bytes second = frame(stream_owner, filled(4, 2));
  for (std::size_t size = 0; size < second.size(); ++size) {
    const std::uint64_t before = dropped(Drop::FrameMalformed);
    send_frames(*player,
                plus(good, Bytes(second.begin(), second.begin() + static_cast<long>(size))));
    EXPECT_EQ(dropped(Drop::FrameMalformed), before + (size > 0));
  }
  EXPECT_EQ(take<InputRecord>(WorkerSlot{0}).size(), second.size());
}

TEST_F(Traffic, NoBytesOfAClientEndTheGateway) {
  const std::uint64_t seed = 77;
  SCOPED_TRACE("seed " + std::to_string(seed));
  Random luck(seed);
  const auto player = join(1);
  const Bytes good = plus(frame(stream_owner, filled(30, 1)), frame(stream_gateway, filled(9, 1)));
  for (int i = 0; i < 3'000; ++i) {
    Bytes payload = good;
    if (i % 2) {
      payload.resize(1 + luck.below(1200));
      for (std::byte& b : payload) b = static_cast<std::byte>(luck.next());
    } else {
      payload[luck.below(static_cast<std::uint32_t>(payload.size()))] ^=
          static_cast<std::byte>(1 << luck.below(8));
    }
    now_us += 5'000;
    send_frames(*player, payload);
    core->advance(now_us, unix_s());
    core->flush();
    out.fabric.clear();
    out.clients.clear();
  }
  EXPECT_TRUE(player->client.connected());
  EXPECT_EQ(core->snapshot().playing, 1u);
  EXPECT_GT(dropped(Drop::FrameMalformed), 0u);
}

TEST_F(Traffic, ManySmallFramesAreBounded) {
  const auto player = join(1);
  Bytes payload;
  for (int i = 0; i < 100; ++i) payload = plus(payload, frame(stream_owner, filled(1, i)));
  send_frames(*player, payload);
  EXPECT_EQ(take<InputRecord>(WorkerSlot{0}).size(), ClientFrames::frames_per_payload_max);
  EXPECT_EQ(dropped(Drop::FrameMalformed), 1u);
}

// V1: no client can flood the server
TEST_F(Traffic, AClientThatSendsTooOftenIsThinnedOut) {
  const auto player = join(1);
  for (int i = 0; i < 2'000; ++i) {
    send_frames(*player, frame(stream_owner, filled(4, 1)));
    now_us += 1'000;
  }
  EXPECT_NEAR(static_cast<double>(counted(metric.frames_forwarded)), 2 * 240 + 60, 2);
  EXPECT_EQ(counted(metric.frames_forwarded) +
                core->snapshot().transport_drops[transport::Drop::PacketOverRate],
            2'000u);
}

TEST_F(Traffic, BlocksOfBothWorkersShareAPayloadOwnAvatarFirst) {
  const auto player = join(1);
  block(WorkerSlot{1}, 2, filled(100, 3));
  block(WorkerSlot{0}, 0, filled(200, 4));
  send_down(*player);
  EXPECT_TRUE(player->payloads.empty());  // blocks wait for more blocks
  pass_time(1'000, {player.get()});
  ASSERT_EQ(player->payloads.size(), 1u);
  const auto& frames = player->payloads[0];
  ASSERT_EQ(frames.size(), 3u);
  EXPECT_EQ(frames[0].stream, stream_gateway);
  EXPECT_EQ(frames[1].stream, stream_of_worker(WorkerSlot{0}));
  EXPECT_EQ(frames[1].bytes, filled(200, 4));
  EXPECT_EQ(frames[2].stream, stream_of_worker(WorkerSlot{1}));
  EXPECT_EQ(frames[2].bytes, filled(100, 3));
}

TEST_F(Traffic, BlocksWaitNoLongerThanTheyMayAfterTheFirst) {
  const auto player = join(1);
  const Micros first = now_us;
  block(WorkerSlot{0}, 0, filled(10, 1));
  EXPECT_EQ(core->next_deadline(), std::min(core->next_deadline(), first + 1'000));
  now_us += 900;
  block(WorkerSlot{0}, 0, filled(10, 2));
  core->advance(first + 999, unix_s());
  EXPECT_EQ(counted(metric.payloads_sent), 0u);
  core->advance(first + 1'000, unix_s());
  EXPECT_EQ(counted(metric.payloads_sent), 1u);
  EXPECT_EQ(counted(metric.blocks_sent), 2u);
}

TEST_F(Traffic, TheEchoNamesTheNewestPayloadAndHowLongItWasHeld) {
  const auto player = join(1);
  block(WorkerSlot{0}, 0, filled(10, 1));
  pass_time(1'000, {player.get()});
  EXPECT_EQ(read_echo(player->payloads.at(0).at(0).bytes)->hold_steps, EchoFrame::no_hold);
  const auto sequence = player->client.send_payload(now_us, frame(stream_owner, filled(4, 1)));
  send_up(*player);  // received 300 us before it is processed
  now_us += 2'000;
  block(WorkerSlot{0}, 0, filled(10, 2));
  now_us += 1'000;
  core->advance(now_us, unix_s());
  send_down(*player);
  const auto echo = read_echo(player->payloads.at(1).at(0).bytes);
  ASSERT_TRUE(echo);
  EXPECT_EQ(echo->newest_sequence, static_cast<std::uint16_t>(*sequence));
  EXPECT_EQ(echo->hold_steps, 3'300 / EchoFrame::hold_step_us);
}

TEST_F(Traffic, OneFlushIsAtMostFourPayloadsTheRestFollows) {
  const auto player = join(1);
  for (int i = 0; i < 6; ++i) block(WorkerSlot{0}, 1, filled(1'100, i));
  pass_time(1'000, {player.get()});
  EXPECT_EQ(player->payloads.size(), 4u);
  pass_time(1'000, {player.get()});
  ASSERT_EQ(player->payloads.size(), 6u);
  EXPECT_EQ(player->payloads[4][0].stream, stream_gateway);
  EXPECT_EQ(player->payloads[5].back().bytes, filled(1'100, 5));
}

TEST_F(Traffic, ABlockThatFillsAPayloadPostponesTheEcho) {
  const auto player = join(1);
  block(WorkerSlot{0}, 0, filled(block_bytes_limit, 1));
  block(WorkerSlot{0}, 1, filled(block_bytes_max, 2));
  pass_time(1'000, {player.get()});
  ASSERT_EQ(player->payloads.size(), 2u);
  EXPECT_EQ(player->payloads[0].size(), 1u);
  EXPECT_EQ(player->payloads[1].size(), 2u);
  EXPECT_EQ(player->payloads[1][0].stream, stream_gateway);
}

TEST_F(Traffic, BlocksThatFitNoPayloadAreTheWorkersMistake) {
  const auto player = join(1);
  block(WorkerSlot{0}, 0, filled(block_bytes_limit + 1, 1));
  block(WorkerSlot{0}, 0, {});
  pass_time(2'000, {player.get()});
  EXPECT_TRUE(player->payloads.empty());
  EXPECT_EQ(dropped(Drop::BlockTooLarge), 1u);
  EXPECT_EQ(dropped(Drop::BlockEmpty), 1u);
}

TEST_F(Traffic, TooManyBlocksLoseTheLeastImportant) {
  const auto player = join(1);
  for (int i = 0; i < 20; ++i) block(WorkerSlot{0}, 5, filled(20, i));
  block(WorkerSlot{1}, 0, filled(20, 99));
  EXPECT_EQ(dropped(Drop::BlockQueueFull), 5u);
  pass_time(1'000, {player.get()});
  ASSERT_EQ(player->payloads.size(), 1u);
  ASSERT_EQ(player->payloads[0].size(), 17u);
  EXPECT_EQ(player->payloads[0][1].bytes, filled(20, 99));
  EXPECT_EQ(player->payloads[0][16].bytes, filled(20, 14));
}

TEST_F(Traffic, BlocksQueuedForAPlayerWhoLeftReachNobody) {
  const auto player = join(1);
  block(WorkerSlot{0}, 0, filled(20, 1));
  player->client.disconnect(now_us);
  send_up(*player);
  pass_time(5'000, {player.get()});
  EXPECT_EQ(counted(metric.payloads_sent), 0u);
}

TEST_F(Traffic, OnlyTheWorkerItselfMaySpeakForIt) {
  const auto player = join(1);
  const Bytes bytes = filled(4, 1);
  const BlockRecord record{session, 0, bytes};
  from_worker_at(fabric_of_worker[1], {9, FabricSender::Worker, 0, 0}, record);
  from_worker_at(fabric_of_worker[0], {9, FabricSender::Gateway, 0, 0}, record);
  from_worker_at(fabric_of_worker[0], {9, FabricSender::Worker, 5, 0}, record);
  from_worker_at(fabric_of_worker[0], {9, FabricSender::Worker, 255, 0}, record);
  EXPECT_EQ(dropped(Drop::FabricUnknownSender), 4u);
  from_worker_at(fabric_of_worker[0], {8, FabricSender::Worker, 0, 0}, record);
  EXPECT_EQ(dropped(Drop::FabricWrongClusterId), 1u);
  from_worker(WorkerSlot{0}, JoinRecord{session, 1, RegionId{1}}, LeaveRecord{session},
              InputRecord{session, {}, 0, {}}, ObserverRecord{});
  EXPECT_EQ(dropped(Drop::FabricUnexpectedRecord), 4u);
  EXPECT_EQ(counted(metric.blocks_received), 0u);
}

TEST_F(Traffic, SessionsOfOtherGatewaysAreUnknown) {
  const auto player = join(1);
  from_worker(WorkerSlot{0}, BlockRecord{make_session(GatewaySlot{4}, 1, 0), 0, filled(4, 1)},
              BlockRecord{make_session(GatewaySlot{3}, 1, 4000), 0, filled(4, 1)},
              BlockRecord{0, 0, filled(4, 1)});
  EXPECT_EQ(dropped(Drop::FabricUnknownSession), 3u);
}

TEST_F(Traffic, NoBytesOfTheFabricEndTheGateway) {
  const std::uint64_t seed = 78;
  SCOPED_TRACE("seed " + std::to_string(seed));
  Random luck(seed);
  const auto player = join(1);
  std::array<std::byte, fabric_datagram_bytes_max> buffer;
  FabricWriter writer(buffer, {9, FabricSender::Worker, 0, 0});
  const Bytes bytes = filled(300, 1);
  ASSERT_TRUE(writer.add(BlockRecord{session, 0, bytes}));
  ASSERT_TRUE(writer.add(JoinedRecord{session, 0}));
  ASSERT_TRUE(writer.add(LeftRecord{session}));
  const Bytes good = bytes_of(writer.datagram());
  for (std::size_t size = 0; size < good.size(); ++size) {
    core->on_fabric_datagram(now_us, fabric_of_worker[0], std::span(good).first(size));
  }
  for (std::size_t bit = 0; bit < good.size() * 8; ++bit) {
    Bytes bad = good;
    bad[bit / 8] ^= static_cast<std::byte>(1 << bit % 8);
    core->on_fabric_datagram(now_us, fabric_of_worker[0], bad);
    now_us += 100;
    core->advance(now_us, unix_s());
  }
  for (int i = 0; i < 3'000; ++i) {
    Bytes noise(luck.below(1400));
    for (std::byte& b : noise) b = static_cast<std::byte>(luck.next());
    std::copy_n(good.begin(), std::min<std::size_t>(noise.size(), 13), noise.begin());
    core->on_fabric_datagram(now_us, fabric_of_worker[0], noise);
  }
  EXPECT_GT(dropped(Drop::FabricMalformed), 300u);
  EXPECT_EQ(core->snapshot().playing, 1u);
}

TEST_F(Traffic, TelemetryThatCannotBeTrueIsCountedAndDropped) {
  const auto player = join(1);
  Telemetry telemetry{.interval_ms = 1000, .bytes_received = 0xffff'ffff};
  telemetry.corrections.fill(65'535);
  std::array<std::byte, telemetry_bytes_max> buffer;
  const Bytes bytes = bytes_of(write_telemetry(telemetry, buffer));
  for (int i = 0; i < 25; ++i) {
    send_frames(*player, frame(stream_gateway, bytes));
    now_us += 200'000;
  }
  EXPECT_TRUE(out.telemetry.empty());
  EXPECT_EQ(dropped(Drop::TelemetryImplausible), 25u);
}

TEST_F(Traffic, TelemetryReachesTheSinkButNotTooOften) {
  const auto player = join(1);
  Telemetry telemetry{.interval_ms = 1000, .rtt_us = 40'000, .loss_permille = 5};
  telemetry.corrections[static_cast<std::size_t>(CorrectionCause::Migration)] = 3;
  std::array<std::byte, telemetry_bytes_max> buffer;
  const Bytes bytes = bytes_of(write_telemetry(telemetry, buffer));
  send_frames(*player, frame(stream_gateway, bytes));
  ASSERT_EQ(out.telemetry.size(), 1u);
  EXPECT_EQ(out.telemetry[0].rtt_us, 40'000u);
  EXPECT_EQ(out.telemetry[0].corrections, telemetry.corrections);
  send_frames(*player, frame(stream_gateway, bytes));
  EXPECT_EQ(dropped(Drop::TelemetryTooOften), 1u);
  now_us += 200'000;
  send_frames(*player, frame(stream_gateway, bytes));
  EXPECT_EQ(out.telemetry.size(), 2u);
  send_frames(*player, frame(stream_gateway, Bytes(bytes.begin(), bytes.end() - 1)));
  EXPECT_EQ(dropped(Drop::FrameMalformed), 1u);
  send_frames(*player, frame(stream_gateway, filled(4, 200)));
  EXPECT_EQ(dropped(Drop::FrameUnknownKind), 1u);
  EXPECT_TRUE(take<InputRecord>().empty());
}

TEST_F(Traffic, TheSnapshotAddsUp) {
  const auto player = join(1);
  send_frames(*player, frame(stream_owner, filled(4, 1)));
  core->on_client_datagram(now_us, unix_s(), {player_address(9), now_us, stamp(), {}});
  const Snapshot snapshot = core->snapshot();
  EXPECT_EQ(snapshot.sessions, 1u);
  EXPECT_EQ(snapshot.counts[metric.payloads_received], 1u);
  EXPECT_EQ(snapshot.counts[metric.sessions_started], 1u);
  EXPECT_EQ(snapshot.transport_drops[transport::Drop::Empty], 1u);
  EXPECT_EQ(snapshot.counts[metric.client_datagrams_received], 4u);
  EXPECT_GT(snapshot.counts[metric.client_bytes_received], 1078u + 326u);
}

}  // namespace
}  // namespace perigee::gateway
