// Frames of clients and records of workers reach the components that they are for.
#include "perigee/base/wire_world.hpp"
#include "without_core.hpp"

namespace perigee::gateway {
namespace {

struct Routes : WithBlocks {
  std::uint32_t slot = connect(1);
};

struct FramesOfClients : Routes {
  ResumeTokens tokens{{.self = GatewaySlot{3},
                       .map = map,
                       .sessions = sessions,
                       .payloads = payloads,
                       .outputs = out,
                       .counts = counts}};
  TechniqueOrders orders{{.sessions = sessions,
                          .payloads = payloads,
                          .outputs = out,
                          .counts = counts,
                          .drops = drops}};
  ClientFrames routed{{.map = map,
                       .links = links,
                       .sessions = sessions,
                       .joins = joins,
                       .echoes = echoes,
                       .resume_tokens = tokens,
                       .technique_orders = orders,
                       .telemetry = telemetry,
                       .counts = counts,
                       .drops = drops}};
  void send_frames(StreamId stream, const Bytes& bytes) {
    Bytes buffer(bytes.size() + frame_header_bytes_max);
    FrameWriter writer(buffer);
    ASSERT_TRUE(writer.add(stream, bytes));
    routed.on_payload(now_us, {now_us, FineTick{5}}, {slot, 1, writer.payload()});
  }
  std::vector<InputRecord> inputs_to(WorkerSlot worker) {
    return records<InputRecord>(worker, FabricRecord::Input);
  }
};

TEST_F(FramesOfClients, GoToTheAvatarsOwnerAndToItsStandby) {
  map.workers[0].standby = WorkerSlot{1};
  joins.start(now_us, slot, RegionId{100});
  send_frames(stream_owner, filled(4, 1));
  EXPECT_EQ(drops[Drop::FrameBeforeJoined], 1U);
  joins.on_joined(now_us, slot, WorkerSlot{0});
  send_frames(stream_owner, filled(4, 1));
  links.flush();
  const auto sent = out.fabric;
  const auto to_owner = inputs_to(WorkerSlot{0});
  ASSERT_EQ(to_owner.size(), 1U);
  EXPECT_EQ(to_owner[0].stream, stream_owner);
  EXPECT_EQ(to_owner[0].received, FineTick{5});
  out.fabric = sent;
  const auto to_standby = inputs_to(WorkerSlot{1});
  ASSERT_EQ(to_standby.size(), 1U);
  EXPECT_EQ(to_standby[0].stream, stream_of_worker(WorkerSlot{0}));
  EXPECT_EQ(counts[metric.frames_forwarded], 1U);
}

TEST_F(FramesOfClients, GoToTheWorkerThatTheyName) {
  send_frames(stream_of_worker(WorkerSlot{1}), filled(4, 2));
  EXPECT_EQ(inputs_to(WorkerSlot{1}).size(), 1U);
  send_frames(stream_of_worker(WorkerSlot{9}), filled(4, 2));
  EXPECT_EQ(drops[Drop::FrameUnknownWorker], 1U);
}

TEST_F(FramesOfClients, ToTheGatewayGoToTheirComponent) {
  sessions.set_phase(slot, Session::Phase::Playing);
  transport::ConnectTokenSpec resume{.expire_time_s = 300, .client_id = 1};
  resume.public_addresses.push_back(public_address);
  resume.server_addresses.push_back(public_address);
  tokens.on_token(now_us, 1,
                  transport::make_connect_token(resume, settings.private_key, random).value());
  Bytes bytes(resume_received_bytes);
  ByteWriter writer(bytes);
  ASSERT_TRUE(write_resume_received(writer, 1));
  send_frames(stream_gateway, bytes);
  EXPECT_EQ(counts[metric.resume_tokens_acknowledged], 1U);
  std::array<std::byte, 1200> report;
  send_frames(stream_gateway, bytes_of(write_telemetry({.interval_ms = 500}, report)));
  EXPECT_EQ(out.telemetry.size(), 1U);
  send_frames(stream_gateway, filled(3, 99));
  EXPECT_EQ(drops[Drop::FrameUnknownKind], 1U);
}

struct RecordsOfWorkers : Routes {
  WorkerRecords routed{{.links = links,
                        .sessions = sessions,
                        .joins = joins,
                        .leaves = leaves,
                        .endings = endings,
                        .block_sender = sender,
                        .counts = counts,
                        .drops = drops}};
  template <class Record>
  void from(const Address& address, const Record& record) {
    std::array<std::byte, fabric_datagram_bytes_max> buffer;
    FabricWriter writer(buffer, {9, FabricSender::Worker, 0, 0});
    ASSERT_TRUE(writer.add(record));
    routed.on_datagram(now_us, address, writer.datagram());
  }
  template <class Record>
  void from_worker(const Record& record) {
    from(fabric_of_worker[0], record);
  }
};

TEST_F(RecordsOfWorkers, BringTheSessionIntoTheGame) {
  joins.start(now_us, slot, RegionId{100});
  from(fabric_of_worker[1], JoinedRecord{id(slot), 77});
  EXPECT_EQ(drops[Drop::FabricUnknownSender], 1U);
  from_worker(JoinedRecord{id(slot) + 1, 77});
  EXPECT_EQ(drops[Drop::FabricUnknownSession], 1U);
  EXPECT_FALSE(sessions.is_playing(slot));
  from_worker(JoinedRecord{id(slot), 77});
  EXPECT_TRUE(sessions.is_playing(slot));
}

TEST_F(RecordsOfWorkers, DoNotJoinASessionThatIsLeavingThatWorker) {
  joins.start(now_us, slot, RegionId{100});
  leaves.send(now_us, id(slot), WorkerSlot{0}, false);
  from_worker(JoinedRecord{id(slot), 77});
  EXPECT_FALSE(sessions.is_playing(slot));
  from_worker(LeftRecord{id(slot)});
  EXPECT_EQ(leaves.size(), 0U);
}

TEST_F(RecordsOfWorkers, BringBlocksToTheClient) {
  BlockHeader header;
  header.tick = Tick{70};
  std::array<std::byte, 64> bytes;
  const BlockWriter block(bytes, header);
  from_worker(BlockRecord{id(slot), 0, block.bytes()});
  sender.send_due(now_us);
  const auto received = frames(slot);
  ASSERT_EQ(received.size(), 2U);
  EXPECT_EQ(received[1].stream, stream_of_worker(WorkerSlot{0}));
  EXPECT_EQ(received[1].bytes, bytes_of(block.bytes()));
  ASSERT_EQ(out.own_blocks.size(), 1U);
  EXPECT_EQ(out.own_blocks[0].tick, Tick{70});
}

TEST_F(RecordsOfWorkers, AreDroppedIfTheirBlockIsEmptyOrTooLarge) {
  from_worker(BlockRecord{id(slot), 0, {}});
  EXPECT_EQ(drops[Drop::BlockEmpty], 1U);
  const Bytes large = filled(block_bytes_limit + 1, 1);
  from_worker(BlockRecord{id(slot), 0, large});
  EXPECT_EQ(drops[Drop::BlockTooLarge], 1U);
  EXPECT_FALSE(sender.next_us());
}

}  // namespace
}  // namespace perigee::gateway
