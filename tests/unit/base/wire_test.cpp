#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "perigee/base/hash.hpp"
#include "perigee/base/wire_client.hpp"
#include "perigee/base/wire_world.hpp"
#include "track_records.hpp"

namespace perigee {
namespace {

using Bytes = std::vector<std::byte>;

Bytes copy_of(std::span<const std::byte> bytes) { return {bytes.begin(), bytes.end()}; }

std::string hex(std::span<const std::byte> bytes) {
  std::string out;
  for (const std::byte b : bytes) {
    constexpr const char* digits = "0123456789abcdef";
    out += digits[static_cast<unsigned>(b) >> 4];
    out += digits[static_cast<unsigned>(b) & 15];
  }
  return out;
}

PlayerInput walking(std::uint32_t tick) {
  PlayerInput input;
  input.tick = Tick{tick};
  input.forward = 127;
  input.right = -20;
  input.yaw = 0x1234;
  input.held = button_run;
  return input;
}

ControlFrame control() {
  ControlFrame frame;
  frame.reset_epoch = 3;
  frame.techniques = {.timeline = Timeline::Playout, .rollback = false};
  frame.view_sixteenths = 0x01020304;
  frame.claimed_parent = 0x00100002;
  frame.claimed_position = {1, 2, 3};
  PlayerInput newest = walking(1000);
  newest.samples.push_back({128, button_jump, ActionKind::Use, 77});
  frame.inputs.push_back(newest);
  frame.inputs.push_back(walking(999));
  PlayerInput oldest = walking(998);
  oldest.pitch = -5;
  frame.inputs.push_back(oldest);
  return frame;
}

TEST(TheControlFrame, HasExactlyTheseBytes) {
  std::array<std::byte, 512> out;
  EXPECT_EQ(hex(write_control(control(), out)),
            "01"  // kind
            "03"
            "09"
            "04030201"                  // reset epoch, techniques, view tick
            "02001000"                  // claimed parent
            "0000803f0000004000004040"  // claimed position
            "e8030000"
            "03"  // newest tick, count
            "1b"
            "ec007f"
            "3412"
            "0200"
            "01"
            "80"
            "0100"
            "01"
            "4d000000"
            "00"  // 999: as 1000, without its edges
            "04"
            "fbff");  // 998: another pitch
}

TEST(TheControlFrame, ReadsWhatItWrote) {
  std::array<std::byte, 512> out;
  const ControlFrame frame = control();
  ControlFrame read;
  ASSERT_TRUE(read_control(write_control(frame, out), read));
  EXPECT_EQ(read.reset_epoch, frame.reset_epoch);
  EXPECT_EQ(read.view_sixteenths, frame.view_sixteenths);
  ASSERT_EQ(read.inputs.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_TRUE(read.inputs[i] == frame.inputs[i]) << i;
}

TEST(TheControlFrame, HasAllSixteenButtons) {
  ControlFrame frame = control();
  frame.inputs[0].held = 0xffff;
  frame.inputs[0].samples[0].pressed = 0x8000;
  std::array<std::byte, 512> out;
  ControlFrame read;
  ASSERT_TRUE(read_control(write_control(frame, out), read));
  EXPECT_TRUE(read.inputs[0] == frame.inputs[0]);
  constexpr std::uint16_t bow = 1 << 15;
  EXPECT_TRUE(aims(read.inputs[0], bow));
  EXPECT_FALSE(aims({.held = button_fire}, bow)) << "the game says which buttons aim";
  EXPECT_TRUE(aims({.held = button_fire}, buttons_aimed));
}

// B5: an input with an aim carries the age of the view; other inputs do not pay for it
TEST(TheControlFrame, TellsHowOldThePictureIsThatIsAimedAt) {
  ControlFrame frame = control();
  std::array<std::byte, 512> out;
  const std::size_t without = write_control(frame, out).size();
  frame.inputs[1].held |= button_alternate;
  frame.inputs[1].view_age = 97;
  const auto bytes = write_control(frame, out);
  EXPECT_LE(bytes.size(), without + 8);  // once with both fields, once without
  ControlFrame read;
  ASSERT_TRUE(read_control(bytes, read));
  EXPECT_EQ(read.inputs[0].view_age, 0);
  EXPECT_EQ(read.inputs[1].view_age, 97);
  EXPECT_EQ(read.inputs[2].view_age, 0);
}

// V2, K8: redundancy is bounded in bytes, and the newest inputs go first.
TEST(TheControlFrame, KeepsTheNewestInputsWhenSpaceIsShort) {
  ControlFrame frame;
  for (std::uint32_t i = 0; i < ControlFrame::inputs_max; ++i) {
    PlayerInput input = walking(500 - i);
    input.yaw = static_cast<std::uint16_t>(i * 777);
    input.pitch = static_cast<std::int16_t>(i);
    for (int s = 0; s < 2; ++s) input.samples.push_back({1, button_fire, ActionKind::None, 0});
    frame.inputs.push_back(input);
  }
  std::array<std::byte, 512> out;
  const auto bytes = write_control(frame, out);
  EXPECT_LE(bytes.size(), 27 + ControlFrame::inputs_bytes_max);
  ControlFrame read;
  ASSERT_TRUE(read_control(bytes, read));
  EXPECT_GT(read.inputs.size(), 4U);
  EXPECT_LT(read.inputs.size(), ControlFrame::inputs_max);
  EXPECT_EQ(read.inputs[0].tick, Tick{500});
}

TEST(TheControlFrame, RefusesEveryTruncation) {
  std::array<std::byte, 512> out;
  const Bytes whole = copy_of(write_control(control(), out));
  for (std::size_t size = 0; size < whole.size(); ++size) {
    ControlFrame read;
    EXPECT_FALSE(read_control(std::span(whole).first(size), read)) << size;
  }
}

TEST(TheControlFrame, NeverAcceptsABitFlipAsSomethingOutOfRange) {
  std::array<std::byte, 512> out;
  const Bytes whole = copy_of(write_control(control(), out));
  for (std::size_t bit = 0; bit < whole.size() * 8; ++bit) {
    Bytes flipped = whole;
    flipped[bit / 8] ^= static_cast<std::byte>(1U << (bit % 8));
    ControlFrame read;
    if (!read_control(flipped, read)) continue;
    ASSERT_GE(read.inputs.size(), 1U);
    for (const PlayerInput& input : read.inputs) {
      EXPECT_LE(input.samples.size(), PlayerInput::sub_samples_max);
      EXPECT_LE(std::abs(int{input.pitch}), 16384);
    }
    EXPECT_TRUE(std::isfinite(read.claimed_position.x));
  }
}

TEST(TheAcknowledgeFrame, HasExactlyTheseBytes) {
  std::array<std::byte, 64> out;
  const AcknowledgeFrame frame{0x1122, {{0x0304}, 0x80000001}, Tick{0x99}, {0x80000005}};
  EXPECT_EQ(hex(write_acknowledge(frame, out)),
            "02"
            "2211"
            "0403"
            "01000080"
            "99000000"
            "05000080");
  AcknowledgeFrame read;
  ASSERT_TRUE(read_acknowledge(write_acknowledge(frame, out), read));
  EXPECT_EQ(read.events, frame.events);
  EXPECT_EQ(read.complete, frame.complete);
  for (std::size_t size = 0; size < 17; ++size) {
    EXPECT_FALSE(read_acknowledge(std::span(out).first(size), read));
  }
}

// --- blocks ------------------------------------------------------------------------------------

struct Received final : BlockVisitor {
  std::vector<OwnSection> own;
  std::vector<std::pair<std::uint16_t, WorldEvent>> events;
  std::vector<std::pair<GroupFrame, TrackRecord>> records;
  void on_own(const OwnSection& o) override { own.push_back(o); }
  void on_event(Sequence s, const WorldEvent& e) override { events.emplace_back(s.value, e); }
  void on_record(const GroupFrame& f, const TrackRecord& r) override { records.emplace_back(f, r); }
  std::vector<CueEvent> cues;
  void on_cue(const CueEvent& cue) override { cues.push_back(cue); }
};

OwnSection own_section() {
  OwnSection own;
  own.avatar = 0x100007;
  own.reset_epoch = 1;
  own.techniques = {.timeline = Timeline::Suggested, .relative_prediction = false};
  own.delay_ticks = -2;
  own.has_echo = true;
  own.echo = Tick{4000};
  own.echo_age_ticks = 2;
  own.has_margin = true;
  own.margin_input = Tick{0x01020304};
  own.margin_us = -1500;
  own.rate = {.percent = 100, .change_in_ticks = 44, .next_percent = 55};
  own.final_tick = Tick{4001};
  own.final_parent = 0x100002;
  own.final_state.position = {1.25, -2.5, 0};
  own.final_state.velocity = {0.5F, 0, -3};
  own.final_state.flags = actor_grounded;
  for (const int b : {1, 0, 2}) own.final_game.push_back(std::byte(b));
  own.near.push_back(0x100005);
  own.near.push_back(0x100002);
  ParentMotion parent;
  parent.handle = 0x100002;
  parent.tick = Tick{3990};
  parent.motion.pose = {{-600, 0, 12.5}, yaw_rotation(0.5)};
  parent.motion.velocity = {50, 0, 0};
  own.parents.push_back(parent);
  own.versions.push_back({0x100003, 9});
  own.vehicle = VehiclePrediction::Free;
  own.vehicle_thrust = {0, -1.5F, 20};
  return own;
}

Bytes block() {
  std::array<std::byte, 1150> out;
  BlockWriter writer(out, {7, 0xabcd, Tick{4002}});
  EXPECT_TRUE(writer.own(own_section()));
  SpawnEvent spawn{0x100009, 1234567, 2, 0, 1, 0x100002, 1, {{1, 2, 3}, yaw_rotation(1)}};
  EXPECT_TRUE(writer.event({11}, spawn));
  EXPECT_TRUE(writer.event({12}, DespawnEvent{0x100010, 4}));
  EXPECT_TRUE(writer.event(
      {13}, ParentSwitchEvent{0x100007, 0x100002, Tick{4020}, 2, VehicleChange::Take}));
  EXPECT_TRUE(writer.event({14}, TimelineEvent{0x100003, Tick{4030}, 1, 9}));
  EXPECT_TRUE(
      writer.event({15}, EffectEvent{Tick{3990}, 1, Verdict::Cancelled, CancelReason::TooFar, 7}));
  GameStateEvent wounded{0x100007, 70'000, {}};
  for (const int b : {2, 0, 1, 0}) wounded.game.push_back(std::byte(b));
  EXPECT_TRUE(writer.event({16}, wounded));
  EXPECT_TRUE(writer.event({17}, OutcomeEvent{Tick{3980}, 8, 1, 0x100007, 0x100009, -5}));
  EXPECT_TRUE(writer.event(
      {18}, ProjectileEvent{0x100007, Tick{3970}, 9, 2, 0x100002, {1, 2, 3}, {0, 0, -60}}));
  EXPECT_TRUE(writer.event({19}, ProjectileHitEvent{0x100007, Tick{3970}, 9, 2, Tick{3985}}));
  EXPECT_TRUE(writer.event({20}, LostEvent{0x100011}));
  PlayerNameEvent named{0x100007, {}};
  for (const char letter : std::string_view("Ada")) named.name.push_back(letter);
  EXPECT_TRUE(writer.event({21}, named));
  EXPECT_TRUE(writer.event({22}, WorldStateEvent{1234567, 70'000, wounded.game}));
  EXPECT_TRUE(writer.begin_group({.parent = 0x100002, .block = 1}));
  EXPECT_TRUE(test::write(writer, test::straight(0x100007, Tick{4002}, {1, 2, 3}, {0, 0, 5})));
  EXPECT_TRUE(writer.begin_group({.cell = {-2, 0, 1}, .precision = Precision::Middle, .block = 1}));
  EXPECT_TRUE(test::write(
      writer, test::straight(0x100005, Tick{3900}, {-255, 10.5, 0}, {50, 0, -300}, yaw_rotation(2)),
      Precision::Middle));
  EXPECT_TRUE(test::write(writer, test::straight(0x100006, Tick{2}, {}, {}, yaw_rotation(-1)),
                          Precision::Middle));
  EXPECT_TRUE(writer.cue({0x100005, Tick{4001}, 3}));
  EXPECT_TRUE(writer.cue({0x100009, Tick{3942}, 4, 7, 0x100007, Vec3f{1, -2, 3.5F}}));
  return copy_of(writer.bytes());
}

// The 256th incarnation of a cluster's workers, and the last one, grant handles like the first.
TEST(ABlock, HasTheHandlesOfEveryIncarnation) {
  for (const Handle incarnation : {1U, 127U, 128U, 255U, 256U, 4095U}) {
    const Handle handle = incarnation << handle_index_bits | 7;
    std::array<std::byte, 200> out;
    BlockWriter writer(out, {7, 0xabcd, Tick{4002}});
    ASSERT_TRUE(writer.begin_group({.block = handle_block(handle)}));
    ASSERT_TRUE(test::write(writer, test::straight(handle, Tick{4002}, {1, 2, 3}, {})));
    Received received;
    ASSERT_TRUE(read_block(writer.bytes(), received));
    ASSERT_EQ(received.records.size(), 1U);
    EXPECT_EQ(received.records[0].second.handle, handle);
  }
}

TEST(ABlock, ReadsWhatItWrote) {
  Received received;
  const auto header = read_block(block(), received);
  ASSERT_TRUE(header);
  EXPECT_EQ(header->cluster_id, 7);
  EXPECT_EQ(header->stream_epoch, 0xabcd);
  EXPECT_EQ(header->tick, Tick{4002});
  ASSERT_EQ(received.own.size(), 1U);
  EXPECT_EQ(received.own[0].final_state, own_section().final_state);  // bit for bit
  EXPECT_NEAR(received.own[0].margin_us, -1500, 16);
  EXPECT_TRUE(received.own[0].speculative());
  EXPECT_EQ(received.own[0].rate, own_section().rate);
  EXPECT_EQ(received.own[0].techniques, own_section().techniques);
  EXPECT_EQ(received.own[0].delay_ticks, -2);
  ASSERT_EQ(received.own[0].parents.size(), 1U);
  EXPECT_EQ(received.own[0].parents[0].handle, 0x100002U);
  EXPECT_EQ(received.own[0].parents[0].tick, Tick{3990});
  EXPECT_EQ(received.own[0].parents[0].motion.pose.position, (Vec3{-600, 0, 12.5}));
  EXPECT_EQ(received.own[0].final_game, own_section().final_game);
  EXPECT_EQ(received.own[0].vehicle, VehiclePrediction::Free);
  EXPECT_EQ(received.own[0].vehicle_thrust, own_section().vehicle_thrust);
  ASSERT_EQ(received.events.size(), 12U);
  EXPECT_EQ(std::get<ParentSwitchEvent>(received.events[2].second).vehicle, VehicleChange::Take);
  EXPECT_EQ(received.events[0].first, 11);
  EXPECT_EQ(std::get<SpawnEvent>(received.events[0].second).identity, 1234567U);
  EXPECT_EQ(std::get<SpawnEvent>(received.events[0].second).made, 1);
  EXPECT_EQ(std::get<DespawnEvent>(received.events[1].second).made, 4);
  EXPECT_EQ(std::get<EffectEvent>(received.events[4].second).reason, CancelReason::TooFar);
  EXPECT_EQ(std::get<EffectEvent>(received.events[4].second).detail, 7);
  EXPECT_EQ(std::get<GameStateEvent>(received.events[5].second).version, 70'000U);
  EXPECT_EQ(std::get<GameStateEvent>(received.events[5].second).game.size(), 4U);
  const auto& outcome = std::get<OutcomeEvent>(received.events[6].second);
  EXPECT_EQ(outcome.tick, Tick{3980});
  EXPECT_EQ(outcome.target, 0x100009U);
  EXPECT_EQ(outcome.amount, -5);
  const auto& arrow = std::get<ProjectileEvent>(received.events[7].second);
  EXPECT_EQ(arrow.index, 9);
  EXPECT_EQ(arrow.parent, 0x100002U);
  EXPECT_EQ(arrow.velocity, (Vec3f{0, 0, -60}));
  const auto& met = std::get<ProjectileHitEvent>(received.events[8].second);
  EXPECT_EQ(met.left, arrow.tick);
  EXPECT_EQ(met.index, 9);
  EXPECT_EQ(met.at, Tick{3985});
  EXPECT_EQ(std::get<LostEvent>(received.events[9].second).handle, 0x100011U);
  const auto& named = std::get<PlayerNameEvent>(received.events[10].second);
  EXPECT_EQ(named.actor, 0x100007U);
  EXPECT_EQ(text_of(named.name), "Ada");
  const auto& of_world = std::get<WorldStateEvent>(received.events[11].second);
  EXPECT_EQ(of_world.identity, 1234567U);
  EXPECT_EQ(of_world.version, 70'000U);
  EXPECT_EQ(of_world.game.size(), 4U);
  ASSERT_EQ(received.records.size(), 3U);
  EXPECT_EQ(received.records[0].first.parent, 0x100002U);
  EXPECT_EQ(received.records[1].first.cell, (Cell{-2, 0, 1}));
  EXPECT_EQ(received.records[1].first.precision, Precision::Middle);
  EXPECT_EQ(received.records[1].second.track.tick, Tick{3900});
  EXPECT_EQ(received.records[2].second.track.tick, Tick{2}) << "an age of more than a byte";
}

// 256 bytes of fields, and 8 of marks.
TEST(ABlock, CarriesTheLargestGameState) {
  GameStateEvent event{0x100007, 4, {}};
  for (std::size_t i = 0; i < game_bytes_max; ++i) event.game.push_back(std::byte(i * 7));
  std::array<std::byte, 400> out;
  BlockWriter writer(out, {7, 0xabcd, Tick{4002}});
  ASSERT_TRUE(writer.event({16}, event));
  Received received;
  ASSERT_TRUE(read_block(writer.bytes(), received));
  EXPECT_EQ(std::get<GameStateEvent>(received.events.at(0).second).game, event.game);
  Bytes longer = copy_of(writer.bytes());
  const std::size_t size_at = longer.size() - game_bytes_max - 2;
  ASSERT_EQ(longer[size_at], std::byte{game_bytes_max & 0xff});
  longer[size_at] = std::byte((game_bytes_max & 0xff) + 1);
  longer.push_back(std::byte{1});
  EXPECT_FALSE(read_block(longer, received)) << "one byte too many";
}

TEST(ABlock, StartsWithExactlyTheseBytes) {
  const Bytes bytes = block();
  EXPECT_EQ(hex(std::span(bytes).first(9)),
            "0700"
            "cdab"
            "a20f0000"
            "78");
  // no basis, becomes none, change: 100007; change: 1; change: timeline 4, neither switch
  EXPECT_EQ(hex(std::span(bytes).subspan(9, 7)),
            "01"
            "3c0080001890");
  std::array<std::byte, 64> out;
  BlockWriter writer(out, {});
  writer.event({5}, TimelineEvent{0x01020304, Tick{9}, 1, 2});
  EXPECT_EQ(hex(writer.bytes().subspan(9)),
            "02"
            "0500"
            "03"
            "04030201"
            "09000000"
            "01"
            "0200");
}

// More than the reader keeps from its first pass, in two groups.
TEST(ABlock, HasAllOfItsRecordsInTheirOrder) {
  constexpr std::uint32_t records = 110;
  std::array<std::byte, 2'000> out;
  BlockWriter writer(out, {7, 0xabcd, Tick{4002}});
  for (std::uint32_t i = 0; i < records; ++i) {
    if (i % 55 == 0) {
      ASSERT_TRUE(writer.begin_group({.parent = 0x100002 + i, .block = 1}));
    }
    ASSERT_TRUE(test::write(writer, test::straight(0x100100 + i, Tick{4002 - i}, {1, 2, 3}, {})));
  }
  Received received;
  ASSERT_TRUE(read_block(writer.bytes(), received));
  ASSERT_EQ(received.records.size(), records);
  for (std::uint32_t i = 0; i < records; ++i) {
    EXPECT_EQ(received.records[i].first.parent, 0x100002 + i / 55 * 55);
    EXPECT_EQ(received.records[i].second.handle, 0x100100 + i);
    EXPECT_EQ(received.records[i].second.track.tick, Tick{4002 - i});
  }
  Received nothing;
  EXPECT_FALSE(read_block(writer.bytes().first(writer.bytes().size() - 1), nothing));
  EXPECT_TRUE(nothing.records.empty());
}

TEST(ABlock, TellsNothingOfATruncatedOne) {
  const Bytes whole = block();
  for (std::size_t size = 0; size < whole.size(); ++size) {
    Received received;
    const auto header = read_block(std::span(whole).first(size), received);
    // A cut between two sections leaves a shorter, well-formed block; all others are refused.
    if (header) continue;
    EXPECT_TRUE(received.own.empty() && received.events.empty() && received.records.empty())
        << size;
  }
}

TEST(ABlock, SurvivesEveryBitFlip) {
  const Bytes whole = block();
  int refused = 0;
  for (std::size_t bit = 0; bit < whole.size() * 8; ++bit) {
    Bytes flipped = whole;
    flipped[bit / 8] ^= static_cast<std::byte>(1U << (bit % 8));
    Received received;
    if (!read_block(flipped, received)) ++refused;
    for (const auto& [frame, record] : received.records) {
      EXPECT_LE(std::abs(record.track.position.x), offset_limit_m(frame.precision));
      EXPECT_NEAR(dot(record.track.rotation, record.track.rotation), 1, 1e-6);
    }
    for (const OwnSection& own : received.own) {
      EXPECT_LE(own.parents.size(), OwnSection::parents_max);
      EXPECT_TRUE(std::isfinite(own.final_state.position.x));
    }
  }
  EXPECT_GT(refused, 100);
}

TEST(ABlock, SurvivesGarbage) {
  const std::uint64_t seed = 17;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  for (int i = 0; i < 20000; ++i) {
    Bytes bytes(random.below(200));
    for (std::byte& b : bytes) b = static_cast<std::byte>(random.next());
    if (!bytes.empty()) bytes[0] = std::byte{2};
    Received received;
    read_block(bytes, received);
    ControlFrame frame;
    read_control(bytes, frame);
  }
}

TEST(ABlock, RefusesSectionsOutOfOrderAndASecondOwnSection) {
  std::array<std::byte, 1150> out;
  BlockWriter events(out, {});
  events.event({1}, DespawnEvent{1, 1});
  const Bytes head = copy_of(events.bytes().first(9));
  const Bytes event = copy_of(events.bytes().subspan(9));
  std::array<std::byte, 1150> own_out;
  BlockWriter owns(own_out, {});
  owns.own(own_section());
  const Bytes own = copy_of(owns.bytes().subspan(9));
  const auto joined = [&](std::initializer_list<const Bytes*> parts) {
    Bytes all = head;
    for (const Bytes* part : parts) all.insert(all.end(), part->begin(), part->end());
    return all;
  };
  Received received;
  EXPECT_TRUE(read_block(joined({&own, &event}), received));
  EXPECT_FALSE(read_block(joined({&event, &own}), received));
  EXPECT_FALSE(read_block(joined({&own, &own}), received));
}

TEST(ABlock, EndsWithItsCues) {
  const Bytes whole = block();
  Received received;
  ASSERT_TRUE(read_block(whole, received));
  const std::vector<CueEvent> cues{{0x100005, Tick{4001}, 3},
                                   {0x100009, Tick{3942}, 4, 7, 0x100007, Vec3f{1, -2, 3.5F}}};
  EXPECT_EQ(received.cues, cues);
  EXPECT_EQ(hex(std::span(whole).last(32)),
            "0c"
            "02"
            "01"
            "03"
            "05001000"
            "7c"
            "04"
            "09001000"
            "07"
            "07"
            "07001000"
            "0000803f"
            "000000c0"
            "00006040");
  for (std::size_t size = whole.size() - 31; size < whole.size(); ++size) {
    Received nothing;
    EXPECT_FALSE(read_block(std::span(whole).first(size), nothing)) << size;
    EXPECT_TRUE(nothing.cues.empty());
  }
}

TEST(ABlock, RefusesCuesThatNoWorkerSends) {
  std::array<std::byte, 64> out;
  BlockWriter writer(out, {7, 8, Tick{4002}});
  ASSERT_TRUE(writer.cue({0x100005, Tick{4001}, 3, 1, 0, Vec3f{1, 2, 3}}));
  const Bytes good = copy_of(writer.bytes());
  const auto reads = [&](std::size_t at, std::uint8_t value) {
    Bytes bytes = good;
    bytes[9 + at] = std::byte{value};
    Received received;
    return read_block(bytes, received).has_value();
  };
  ASSERT_TRUE(reads(4, 6)) << "another entity";
  EXPECT_FALSE(reads(1, 0)) << "no cue";
  EXPECT_FALSE(reads(1, 2)) << "one that does not follow";
  EXPECT_FALSE(reads(2, 0x40 | (cue_age_ticks_max + 1))) << "too old";
  EXPECT_FALSE(reads(2, 0x80 | 0x41)) << "an unknown bit";
  EXPECT_FALSE(reads(8, 8)) << "an unknown part";
  EXPECT_FALSE(reads(8, 1)) << "bytes are left";
  EXPECT_FALSE(reads(13, 0x7e)) << "a place far out of the world, 8e37 m";
  Bytes nobody(good.begin(), good.begin() + 10);
  for (const int b : {0x0c, 1, 1, 3, 0, 0, 0, 0}) nobody.push_back(std::byte(b));
  Received received;
  EXPECT_FALSE(read_block(nobody, received)) << "neither an entity nor a place";
}

TEST(ABlock, WritesNoCueThatDoesNotFit) {
  std::array<std::byte, 9 + 2 + 6 + 5> out;
  BlockWriter writer(out, {7, 8, Tick{4002}});
  EXPECT_TRUE(writer.cue({5, Tick{4002}, 3}));
  EXPECT_FALSE(writer.cue({6, Tick{4002}, 3}));
  Received received;
  ASSERT_TRUE(read_block(writer.bytes(), received));
  EXPECT_EQ(received.cues.size(), 1U);
}

TEST(ABlock, NamesItsPartAmongThoseOfItsTick) {
  std::array<std::byte, 64> out;
  BlockWriter writer(out, {7, 8, Tick{9}, 3});
  EXPECT_TRUE(read_block_header(writer.bytes())->last_part);
  writer.more_follow();
  const auto read = read_block_header(writer.bytes());
  ASSERT_TRUE(read);
  EXPECT_EQ(read->part, 3);
  EXPECT_FALSE(read->last_part);
  for (const int bit : {3, 4, 5, 6}) {
    std::byte& last = out[8];
    last ^= std::byte{1} << bit;
    EXPECT_FALSE(read_block_header(writer.bytes())) << "another version";
    last ^= std::byte{1} << bit;
  }
}

// --- ground

ChunkFrame some_chunks() {
  ChunkFrame frame{0x0102, {}};
  frame.reports.push_back({{0x01020304, 5, 6}, true});
  frame.reports.push_back({{7, 8, 9}, false});
  return frame;
}

TEST(AChunkFrame, HasExactlyTheseBytes) {
  std::array<std::byte, 128> space;
  EXPECT_EQ(hex(write_chunks(some_chunks(), space)),
            "03"    // kind
            "0201"  // stream epoch
            "02"    // count
            "04030201"
            "0500"
            "0600"
            "01"  // patch, chunk, version, lacks it
            "07000000"
            "0800"
            "0900"
            "00");
}

TEST(AChunkFrame, IsNothingIfItIsCutShortOrTooLongOrEmpty) {
  std::array<std::byte, 128> space{};
  const std::size_t size = write_chunks(some_chunks(), space).size();
  ChunkFrame read;
  for (std::size_t cut = 0; cut <= size + 1; ++cut) {
    EXPECT_EQ(read_chunks(std::span(space).first(cut), read), cut == size) << cut;
  }
  ASSERT_TRUE(read_chunks(std::span(space).first(size), read));
  ASSERT_EQ(read.reports.size(), 2U);
  EXPECT_EQ(read.reports[0].has, some_chunks().reports[0].has);
  EXPECT_TRUE(read.reports[0].lacks && !read.reports[1].lacks);
  space[3] = std::byte{0};
  EXPECT_FALSE(read_chunks(std::span(space).first(4), read)) << "an answer about nothing";
  space[3] = std::byte{9};
  EXPECT_FALSE(read_chunks(std::span(space).first(4 + 9 * 9), read)) << "more than there may be";
  EXPECT_TRUE(write_chunks(some_chunks(), std::span(space).first(10)).empty());
}

TEST(ABlock, BringsGround) {
  struct Reader final : BlockVisitor {
    OwnSection own;
    std::vector<WorldEvent> events;
    void on_own(const OwnSection& section) override { own = section; }
    void on_event(Sequence, const WorldEvent& event) override { events.push_back(event); }
    void on_record(const GroupFrame&, const TrackRecord&) override {}
  };
  std::array<std::byte, 1200> space;
  BlockWriter writer(space, {});
  OwnSection own;
  for (std::uint16_t i = 0; i < OwnSection::chunks_max; ++i) {
    own.chunks.push_back({5, i, static_cast<std::uint16_t>(i + 1)});
  }
  ChunkEvent chunk{{5, 6, 7}, {}};
  chunk.bits[0] = 0x81;
  chunk.bits[63] = 0xff;
  ASSERT_TRUE(writer.own(own));
  ASSERT_TRUE(writer.event({1}, VoxelEvent{5, 600, 2, Tick{100}, 9, 8, true, false}));
  ASSERT_TRUE(writer.event({2}, chunk));
  Reader reader;
  ASSERT_TRUE(read_block(writer.bytes(), reader));
  ASSERT_EQ(reader.own.chunks.size(), OwnSection::chunks_max);
  EXPECT_EQ(reader.own.chunks[3], own.chunks[3]);
  ASSERT_EQ(reader.events.size(), 2U);
  const auto& edit = std::get<VoxelEvent>(reader.events[0]);
  EXPECT_EQ(edit.cell, 600U);
  EXPECT_EQ(edit.tick, Tick{100});
  EXPECT_TRUE(edit.solid && !edit.withdrawn);
  EXPECT_EQ(std::get<ChunkEvent>(reader.events[1]).what, chunk.what);
  EXPECT_EQ(std::get<ChunkEvent>(reader.events[1]).bits, chunk.bits);
}

}  // namespace
}  // namespace perigee
