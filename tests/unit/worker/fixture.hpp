/// One worker core with hand-made fabric datagrams as input; its output is parsed.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <vector>

#include "perigee/worker/core.hpp"
#include "yard.hpp"

namespace perigee::worker {

using Bytes = std::vector<std::byte>;

inline const Address gateway_address = Address::v4(10, 0, 0, 1, 7000);
inline const Address worker_address = Address::v4(10, 0, 0, 2, 7000);
inline const Address neighbour_address = Address::v4(10, 0, 0, 3, 7000);
inline constexpr SessionId first_session = make_session(GatewaySlot{0}, 1, 0);  // gateway slot 0
inline SessionId session_of(std::uint32_t n) { return make_session(GatewaySlot{0}, 1, n); }
inline constexpr std::int32_t window_ticks = 15;  // of rollback

inline constexpr std::uint16_t to_plus_x = 16384;
inline constexpr std::uint16_t to_minus_x = 49152;

inline PlayerInput walking_at(Tick tick, std::int8_t forward = 127) {
  PlayerInput input;
  input.tick = tick;
  input.forward = forward;
  return input;
}
/// The player fires at what it sees, 100 ms old.
inline PlayerInput fires(Tick tick, std::uint16_t yaw = to_plus_x) {
  PlayerInput input{.tick = tick, .yaw = yaw};
  input.view_age = 6 * 16;
  input.samples.push_back({.pressed = button_fire});
  return input;
}

/// One block as its client reads it.
struct ReadBlock : BlockVisitor {
  SessionId session = 0;
  BlockHeader header;
  std::optional<OwnSection> own;
  std::vector<std::pair<Sequence, WorldEvent>> events;
  std::vector<std::pair<GroupFrame, TrackRecord>> records;
  void on_own(const OwnSection& section) override { own = section; }
  void on_event(Sequence s, const WorldEvent& event) override { events.emplace_back(s, event); }
  void on_record(const GroupFrame& f, const TrackRecord& r) override { records.emplace_back(f, r); }
  std::vector<CueEvent> cues;
  void on_cue(const CueEvent& cue) override { cues.push_back(cue); }
};

inline ClusterMap one_worker_map() {
  ClusterMap map;
  map.cluster_id = 7;
  map.version = 1;
  map.workers = {{WorkerSlot{0}, worker_address, HandleBase{1000}, 100'000, true}};
  map.gateways = {{GatewaySlot{0}, gateway_address, gateway_address, true}};
  map.regions = {
      {RegionId{0}, Epoch{3}, {-8000, -2000, -8000}, {8000, 2000, 8000}, WorkerSlot{0}, Epoch{3}}};
  return map;
}
/// Split at that x; slot 0 owns the lower part, slot 1 the rest.
inline ClusterMap two_worker_map(double cut_x = 1000) {
  ClusterMap map = one_worker_map();
  map.workers.push_back({WorkerSlot{1}, neighbour_address, HandleBase{200'000}, 100'000, true});
  map.regions[0].high.x = cut_x;
  map.regions.push_back(
      {RegionId{1}, Epoch{3}, {cut_x, -2000, -8000}, {8000, 2000, 8000}, WorkerSlot{1}, Epoch{3}});
  return map;
}

/// With room for 2,048 entities: with that of the default, most of a short test is the start of its
/// workers.
inline Settings small_settings() {
  Settings settings;
  settings.entities_max = 2048;
  return settings;
}

struct Bench {
  test::Yard game;
  ClusterMap map;
  Settings settings;
  WorkerSlot slot;
  std::unique_ptr<Core> core;
  std::vector<JoinedRecord> joined;
  std::vector<RefusedRecord> refused;
  std::vector<LeftRecord> left;
  std::vector<ObserverRecord> observers;  ///< to the neighbour
  std::vector<TallyRecord> tallies;       ///< to the neighbour
  /// Frames of messages to a client, in order.
  struct MessagesSent {
    SessionId session = 0;
    std::uint32_t conversation = 0, received = 0, first = 0;
    std::vector<Bytes> messages;
  };
  std::vector<MessagesSent> messages_sent;
  std::vector<InputRecord> passed_on;  ///< of players that moved there; without their bytes
  std::vector<ReadBlock> blocks;
  std::map<SessionId, AckWindow> acks;
  std::vector<std::pair<SessionId, WorldEvent>> events;  ///< each once
  bool acknowledges = true;
  std::optional<Tick> frozen_newest_block;  ///< clients report this block as their newest one
  static constexpr Tick start{6000};

  explicit Bench(const test::YardOptions& options = {}, const ClusterMap& with = one_worker_map(),
                 const Settings& limits = small_settings(), WorkerSlot as = WorkerSlot{0})
      : game(options), map(with), settings(limits), slot(as) {
    core = std::make_unique<Core>(
        settings, game, slot,
        [this](const Address& to, std::span<const std::byte> bytes) { read(to, bytes); });
    core->on_map(map, start);
  }

  FineTick now_fine() const { return {core->next_tick().count << 8}; }
  std::uint64_t count(Count c) const { return core->counts()[c]; }
  const Player& player(std::uint32_t n = 0) const { return *core->player_of(100 + n); }
  Handle find(world::TypeId type) const { return test::Yard::handle_of(core->world(), type); }

  template <class Record>
  Bytes datagram(const Record& record, FabricSender kind = FabricSender::Gateway,
                 std::uint8_t sender = 0) const {
    Bytes out(fabric_datagram_bytes_max);
    FabricWriter writer(out, {map.cluster_id, kind, sender, 0});
    EXPECT_TRUE(writer.add(record));
    out.resize(writer.datagram().size());
    return out;
  }
  template <class Record>
  void gateway_says(const Record& record) {
    core->on_fabric(now_fine(), gateway_address, datagram(record));
  }
  /// Without other workers to ask for the client, the player joins here at once.
  void join(std::uint32_t n = 0, std::uint32_t region = 0) {
    const auto others = std::exchange(core->outputs.to_peer, nullptr);
    gateway_says(JoinRecord{session_of(n), 100 + n, RegionId{region}});
    core->outputs.to_peer = others;
  }
  void leave(std::uint32_t n = 0) { gateway_says(LeaveRecord{session_of(n)}); }
  /// Another session of the same client, as after its gateway restarted.
  static SessionId later_session_of(std::uint32_t n) { return make_session(GatewaySlot{0}, 2, n); }
  void join_again(std::uint32_t n = 0, std::uint64_t issue = 0) {
    gateway_says(JoinRecord{later_session_of(n), 100 + n, RegionId{0}, issue});
  }

  ControlFrame frame_of(std::vector<PlayerInput> newest_first, std::uint32_t n = 0) const {
    ControlFrame frame;
    const Player* self = core->player_of(100 + n);
    if (self != nullptr) {
      frame.reset_epoch = self->reset_epoch;
      frame.claimed_parent = self->parent;
      frame.claimed_position = to_float(self->state.position);
    }
    frame.view_sixteenths = (newest_first[0].tick.count - 6) << 4;
    for (const PlayerInput& input : newest_first) frame.inputs.push_back(input);
    return frame;
  }
  void send(const ControlFrame& frame, std::uint32_t n = 0, std::int32_t fine_offset = 0) {
    Bytes bytes(512);
    const auto written = write_control(frame, bytes);
    const FineTick arrived{now_fine().count + static_cast<std::uint32_t>(fine_offset)};
    core->on_fabric(arrived, gateway_address,
                    datagram(InputRecord{session_of(n), arrived, stream_owner, written}));
  }
  void send(const PlayerInput& input, std::uint32_t n = 0) { send(frame_of({input}, n), n); }

  void tick(int count = 1) {
    for (int i = 0; i < count; ++i) {
      deliver_acknowledgements();
      core->tick();
    }
  }
  /// Acts as a client that stands still: one input per tick, in time.
  void stand(int ticks, std::uint32_t n = 0) {
    for (int i = 0; i < ticks; ++i) {
      PlayerInput input;
      input.tick = core->next_tick();
      send(input, n);
      tick();
    }
  }
  const OwnSection& last_own() const {
    for (auto it = blocks.rbegin(); it != blocks.rend(); ++it) {
      if (it->own) return *it->own;
    }
    static const OwnSection none;
    ADD_FAILURE() << "no own section was sent";
    return none;
  }
  template <class Event>
  std::vector<Event> sent(SessionId session = session_of(0)) const {
    std::vector<Event> out;
    for (const auto& [to, event] : events) {
      if (const auto* e = std::get_if<Event>(&event); e != nullptr && to == session) {
        out.push_back(*e);
      }
    }
    return out;
  }

 private:
  void read(const Address& to, std::span<const std::byte> bytes) {
    FabricReader reader(bytes);
    ASSERT_TRUE(reader.ok());
    EXPECT_EQ(reader.header().cluster_id, map.cluster_id);
    while (const auto type = reader.next()) {
      switch (*type) {
        case FabricRecord::Joined:
          ASSERT_TRUE(reader.read(joined.emplace_back()));
          break;
        case FabricRecord::Refused:
          ASSERT_TRUE(reader.read(refused.emplace_back()));
          break;
        case FabricRecord::Left:
          ASSERT_TRUE(reader.read(left.emplace_back()));
          break;
        case FabricRecord::Observer:
          ASSERT_EQ(to, slot == WorkerSlot{0} ? neighbour_address : worker_address);
          ASSERT_TRUE(reader.read(observers.emplace_back()));
          break;
        case FabricRecord::Tally:
          ASSERT_EQ(to, slot == WorkerSlot{0} ? neighbour_address : worker_address);
          ASSERT_TRUE(reader.read(tallies.emplace_back()));
          break;
        case FabricRecord::Input:
          ASSERT_TRUE(reader.read(passed_on.emplace_back()));
          passed_on.back().frame = {};
          break;
        case FabricRecord::Block:
          read_one_block(reader);
          break;
        default:
          FAIL() << "a worker does not send this";
      }
    }
    ASSERT_TRUE(reader.ok());
  }
  void read_one_block(FabricReader& reader) {
    BlockRecord record;
    ASSERT_TRUE(reader.read(record));
    if (record.block[0] == std::byte{worker_message_kind}) return read_message_frame(record);
    ReadBlock& block = blocks.emplace_back();
    block.session = record.session;
    const auto header = read_block(record.block, block);
    ASSERT_TRUE(header);
    block.header = *header;
    AckWindow& ack = acks[record.session];
    for (const auto& [sequence, event] : block.events) {
      if (ack.mark(sequence)) events.emplace_back(record.session, event);
    }
    const Tick newest = frozen_newest_block.value_or(header->tick);
    if (acknowledges) acknowledge(record.session, header->stream_epoch, newest);
  }
  void read_message_frame(const BlockRecord& record) {
    MessageFrame frame;
    ASSERT_TRUE(read_messages(worker_message_kind, record.block, frame));
    auto& sent = messages_sent.emplace_back(
        MessagesSent{record.session, frame.conversation, frame.received, frame.first, {}});
    for (const auto& message : frame.messages) {
      sent.messages.emplace_back(message.begin(), message.end());
    }
  }
  void acknowledge(SessionId session, std::uint16_t epoch, Tick newest) {
    Bytes bytes(64);
    const auto written = write_acknowledge({epoch, acks[session], newest}, bytes);
    // The core is sending: it receives this before its next tick, as over a wire.
    pending_.push_back(datagram(InputRecord{session, now_fine(), stream_of_worker(slot), written}));
  }
  void deliver_acknowledgements() {
    for (const Bytes& bytes : std::exchange(pending_, {})) {
      core->on_fabric(now_fine(), gateway_address, bytes);
    }
  }

  std::vector<Bytes> pending_;
};

}  // namespace perigee::worker
