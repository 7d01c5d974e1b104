// Own sections: the whole of it, and as the difference to an earlier one.
#include "perigee/base/own_section.hpp"

#include <gtest/gtest.h>

#include <array>
#include <limits>

#include "perigee/base/hash.hpp"
#include "perigee/base/own_bases.hpp"

namespace perigee {
namespace {

constexpr Tick now{6000};

OwnSection walking(Tick tick) {
  OwnSection own;
  own.tick = own.final_tick = tick;
  own.avatar = 0x100007;
  own.reset_epoch = 3;
  own.has_echo = true;
  own.echo = tick - 1;
  own.has_margin = true;
  own.margin_input = tick + 2;
  own.margin_us = 8'000;
  own.final_parent = 0x100002;
  const double s = ticks_between(now, tick) * seconds_per_tick;
  own.final_state.position = {1.25 + 4 * s, 2, -3};
  own.final_state.velocity = {4, 0, 0};
  own.final_state.ground = 0x100002;
  own.final_state.flags = actor_grounded;
  own.final_state.grounded_ticks = 255;
  own.final_state = rounded(own.final_state);
  for (const int b : {3, 0, 100, 7}) own.final_game.push_back(std::byte(b));
  own.near.push_back(0x100002);
  own.near.push_back(0x100003);
  return own;
}

struct OwnBytes {
  std::array<std::byte, own_section_bytes_max> space{};
  std::size_t size = 0;
  std::span<const std::byte> bytes() const { return std::span(space).first(size); }
};
OwnBytes own_bytes(const OwnSection& own, const OwnBasis* basis) {
  OwnBytes out;
  ByteWriter writer(out.space);
  EXPECT_TRUE(write_own(writer, own.tick, own, basis));
  out.size = writer.size();
  return out;
}
std::optional<OwnSection> read(const OwnBytes& from, Tick tick, const OwnBasis* basis) {
  ByteReader reader(from.bytes());
  OwnSection own;
  const auto known = [&](Tick of) {
    return basis != nullptr && basis->tick == of ? basis : nullptr;
  };
  if (!read_own(reader, tick, known, own)) return std::nullopt;
  EXPECT_TRUE(reader.at_end());
  return own;
}

void expect_same(const OwnSection& a, const OwnSection& b) {
  EXPECT_EQ(a.tick, b.tick);
  EXPECT_EQ(a.avatar, b.avatar);
  EXPECT_EQ(a.reset_epoch, b.reset_epoch);
  EXPECT_EQ(a.techniques, b.techniques);
  EXPECT_EQ(a.delay_ticks, b.delay_ticks);
  EXPECT_EQ(a.rate, b.rate);
  EXPECT_EQ(a.final_tick, b.final_tick);
  EXPECT_EQ(a.final_parent, b.final_parent);
  EXPECT_EQ(a.final_state, b.final_state);
  EXPECT_EQ(a.final_game, b.final_game);
  EXPECT_EQ(a.vehicle, b.vehicle);
  EXPECT_EQ(a.near, b.near);
  EXPECT_EQ(a.becomes_basis, b.becomes_basis);
  EXPECT_EQ(a.exact, b.exact);
  EXPECT_EQ(a.has_echo, b.has_echo);
  EXPECT_EQ(a.echo, b.echo);
  EXPECT_EQ(a.echo_age_ticks, b.echo_age_ticks);
  EXPECT_EQ(a.rest, b.rest);
  EXPECT_EQ(a.has_margin, b.has_margin);
  EXPECT_EQ(a.margin_input, b.margin_input);
  EXPECT_NEAR(a.margin_us, b.margin_us, 16);
  EXPECT_EQ(a.late, b.late);
  EXPECT_EQ(a.guessed, b.guessed);
  ASSERT_EQ(a.parents.size(), b.parents.size());
  for (std::size_t i = 0; i < a.parents.size(); ++i) {
    EXPECT_EQ(a.parents[i].handle, b.parents[i].handle);
    EXPECT_EQ(a.parents[i].tick, b.parents[i].tick);
    EXPECT_EQ(a.parents[i].motion.pose, b.parents[i].motion.pose);
    EXPECT_EQ(a.parents[i].motion.velocity, b.parents[i].motion.velocity);
    EXPECT_EQ(a.parents[i].motion.angular_velocity, b.parents[i].motion.angular_velocity);
    EXPECT_EQ(a.parents[i].motion.acceleration, b.parents[i].motion.acceleration);
    EXPECT_EQ(a.parents[i].motion.angular_acceleration, b.parents[i].motion.angular_acceleration);
  }
  ASSERT_EQ(a.versions.size(), b.versions.size());
  ASSERT_EQ(a.chunks.size(), b.chunks.size());
  EXPECT_EQ(a.vehicle_thrust, b.vehicle_thrust);
}

TEST(AnOwnSection, OfAWalkerTakesFewBytesOnItsBasis) {
  const OwnSection before = walking(now);
  const OwnSection own = walking(now + 8);
  const OwnBytes alone = own_bytes(own, nullptr), on_basis = own_bytes(own, &before);
  EXPECT_LE(on_basis.size, 11U);
  EXPECT_GE(alone.size, 40U);
  const auto read_back = read(on_basis, own.tick, &before);
  ASSERT_TRUE(read_back);
  expect_same(*read_back, own);
}

// At the edge of the largest world, a walker's place is as exact as beside the origin.
TEST(AnOwnSection, FarFromTheOriginIsAsExactAndAsShort) {
  const auto walking_far = [](Tick tick) {
    OwnSection own = walking(tick);
    own.final_parent = no_entity;
    own.final_state.position += {500'000, -2'000, -500'000};
    own.final_state = rounded(own.final_state);
    return own;
  };
  const OwnSection before = walking_far(now), own = walking_far(now + 8);
  const OwnBytes on_basis = own_bytes(own, &before);
  EXPECT_LE(on_basis.size, 11U);
  const auto read_back = read(on_basis, own.tick, &before);
  ASSERT_TRUE(read_back);
  expect_same(*read_back, own);
  OwnSection exact = own;
  exact.exact = true;
  exact.final_state.position.x += 1e-9;
  const auto exactly = read(own_bytes(exact, &before), own.tick, &before);
  ASSERT_TRUE(exactly);
  EXPECT_EQ(exactly->final_state.position, exact.final_state.position);
}

// The receiver has the sender's values after any change, and on a basis of any age.
TEST(AnOwnSection, IsReadAsItWasWritten) {
  Random random(7);
  const auto some = [&](double most) { return random.between(-most, most); };
  const auto state = [&](OwnSection& own) {
    if ((random.unit() < 0.5)) own.final_parent = random.below(3);
    own.final_state.position = {some(8000), some(100), some(8000)};
    own.final_state.velocity = to_float({some(300), some(10), some(1)});
    own.final_state.ground = random.below(4);
    own.final_state.flags = static_cast<std::uint8_t>(random.below(actor_flags_all + 1U));
    own.final_state.grounded_ticks = static_cast<std::uint8_t>(random.below(256));
    own.final_game.resize(random.below(game_bytes_max + 1));
    for (std::byte& byte : own.final_game) byte = std::byte(random.below(256));
    own.final_tick = own.tick - static_cast<std::int32_t>(random.below(40));
    own.exact = (random.unit() < 0.3);
    if (!own.exact) own.final_state = rounded(own.final_state);
  };
  const auto others = [&](OwnSection& own) {
    own.becomes_basis = (random.unit() < 0.5);
    own.delay_ticks = static_cast<std::int8_t>(random.below(20));
    own.late = static_cast<std::uint8_t>(random.below(3));
    own.margin_us = static_cast<std::int32_t>(some(2e9));
    own.echo = own.tick - static_cast<std::int32_t>(some(1e6));
    if (random.unit() < 0.3) {
      own.has_echo = false;
      own.echo = {};
      own.rest.yaw = static_cast<std::uint16_t>(random.below(65536));
      own.rest.pitch = static_cast<std::int16_t>(some(16384));
      for (std::byte& byte : own.rest.own.changed) byte = std::byte(random.below(2) * 200);
    }
    own.rate.percent = static_cast<std::uint8_t>(50 + random.below(51));
    own.vehicle = static_cast<VehiclePrediction>(random.below(3));
    if (own.vehicle != VehiclePrediction::None) {
      own.vehicle_thrust = rounded(to_float({some(20), some(20), some(20)}));
    }
    own.near.resize(random.below(OwnBasis::parents_max + 1));
    for (Handle& handle : own.near) handle = 1 + random.below(1U << 28);
    for (const Handle handle : own.near) {
      if ((random.unit() < 0.5)) continue;
      Motion motion{{{some(1e6), some(1e6), some(1e6)}, normalized({some(1), some(1), some(1), 1})},
                    {some(300), some(300), some(300)},
                    {some(3), some(3), some(3)},
                    {some(30), some(30), some(30)},
                    {some(2), some(2), some(2)}};
      own.parents.push_back({handle, own.tick - 5, rounded(motion)});
    }
    for (std::uint32_t i = random.below(17); i > 0; --i) own.versions.push_back({i, 7});
    for (std::uint32_t i = random.below(9); i > 0; --i) own.chunks.push_back({i, 7, 8});
  };
  for (int i = 0; i < 2'000; ++i) {
    OwnSection before = walking(now),
               own = walking(now + 1 + static_cast<std::int32_t>(random.below(255)));
    state(before);
    state(own);
    others(own);
    const auto read_back = read(own_bytes(own, &before), own.tick, &before);
    ASSERT_TRUE(read_back) << i;
    expect_same(*read_back, own);
    own.exact = true;
    ASSERT_TRUE(read(own_bytes(own, nullptr), own.tick, nullptr)) << i;
  }
}

// Of a state of 256 bytes, a change of two neighbouring bytes costs as much as of a small state,
// and a bit for each further eight bytes.
TEST(AnOwnSection, CarriesTheChangedBytesOfALargeState) {
  OwnSection before = walking(now), own = walking(now + 8);
  before.final_game.resize(game_bytes_max);
  own.final_game.resize(game_bytes_max);
  const std::size_t same = own_bytes(own, &before).size;
  own.final_game[17] = std::byte{3};
  own.final_game[18] = std::byte{5};
  const OwnBytes changed = own_bytes(own, &before);
  const std::size_t bits = 1 /* size */ + game_bytes_max / 8 + 8 /* of one part */ + 2 * 8;
  EXPECT_NEAR(static_cast<double>(changed.size - same), bits / 8.0, 1);
  const auto read_back = read(changed, own.tick, &before);
  ASSERT_TRUE(read_back);
  expect_same(*read_back, own);
}

TEST(AnOwnSection, AtItsLargestFits) {
  Random random(11);
  OwnSection own = walking(now);
  const auto far = [&] { return 1e6 * (1 + random.unit()); };
  own.exact = true;
  own.vehicle = VehiclePrediction::Free;
  own.vehicle_thrust = rounded(to_float({far(), -far(), far()}));
  own.echo = now - 2'000'000'000;
  own.margin_input = now - 2'000'000'000;
  own.margin_us = -2'000'000'000;
  own.late = own.guessed = 255;
  own.delay_ticks = 9;
  own.final_game.resize(game_bytes_max);
  for (std::byte& byte : own.final_game) byte = std::byte(1 + random.below(255));
  own.near.resize(OwnBasis::parents_max);
  for (Handle& handle : own.near) handle = 1 + random.below(1U << 28);
  for (const Handle handle : own.near) {
    const Motion motion{{{far(), far(), far()}, normalized({1, 2, 3, 4})},
                        {far(), far(), far()},
                        {far(), far(), far()},
                        {far(), far(), far()},
                        {far(), far(), far()}};
    own.parents.push_back({handle, now - 2'000'000'000, rounded(motion)});
  }
  for (std::uint32_t i = 0; i < OwnSection::versions_max; ++i) own.versions.push_back({i, 7});
  for (std::uint32_t i = 0; i < OwnSection::chunks_max; ++i) own.chunks.push_back({i, 7, 8});
  const auto fits = [&] {
    const OwnBytes bytes = own_bytes(own, nullptr);
    EXPECT_GT(bytes.size, 800U);
    const auto read_back = read(bytes, now, nullptr);
    ASSERT_TRUE(read_back);
    expect_same(*read_back, own);
  };
  fits();
  own.has_echo = false;
  own.echo = {};
  own.rest = {65535, -16384, {}};
  own.rest.own.changed.fill(std::byte{255});
  fits();
}

// The look and the kept fields of a player that has not sent anything yet: a bit, as long as it has
// the defaults, and nothing once an input was applied.
TEST(AnOwnSection, SaysWhatTheWorkerAssumesUntilTheFirstInput) {
  OwnSection own = walking(now);
  own.has_echo = false;
  own.echo = {};
  const std::size_t without = own_bytes(own, nullptr).size;
  own.rest.yaw = 9'000;
  own.rest.pitch = -700;
  own.rest.own.changed[1] = std::byte{5};
  const OwnBytes bytes = own_bytes(own, nullptr);
  EXPECT_NEAR(static_cast<double>(bytes.size - without), (16 + 16 + 16 + 8) / 8.0, 1);
  const auto read_back = read(bytes, now, nullptr);
  ASSERT_TRUE(read_back);
  expect_same(*read_back, own);
  const auto with_pitch = [&](std::int16_t pitch) {
    own.rest.pitch = pitch;
    return own_bytes(own, nullptr);
  };
  const OwnBytes level = with_pitch(0), lowest_bit = with_pitch(1);
  OwnBytes upright = with_pitch(16384);
  EXPECT_TRUE(read(upright, now, nullptr));
  for (std::size_t i = 0; i < upright.size; ++i) {
    upright.space[i] ^= level.space[i] ^ lowest_bit.space[i];
  }
  EXPECT_FALSE(read(upright, now, nullptr)) << "more than a quarter turn";
}

// A place of 1e300 m became infinite in the frame of a patch of ground, and its cell no number.
TEST(AnOwnSection, OfAnAbsurdPlaceIsUnreadable) {
  OwnSection own = walking(now);
  own.exact = true;
  const auto is_readable = [&] { return read(own_bytes(own, nullptr), now, nullptr).has_value(); };
  own.final_state.position = {1e9, -1e9, 0};
  EXPECT_TRUE(is_readable());
  constexpr float infinite = std::numeric_limits<float>::infinity();
  constexpr float no_number = std::numeric_limits<float>::quiet_NaN();
  for (const float absurd : {infinite, -infinite, no_number, 3e38F, -1.1e9F}) {
    own.final_state.position.z = double{absurd};
    EXPECT_FALSE(is_readable()) << absurd;
    own.final_state.position.z = 0;
    own.final_state.velocity.y = absurd;
    EXPECT_FALSE(is_readable()) << absurd;
    own.final_state.velocity.y = 0;
  }
  own.final_state.position.z = 1e300;
  EXPECT_FALSE(is_readable());
}

TEST(AnOwnSection, OnAnUnknownBasisIsUnreadable) {
  const OwnSection before = walking(now);
  const OwnBytes bytes = own_bytes(walking(now + 8), &before);
  EXPECT_FALSE(read(bytes, now + 8, nullptr));
  OwnSection other = before;
  other.tick = now - 8;
  EXPECT_FALSE(read(bytes, now + 8, &other));
}

// A value that was rounded once stays as it is, so that worker and client have the same basis.
TEST(Rounding, ChangesARoundedValueNoMore) {
  Random random(9);
  const auto some = [&](double most) { return random.between(-most, most); };
  for (int i = 0; i < 10'000; ++i) {
    ActorState state;
    state.position = {some(1e6), some(1), some(1e-3)};
    state.velocity = to_float({some(5'000), some(1), some(1e-3)});
    const ActorState once = rounded(state);
    EXPECT_LT(distance(once.position, state.position), 6e-5);
    ASSERT_EQ(rounded(once), once);
    const Motion motion{{state.position, normalized({some(1), some(1), some(1), some(1)})},
                        {some(300), 0, 0},
                        {some(3), some(3), 0},
                        {some(30), 0, 0},
                        {some(1), 0, 0}};
    const Motion moved = rounded(motion);
    ASSERT_EQ(rounded(moved).pose, moved.pose);
    EXPECT_EQ(rounded(moved).angular_velocity, moved.angular_velocity);
  }
}

TEST(Rounding, OfAbsurdValuesStaysInRange) {
  ActorState state;
  state.position = {1e300, -1e300, 0};
  state.velocity = {1e30F, 0, 0};
  const ActorState once = rounded(state);
  EXPECT_LT(std::abs(once.position.x), 2e9);
  EXPECT_EQ(rounded(once), once);
}

struct Bases : testing::Test {
  OwnBases bases;
  OwnSection section(Tick tick, bool becomes_basis = true) {
    OwnSection own = walking(tick);
    own.becomes_basis = becomes_basis;
    return own;
  }
};

TEST_F(Bases, AreTheNewestOnesThatSaidSo) {
  for (std::int32_t i = 0; i < 40; ++i) bases.add(1, section(now + i, i % 2 == 0));
  EXPECT_EQ(bases.find(1, now + 38)->tick, now + 38);
  EXPECT_EQ(bases.find(1, now + 37), nullptr);
  EXPECT_NE(bases.find(1, now + 8), nullptr);
  EXPECT_EQ(bases.find(1, now + 6), nullptr) << "16 are kept";
  EXPECT_EQ(bases.find(2, now + 38), nullptr);
}

TEST_F(Bases, OfAStreamThatStartsOverAreForgotten) {
  bases.add(1, section(now));
  bases.add(2, section(now));
  bases.forget_stream(2);
  EXPECT_EQ(bases.find(2, now), nullptr);
  EXPECT_NE(bases.find(1, now), nullptr);
}

// The new owner's clock is behind, or the former one's last sections were ahead.
TEST_F(Bases, OfANewOwnerCountThoughTheyAreOlder) {
  for (std::int32_t i = 0; i < 20; ++i) bases.add(1, section(now + 8 * i));
  for (std::int32_t i = 0; i < 16; ++i) {
    bases.add(2, section(now + 8 * i - 5));
    EXPECT_NE(bases.find(2, now + 8 * i - 5), nullptr) << i;
  }
  EXPECT_NE(bases.find(2, now - 5), nullptr);
}

// A worker that is wrongly declared dead sends on until it learns of it.
TEST_F(Bases, OfTwoOwnersThatAlternateAreAllKept) {
  for (std::int32_t i = 0; i < 40; ++i) {
    bases.add(1, section(now + 8 * i));
    bases.add(2, section(now + 8 * i - 5));
  }
  for (std::int32_t i = 24; i < 40; ++i) {
    EXPECT_NE(bases.find(1, now + 8 * i), nullptr) << i;
    EXPECT_NE(bases.find(2, now + 8 * i - 5), nullptr) << i;
  }
}

TEST_F(Bases, OfAThirdOwnerTakeTheRoomOfTheOthersOldest) {
  for (std::int32_t i = 0; i < 16; ++i) {
    bases.add(1, section(now + 8 * i));
    bases.add(2, section(now + 8 * i + 200));
  }
  for (std::int32_t i = 0; i < 16; ++i) bases.add(3, section(now + 8 * i - 5));
  for (std::int32_t i = 0; i < 16; ++i) {
    EXPECT_EQ(bases.find(1, now + 8 * i), nullptr) << i;
    EXPECT_NE(bases.find(2, now + 8 * i + 200), nullptr) << i;
    EXPECT_NE(bases.find(3, now + 8 * i - 5), nullptr) << i;
  }
}

TEST_F(Bases, ThatComeLateOrTwicePushOutNoNewerOnes) {
  for (std::int32_t i = 0; i < 16; ++i) bases.add(1, section(now + 8 * i));
  bases.add(1, section(now + 120));
  bases.add(1, section(now - 8));
  for (std::int32_t i = 0; i < 16; ++i) EXPECT_NE(bases.find(1, now + 8 * i), nullptr) << i;
}

}  // namespace
}  // namespace perigee
