// Blocks of several workers, without a client.
#include "perigee/client/stream_receiver.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "perigee/base/fabric.hpp"
#include "perigee/base/wire_client.hpp"
#include "track_records.hpp"

namespace perigee::client {
namespace {

using testing::ElementsAre;

/// Notes every call as a word.
class Notes final : public BlockHandler {
 public:
  void on_new_cluster_id() override { words.emplace_back("incarnation"); }
  void on_stream_restart(StreamId stream) override {
    words.push_back("restart " + std::to_string(stream));
  }
  void on_own(const BlockSource& from, const OwnSection&) override {
    words.push_back("own " + std::to_string(from.tick.count));
  }
  void on_late_own(const BlockSource& from, const OwnSection&) override {
    words.push_back("late own " + std::to_string(from.tick.count));
  }
  void on_event(const BlockSource&, const WorldEvent& event) override {
    words.push_back("despawn " + std::to_string(std::get<DespawnEvent>(event).handle));
  }
  bool on_record(const BlockSource& from, const GroupFrame&, const TrackRecord& record) override {
    words.push_back("record " + std::to_string(record.handle) + " of " +
                    std::to_string(from.stream));
    return record.handle != unknown;
  }
  void on_cue(const CueEvent& cue) override {
    words.push_back("cue " + std::to_string(cue.entity));
  }
  static constexpr Handle unknown = 8;
  void on_block_end(const BlockSource&, bool with_own) override {
    if (!with_own) words.emplace_back("end");
  }
  std::vector<std::string> words;
};

struct AStreamReceiver : testing::Test {
  static constexpr StreamId first = stream_of_worker(WorkerSlot{0});
  static constexpr StreamId second = stream_of_worker(WorkerSlot{1});
  static constexpr Micros session_us = 5'000'000;
  Notes notes;
  TelemetryLog telemetry;
  StreamReceiver receiver{{.handler = notes, .telemetry = telemetry}};
  BlockHeader header{.cluster_id = 1, .stream_epoch = 100, .tick = Tick{1000}};
  std::array<std::byte, 1150> bytes{};
  TickMask complete;  ///< of the last acknowledgement

  void receive(const BlockWriter& block, StreamId stream = first) {
    receiver.on_block(stream, block.bytes());
  }
  void receive_empty(StreamId stream = first) { receive(BlockWriter(bytes, header), stream); }
  void receive_own() {
    BlockWriter block(bytes, header);
    ASSERT_TRUE(block.own({}));
    receive(block);
  }
  void receive_despawn(std::uint32_t sequence, Handle handle) {
    BlockWriter block(bytes, header);
    ASSERT_TRUE(block.event(Sequence{static_cast<std::uint16_t>(sequence)}, DespawnEvent{handle}));
    receive(block);
  }
  /// Streams with an acknowledgement that is due.
  std::vector<int> acknowledged() {
    std::array<std::byte, 1200> payload;
    FrameWriter writer(payload);
    receiver.write_acknowledgements(writer);
    std::vector<int> out;
    FrameReader reader(writer.payload());
    while (const auto frame = reader.next()) {
      AcknowledgeFrame acknowledge;
      EXPECT_TRUE(read_acknowledge(frame->bytes, acknowledge));
      EXPECT_EQ(acknowledge.stream_epoch, receiver.epoch_of(frame->stream));
      out.push_back(frame->stream);
      complete = acknowledge.complete;
    }
    return out;
  }
  std::vector<std::string> take() { return std::exchange(notes.words, {}); }
};

TEST_F(AStreamReceiver, PassesEventsOnInTheOrderOfTheirSequences) {
  receive_despawn(1, 11);
  EXPECT_THAT(take(), ElementsAre("incarnation", "end"));
  receive_despawn(0, 10);
  EXPECT_THAT(take(), ElementsAre("despawn 10", "despawn 11", "end"));
  receive_despawn(0, 10);
  EXPECT_THAT(take(), ElementsAre("end")) << "a repetition";
}

TEST_F(AStreamReceiver, TellsOwnSectionsFromThoseThatWereOvertaken) {
  receive_own();
  EXPECT_THAT(take(), ElementsAre("incarnation", "own 1000"));
  header.tick = Tick{998};
  receive_own();
  EXPECT_THAT(take(), ElementsAre("late own 998", "end")) << "overtaken";
  header.tick = Tick{1002};
  receive_own();
  EXPECT_THAT(take(), ElementsAre("own 1002"));
}

// A tick's blocks are packets of their own, and the own section is in the first.
TEST_F(AStreamReceiver, PassesTheOwnSectionOnAfterAnotherPartOfItsTick) {
  receive_empty();
  EXPECT_THAT(take(), ElementsAre("incarnation", "end"));
  receive_own();
  EXPECT_THAT(take(), ElementsAre("own 1000"));
  receive_own();
  EXPECT_THAT(take(), ElementsAre("late own 1000", "end")) << "a repetition";
}

TEST_F(AStreamReceiver, PassesRecordsOnWithTheirStream) {
  BlockWriter block(bytes, header);
  ASSERT_TRUE(block.begin_group({.block = handle_block(7)}));
  ASSERT_TRUE(test::write(block, test::straight(7, header.tick, {})));
  receive(block, second);
  EXPECT_THAT(take(), ElementsAre("incarnation", "record 7 of 2", "end"));
}

TEST_F(AStreamReceiver, AcknowledgesEachStreamOncePerBlock) {
  receive_empty(first);
  receive_empty(second);
  EXPECT_THAT(acknowledged(), ElementsAre(int{first}, int{second}));
  EXPECT_THAT(acknowledged(), ElementsAre());
  receive_empty(second);
  EXPECT_THAT(acknowledged(), ElementsAre(int{second}));
}

TEST_F(AStreamReceiver, AcknowledgesTheTicksOfWhichAllBlocksArrived) {
  const auto receive_part = [&](std::uint32_t tick, std::uint8_t part, bool last) {
    header.tick = Tick{tick};
    header.part = part;
    BlockWriter block(bytes, header);
    if (!last) block.more_follow();
    receive(block);
  };
  const auto complete_now = [&] {
    acknowledged();
    return complete.bits;
  };
  receive_part(1000, 0, true);
  EXPECT_EQ(complete_now(), 1U);
  receive_part(1004, 2, true);
  EXPECT_EQ(complete_now(), 1U << 2);
  receive_part(1004, 0, false);
  EXPECT_EQ(complete_now(), 1U << 2) << "one of three is missing";
  receive_part(1006, 0, true);
  receive_part(1004, 1, false);
  EXPECT_EQ(complete_now(), 1U | 1U << 1 | 1U << 3);
  receive_part(1068, 0, true);
  EXPECT_EQ(complete_now(), 1U | 1U << 31) << "1006 is 31 steps back, 1004 too long ago";
}

// The worker sends its tracks again, perhaps after the spawn has arrived.
TEST_F(AStreamReceiver, DoesNotAcknowledgeATickWithATrackThatWasOfNoUse) {
  for (const Handle handle : {Handle{7}, Notes::unknown}) {
    header.tick = header.tick + 4;
    BlockWriter block(bytes, header);
    ASSERT_TRUE(block.begin_group({.block = handle_block(handle)}));
    ASSERT_TRUE(test::write(block, test::straight(handle, header.tick, {})));
    receive(block);
  }
  acknowledged();
  EXPECT_EQ(complete.bits, 1U << 2);
}

TEST_F(AStreamReceiver, RestartsAStreamWithItsNextEpoch) {
  receive_despawn(0, 10);
  take();
  header.stream_epoch = 101;
  receive_empty();
  EXPECT_THAT(take(), ElementsAre()) << "no newer than the known epoch: late";
  header.tick = Tick{1002};
  receive_despawn(0, 12);
  EXPECT_THAT(take(), ElementsAre("restart 1", "despawn 12", "end"));
}

TEST_F(AStreamReceiver, IgnoresLateBlocksOfTheFormerClusterId) {
  receive_empty();
  header.cluster_id = 2;
  header.tick = Tick{3};
  receive_empty();
  EXPECT_THAT(take(), ElementsAre("incarnation", "end", "incarnation", "end"));
  header.cluster_id = 1;
  receive_empty();
  EXPECT_THAT(take(), ElementsAre());
}

TEST_F(AStreamReceiver, InANewSessionRestartsEachStreamWithItsNextBlock) {
  receive_empty(first);
  receive_empty(second);
  take();
  receiver.on_new_session(session_us);
  EXPECT_THAT(acknowledged(), ElementsAre()) << "of the ended session";
  receive_empty(second);
  EXPECT_THAT(take(), ElementsAre("restart 2", "end"));
  receiver.advance(session_us + 3'000'000);
  EXPECT_THAT(take(), ElementsAre());
  receiver.advance(session_us + 3'000'001);
  EXPECT_THAT(take(), ElementsAre("restart 1")) << "its worker is gone";
}

TEST_F(AStreamReceiver, CountsMalformedBlocksAndAcknowledgesTheirHeaders) {
  receiver.on_block(first, std::span(bytes).first(3));
  EXPECT_TRUE(take().empty());
  const BlockWriter block(bytes, header);
  receiver.on_block(first, std::span(bytes).first(block.bytes().size() + 1));
  EXPECT_THAT(take(), ElementsAre("incarnation", "end"));
}

}  // namespace
}  // namespace perigee::client
