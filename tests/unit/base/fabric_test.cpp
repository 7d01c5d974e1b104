#include "perigee/base/fabric.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <vector>

namespace perigee {
namespace {

using Bytes = std::vector<std::byte>;

Bytes bytes(std::initializer_list<int> values) {
  Bytes out;
  for (const int value : values) out.push_back(static_cast<std::byte>(value));
  return out;
}

constexpr FabricHeader header{
    .cluster_id = 0x12345678, .kind = FabricSender::Gateway, .slot = 2, .sequence = 9};
const SessionId session = make_session(GatewaySlot{2}, 1, 5);
const Bytes client_frame = bytes({0xaa, 0xbb});

/// The example of proto/WIRE.md, section "Fabric".
const Bytes example = bytes(
    {0x50, 0x46, 0x06, 0x78, 0x56, 0x34, 0x12, 0x00, 0x02, 0x00, 0x09, 0x00, 0x00, 0x00, 0x00,
     0x27, 0x00, 0x05, 0x10, 0x00, 0x00, 0x03, 0x00, 0x00, 0x00, 0x88, 0x77, 0x66, 0x55, 0x44,
     0x33, 0x22, 0x11, 0x01, 0x00, 0x00, 0x00, 0x07, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
     0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x10, 0x00, 0x05,
     0x10, 0x00, 0x00, 0x03, 0x00, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x00, 0xaa, 0xbb});

Bytes written(auto... records) {
  std::array<std::byte, fabric_datagram_bytes_max> buffer;
  FabricWriter writer(buffer, header);
  EXPECT_TRUE((writer.add(records) && ...));
  return {writer.datagram().begin(), writer.datagram().end()};
}

template <class Record>
Record read_back(const Record& record, FabricRecord type) {
  const Bytes datagram = written(record);
  FabricReader reader(datagram);
  EXPECT_EQ(reader.next(), type);
  Record back;
  EXPECT_TRUE(reader.read(back));
  EXPECT_EQ(reader.next(), std::nullopt);
  EXPECT_TRUE(reader.ok());
  return back;
}

/// Reads all records; returns the number of valid ones.
int good_records(std::span<const std::byte> datagram, bool& ok) {
  FabricReader reader(datagram);
  int good = 0;
  while (const auto type = reader.next()) {
    JoinRecord join;
    InputRecord input;
    if (*type == FabricRecord::Join && reader.read(join)) ++good;
    if (*type == FabricRecord::Input && reader.read(input)) ++good;
  }
  ok = reader.ok();
  return good;
}

TEST(TheFabric, WritesTheBytesOfTheSpecification) {
  EXPECT_EQ(written(JoinRecord{session, 0x1122334455667788, RegionId{1}, 7},
                    InputRecord{session, FineTick{256}, stream_owner, client_frame}),
            example);
}

TEST(TheFabric, ReadsTheBytesOfTheSpecification) {
  FabricReader reader(example);
  ASSERT_TRUE(reader.ok());
  EXPECT_EQ(reader.header().cluster_id, 0x12345678U);
  EXPECT_EQ(reader.header().slot, 2);
  EXPECT_EQ(reader.header().sequence, 9U);
  ASSERT_EQ(reader.next(), FabricRecord::Join);
  JoinRecord join;
  ASSERT_TRUE(reader.read(join));
  EXPECT_EQ(session_gateway(join.session), GatewaySlot{2});
  EXPECT_EQ(session_client_slot(join.session), 5U);
  EXPECT_EQ(join.region, RegionId{1});
  EXPECT_EQ(join.issue, 7U);
  ASSERT_EQ(reader.next(), FabricRecord::Input);
  InputRecord input;
  ASSERT_TRUE(reader.read(input));
  EXPECT_THAT(input.frame, testing::ElementsAreArray(client_frame));
}

TEST(TheFabric, NamesTheAccountOfAJoiningPlayer) {
  JoinRecord join{session, 5, RegionId{1}, 7};
  join.account.player_id = 0xfedcba9876543210;
  for (const char letter : std::string_view("Zo\xc3\xab")) join.account.name.push_back(letter);
  join.account.claims.resize(player_claims_bytes_max);
  std::fill(join.account.claims.begin(), join.account.claims.end(), 'c');
  EXPECT_EQ(read_back(join, FabricRecord::Join).account, join.account);
  EXPECT_FALSE(read_back(join, FabricRecord::Join).alone);
  join.alone = true;
  EXPECT_TRUE(read_back(join, FabricRecord::Join).alone);
}

TEST(TheStreamsOfWorkers, NameTheirWorkers) {
  EXPECT_EQ(worker_of_stream(stream_of_worker(WorkerSlot{7})), WorkerSlot{7});
  EXPECT_TRUE(is_worker_stream(stream_of_worker(WorkerSlot::at(workers_max - 1))));
  for (const StreamId other : {stream_owner, stream_gateway}) {
    EXPECT_GE(worker_of_stream(other).index(), workers_max);
    EXPECT_FALSE(is_worker_stream(other));
  }
}

TEST(ASession, NamesEveryGatewayAndClientSlot) {
  for (const std::uint32_t slot : {0U, 254U, 255U, 256U, gateways_max - 1, gateways_max}) {
    const SessionId of_slot = make_session(GatewaySlot::at(slot), 0xfffff, 4095);
    EXPECT_EQ(session_gateway(of_slot), GatewaySlot::at(slot));
    EXPECT_EQ(session_client_slot(of_slot), 4095U);
    EXPECT_NE(of_slot, make_session(GatewaySlot::at(slot), 0xffffe, 4095));
  }
}

TEST(TheFabric, CarriesEveryRecordUnchanged) {
  EXPECT_EQ(read_back(LeaveRecord{session}, FabricRecord::Leave).session, session);
  EXPECT_FALSE(read_back(LeaveRecord{session}, FabricRecord::Leave).lost);
  EXPECT_TRUE(read_back(LeaveRecord{session, true}, FabricRecord::Leave).lost);
  EXPECT_EQ(read_back(LeftRecord{session}, FabricRecord::Left).session, session);
  EXPECT_EQ(read_back(JoinedRecord{session, 77}, FabricRecord::Joined).avatar, 77U);
  EXPECT_EQ(read_back(RefusedRecord{session, RefuseReason::NotReady}, FabricRecord::Refused).reason,
            RefuseReason::NotReady);
  EXPECT_EQ(read_back(BlockRecord{session, 3, client_frame}, FabricRecord::Block).priority, 3);
  const ObserverRecord observer{session, Tick{9}, {1, 2, 3}, {4, 5, 6}, 300, 1.5F, 90};
  const ObserverRecord back = read_back(observer, FabricRecord::Observer);
  EXPECT_EQ(back.position, observer.position);
  EXPECT_EQ(back.velocity, observer.velocity);
  EXPECT_EQ(back.stretch, 1.5F);
  EXPECT_EQ(back.near_m, 90);
  const TallyRecord tally{session, Tick{60}, 700, {1, 2, 3, 4, 5, 6, 7, 8, 9, 65535}};
  const TallyRecord counted = read_back(tally, FabricRecord::Tally);
  EXPECT_EQ(counted.counted, tally.counted);
  EXPECT_EQ(counted.bytes, 700U);
  EXPECT_EQ(counted.within, tally.within);
}

TEST(TheFabric, KeepsWhatCameBeforeATruncation) {
  constexpr std::size_t header_bytes = 14;
  constexpr std::size_t join_end = header_bytes + 3 + 39;
  for (std::size_t size = 0; size < example.size(); ++size) {
    bool ok = true;
    const int good = good_records(std::span(example).first(size), ok);
    EXPECT_EQ(good, size >= join_end ? 1 : 0) << size;
    EXPECT_EQ(ok, size == header_bytes || size == join_end) << size;
  }
}

TEST(TheFabric, RefusesWhatTheSpecificationDoesNotKnow) {
  const auto refused = [](std::size_t position, int value) {
    Bytes spoilt = example;
    spoilt[position] = static_cast<std::byte>(value);
    bool ok = true;
    good_records(spoilt, ok);
    return !ok;
  };
  EXPECT_TRUE(refused(0, 0x51)) << "magic";
  EXPECT_TRUE(refused(2, 1)) << "version";
  EXPECT_TRUE(refused(7, 2)) << "kind of sender";
  EXPECT_TRUE(refused(14, 9)) << "type of record";
  EXPECT_TRUE(refused(15, 0x26)) << "this Join is 39 bytes";
  EXPECT_TRUE(refused(15, 0x28)) << "this Join is 39 bytes";
  EXPECT_FALSE(refused(3, 0)) << "any incarnation is well-formed";
}

TEST(TheFabric, LeavesADatagramUnchangedWhenARecordDoesNotFit) {
  std::array<std::byte, 70> buffer;
  FabricWriter writer(buffer, header);
  ASSERT_TRUE(writer.add(JoinRecord{session, 1, RegionId{1}}));
  const std::size_t size = writer.datagram().size();
  EXPECT_FALSE(writer.add(JoinRecord{session, 2, RegionId{1}}));
  EXPECT_EQ(writer.datagram().size(), size);
  EXPECT_TRUE(writer.add(LeaveRecord{session}));
}

}  // namespace
}  // namespace perigee
