#include "perigee/base/own_input.hpp"

#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "perigee/base/hash.hpp"
#include "perigee/base/input_codec.hpp"
#include "perigee/base/input_timeline.hpp"
#include "perigee/base/wire_client.hpp"

namespace perigee {
namespace {

enum class Emote : std::uint8_t { None, Wave, Bow, Dance };

struct OwnControls {
  std::int16_t lean = 0;
  std::uint8_t throttle = 0;
  std::uint8_t slot = 1;
  Emote emote = Emote::None;
  bool crouch = false;

  static void fields(auto&& field, auto& controls) {
    field(controls.lean, "lean", {.low = -1000, .high = 1000});
    field(controls.throttle, "throttle");
    field(controls.slot, "slot", {.low = 1, .high = 5, .missing = WhenMissing::Kept});
    field(controls.emote, "emote", {.low = 0, .high = 3, .missing = WhenMissing::Momentary});
    field(controls.crouch, "crouch");
  }
  friend bool operator==(const OwnControls&, const OwnControls&) = default;
};

const InputLayout& own_layout() {
  static const InputLayout of_controls = input_layout_of<OwnControls>();
  return of_controls;
}

PlayerInput played(const OwnControls& controls, std::uint32_t tick = 100) {
  PlayerInput input{.tick = Tick{tick}};
  input.own.set(controls);
  return input;
}
OwnControls controls_in(const PlayerInput& input) { return input.own.as<OwnControls>(); }

TEST(OwnInput, HasTheDefaultsUnlessItIsSet) {
  EXPECT_EQ(controls_in({}), OwnControls{});
  EXPECT_EQ(controls_in({}).slot, 1);
  const OwnControls some{-77, 200, 4, Emote::Bow, true};
  EXPECT_EQ(controls_in(played(some)), some);
  EXPECT_TRUE(played(OwnControls{}).own.unset());
  EXPECT_FALSE(played(some) == played({-77, 200, 4, Emote::Bow, false}));
}

TEST(OwnInput, IsSetByNameWithinItsRange) {
  OwnInput own;
  const InputField& lean = *own_layout().find("lean");
  EXPECT_EQ(own_layout().find("leaning"), nullptr);
  EXPECT_TRUE(own_layout().set(own, lean, -1000));
  EXPECT_FALSE(own_layout().set(own, lean, -1001));
  EXPECT_FALSE(own_layout().set(own, lean, 1001));
  EXPECT_EQ(lean.stored(own), -1000);
  EXPECT_FALSE(own_layout().set(own, *own_layout().find("slot"), 0));
  EXPECT_FALSE(own_layout().set(own, *own_layout().find("crouch"), 2));
  EXPECT_EQ(own.as<OwnControls>(), (OwnControls{.lean = -1000}));
}

TEST(OwnInput, IsReadFromTheBytesOfTheGamesStruct) {
  const OwnControls some{.lean = -7, .throttle = 3, .slot = 2, .crouch = true};
  auto bytes = std::bit_cast<std::array<std::byte, sizeof some>>(some);
  EXPECT_EQ(own_layout().from_struct(bytes), played(some).own);
  EXPECT_EQ(own_layout().from_struct(std::span(bytes).first(5)), std::nullopt);
  bytes[3] = std::byte{6};
  EXPECT_EQ(own_layout().from_struct(bytes), std::nullopt) << "there is no slot 6";
}

TEST(OwnInput, NamesTheFieldThatIsOutOfItsRange) {
  EXPECT_EQ(own_layout().unusable(played({.slot = 5}).own), std::nullopt);
  EXPECT_EQ(own_layout().unusable(played({.slot = 6}).own), "slot");
  EXPECT_EQ(own_layout().unusable(played({.lean = -2000}).own), "lean");
  OwnInput beyond;
  beyond.changed[15] = std::byte{1};
  EXPECT_EQ(own_layout().unusable(beyond), "own");
  own_layout().confine(beyond);
  EXPECT_TRUE(beyond.unset());
  PlayerInput wild = played({.lean = -2000, .slot = 99});
  own_layout().confine(wild.own);
  EXPECT_EQ(controls_in(wild), (OwnControls{.lean = -1000, .slot = 5}));
}

template <char Letter, int High>
struct OneSlot {
  std::uint8_t slot = 1;
  static void fields(auto&& field, auto& c) {
    static constexpr char name[] = {'s', 'l', 'o', Letter, 0};
    field(c.slot, name, {.low = 1, .high = High});
  }
};

TEST(OwnInput, HasAHashOfItsLayout) {
  const auto hash = input_layout_of<OneSlot<'t', 5>>().hash();
  EXPECT_EQ(hash, (input_layout_of<OneSlot<'t', 5>>().hash()));
  EXPECT_NE(hash, (input_layout_of<OneSlot<'w', 5>>().hash()));
  EXPECT_NE(hash, (input_layout_of<OneSlot<'t', 6>>().hash()));
  EXPECT_EQ(no_own_input().hash(), 0U);
}

// A missing input: the throttle is held for six ticks, the slot is kept, the emote happens once.
TEST(OwnInput, IsGuessedAsEachFieldDeclares) {
  InputTimeline timeline{{.own = &own_layout()}};
  const OwnControls pressed{.throttle = 90, .slot = 3, .emote = Emote::Wave, .crouch = true};
  timeline.offer(played(pressed, 10), Tick{10});
  EXPECT_EQ(controls_in(timeline.take(Tick{10}).input), pressed);
  for (std::uint32_t t = 11; t <= 16; ++t) {
    EXPECT_EQ(controls_in(timeline.take(Tick{t}).input),
              (OwnControls{.throttle = 90, .slot = 3, .crouch = true}));
  }
  EXPECT_EQ(controls_in(timeline.take(Tick{17}).input), (OwnControls{.slot = 3}));
  EXPECT_EQ(controls_in(neutral(played(pressed), Tick{1}, own_layout())), (OwnControls{.slot = 3}));
}

/// Silence after an input with slot 3: kept until the end of it.
struct ASilence : testing::Test {
  InputTimeline timeline{{.own = &own_layout()}};
  std::uint32_t next = 11;
  ASilence() {
    PlayerInput input = played({.throttle = 90, .slot = 3}, 10);
    input.yaw = 20'000;
    input.pitch = -300;
    timeline.offer(input, Tick{10});
    timeline.take(Tick{10});
  }
  void lasts(std::uint32_t ticks, InputTimeline& at) {
    for (; ticks > 0; --ticks) {
      const PlayerInput guess = at.take(Tick{next++}).input;
      ASSERT_EQ(controls_in(guess).slot, 3) << next;
      ASSERT_EQ(guess.yaw, 20'000);
      ASSERT_EQ(guess.pitch, -300);
    }
  }
  void lasts(std::uint32_t ticks) { lasts(ticks, timeline); }
  /// The timeline on another worker: of the standby, or after a migration.
  InputTimeline elsewhere(bool standby) const {
    std::array<std::byte, 32768> bytes{};
    ByteWriter writer(bytes);
    EXPECT_TRUE(standby ? InputTimeline::walk_open(writer, timeline, Tick{next})
                        : InputTimeline::walk(writer, timeline, Tick{next}));
    ByteReader reader({bytes.data(), writer.size()});
    InputTimeline read{{.own = &own_layout()}};
    EXPECT_TRUE(standby ? InputTimeline::walk_open(reader, read, Tick{next})
                        : InputTimeline::walk(reader, read, Tick{next}));
    EXPECT_TRUE(reader.at_end());
    return read;
  }
};

TEST_F(ASilence, KeepsAFieldHoweverLongItLasts) {
  lasts(2'000);
  EXPECT_EQ(controls_in(timeline.take(Tick{next}).input).throttle, 0);
}

TEST_F(ASilence, KeepsAFieldOnAnotherWorker) {
  for (const std::uint32_t ticks : {20U, 100U}) {
    lasts(ticks);
    for (const bool standby : {true, false}) {
      const std::uint32_t from = next;
      InputTimeline there = elsewhere(standby);
      lasts(300, there);
      there.reset(Tick{next});
      lasts(300, there);
      next = from;
    }
  }
}

TEST_F(ASilence, KeepsAFieldThroughResets) {
  for (const std::uint32_t ticks : {0U, 5U, 300U}) {
    lasts(ticks);
    timeline.reset(Tick{next});
    timeline.reset(Tick{next += 700});  // a group that arrives late
    const std::uint32_t from = next;
    InputTimeline standby = elsewhere(true);
    lasts(300, standby);
    next = from;
  }
  // Inputs for ticks before the reset are void, also for the tick right before it.
  const Tick reset{next};
  EXPECT_EQ(timeline.offer(played({.slot = 5}, next - 1), reset), InputOffer::TooLate);
  EXPECT_EQ(timeline.oldest_open(reset), reset);
  EXPECT_EQ(timeline.final_before(reset), reset);
  EXPECT_FALSE(timeline.missing(reset - 1));
  lasts(10);
}

// A late input inside of the window replaces the guesses after it.
TEST_F(ASilence, EndsWithTheFieldOfALateInput) {
  lasts(300);
  const Tick late{next - 5};
  EXPECT_EQ(timeline.offer(played({.slot = 5}, late.count), Tick{next}), InputOffer::Rewind);
  for (Tick tick = late; before(tick, Tick{next + 300}); ++tick) {
    ASSERT_EQ(controls_in(timeline.take(tick).input).slot, 5);
  }
}

std::size_t frame_bytes(const std::vector<OwnControls>& newest_first, const InputLayout& of) {
  ControlFrame frame;
  auto tick = std::uint32_t{500};
  for (const OwnControls& each : newest_first) frame.inputs.push_back(played(each, tick--));
  std::array<std::byte, 1200> out;
  const auto bytes = write_control(frame, out, of);
  ControlFrame read;
  EXPECT_TRUE(read_control(bytes, read, of));
  EXPECT_EQ(read.inputs.size(), frame.inputs.size());
  for (std::size_t i = 0; i < frame.inputs.size(); ++i) {
    EXPECT_TRUE(read.inputs[i] == frame.inputs[i]) << i;
  }
  return bytes.size();
}

TEST(OwnInput, CostsNothingWhileItDoesNotChange) {
  const std::size_t without = frame_bytes(std::vector<OwnControls>(16), no_own_input());
  EXPECT_EQ(frame_bytes(std::vector<OwnControls>(16), own_layout()), without);
  // Newest differs from the defaults: five bits of presence and three of the slot, once.
  EXPECT_EQ(frame_bytes(std::vector<OwnControls>(16, {.slot = 4}), own_layout()), without + 1);
  // 5 + 3 + 8 bits for slot and throttle, then 5 + 8 where the throttle was another one.
  std::vector<OwnControls> pulled(16, {.throttle = 7, .slot = 4});
  pulled[0].throttle = 8;
  EXPECT_EQ(frame_bytes(pulled, own_layout()), without + 2 + 2);
}

struct Noise {
  std::array<std::uint32_t, 4> words{};
  static void fields(auto&& field, auto& noise) {
    field(noise.words[0], "a");
    field(noise.words[1], "b");
    field(noise.words[2], "c");
    field(noise.words[3], "d");
  }
};

// The dearest fields: 16 bytes that change in each tick. A frame has the newest inputs that fit,
// and says how many these are.
TEST(OwnInput, OfManyChangingBytesLimitsTheInputsOfAFrame) {
  const InputLayout layout = input_layout_of<Noise>();
  Random random(5);
  ControlFrame frame;
  while (!frame.inputs.full()) {
    PlayerInput input{.tick = Tick{900} - static_cast<std::int32_t>(frame.inputs.size())};
    for (std::byte& byte : input.own.changed) byte = std::byte(random.below(256));
    frame.inputs.push_back(input);
  }
  std::array<std::byte, 1200> out;
  ControlFrame read;
  const auto bytes = write_control(frame, out, layout);
  ASSERT_TRUE(read_control(bytes, read, layout));
  EXPECT_EQ(inputs_in(bytes), read.inputs.size());
  EXPECT_EQ(read.inputs.size(), 55U) << "18 bytes each";
  EXPECT_EQ(read.inputs[0].tick, Tick{900});
  while (frame.inputs.size() > 3) frame.inputs.erase(3);
  EXPECT_EQ(inputs_in(write_control(frame, out, layout)), 3U);
  EXPECT_EQ(inputs_in({}), 0U);
}

TEST(OwnInput, HasExactlyTheseBytes) {
  ControlFrame frame;
  frame.inputs.push_back(played({.lean = -2, .slot = 3, .emote = Emote::Dance}));
  std::array<std::byte, 64> out;
  const auto bytes = write_control(frame, out, own_layout());
  // Bits, lowest first: 1, 998 in 11; 0; 1, 2 in 3; 1, 3 in 2; 0.
  const std::uint32_t bits = 1U | 998U << 1 | 0U << 12 | 1U << 13 | 2U << 14 | 1U << 17 | 3U << 18;
  ASSERT_EQ(bytes.size(), 28U + 1 + 3);
  EXPECT_EQ(bytes[28], std::byte{1 << 6});
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(bytes[29 + i], static_cast<std::byte>(bits >> (8 * i))) << i;
  }
}

// The example of WIRE.md.
struct TwoFields {
  std::uint8_t throttle = 0;
  std::uint8_t slot = 1;
  static void fields(auto&& field, auto& c) {
    field(c.throttle, "throttle");
    field(c.slot, "slot", {.low = 1, .high = 5});
  }
};

TEST(OwnInput, HasTheBytesOfTheDocument) {
  ControlFrame frame;
  PlayerInput newest{.tick = Tick{9}}, older{.tick = Tick{8}};
  newest.own.set(TwoFields{7, 4});
  older.own.set(TwoFields{8, 4});
  frame.inputs.push_back(newest);
  frame.inputs.push_back(older);
  std::array<std::byte, 64> out;
  const auto bytes = write_control(frame, out, input_layout_of<TwoFields>());
  ASSERT_EQ(bytes.size(), 28U + 6);
  constexpr std::array wanted{0x40, 0x0f, 0x0e, 0x40, 0x11, 0x00};
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    EXPECT_EQ(bytes[28 + i], static_cast<std::byte>(wanted[i])) << i;
  }
}

TEST(OwnInput, OutOfItsRangeIsRefusedWithTheFrame) {
  ControlFrame frame;
  frame.inputs.push_back(played({.slot = 5}));
  std::array<std::byte, 64> out;
  const auto bytes = write_control(frame, out, own_layout());
  ControlFrame read;
  ASSERT_TRUE(read_control(bytes, read, own_layout()));
  EXPECT_FALSE(read_control(bytes, read)) << "the game has no own fields";
  EXPECT_FALSE(read_control(bytes.first(bytes.size() - 1), read, own_layout()));
  const std::size_t slot = bytes.size() - 1;  // 0, 0, 1, 4 in 3, 0, 0
  EXPECT_EQ(out[slot], static_cast<std::byte>(1U << 2 | 4U << 3));
  for (std::uint8_t value = 5; value < 8; ++value) {
    out[slot] = static_cast<std::byte>(1U << 2 | unsigned{value} << 3);
    EXPECT_FALSE(read_control(bytes, read, own_layout())) << int{value};
  }
}

TEST(OwnInput, NoBitFlipReachesTheGameOutOfItsRange) {
  ControlFrame frame;
  for (std::uint32_t i = 0; i < 8; ++i) {
    frame.inputs.push_back(played({.lean = static_cast<std::int16_t>(i * 100),
                                   .throttle = static_cast<std::uint8_t>(i),
                                   .slot = static_cast<std::uint8_t>(1 + i % 5),
                                   .emote = Emote::Wave,
                                   .crouch = i % 2 == 0},
                                  100 - i));
  }
  std::array<std::byte, 512> out;
  const std::size_t size = write_control(frame, out, own_layout()).size();
  int read_anyway = 0;
  for (std::size_t bit = 0; bit < size * 8; ++bit) {
    std::array<std::byte, 512> flipped = out;
    flipped[bit / 8] ^= static_cast<std::byte>(1U << bit % 8);
    ControlFrame read;
    if (!read_control(std::span(flipped).first(size), read, own_layout())) continue;
    ++read_anyway;
    for (const PlayerInput& input : read.inputs) {
      EXPECT_EQ(own_layout().unusable(input.own), std::nullopt) << bit;
    }
  }
  EXPECT_GT(read_anyway, 0);
}

// Between workers and in files: exact, and nothing for a player without own fields.
TEST(OwnInput, IsExactInFilesAndBetweenWorkers) {
  const auto copied = [](const PlayerInput& input) {
    std::array<std::byte, 256> room;
    ByteWriter writer(room);
    EXPECT_TRUE(walk_input(writer, input));
    ByteReader reader(writer.written());
    PlayerInput read = played({.throttle = 250});
    EXPECT_TRUE(walk_input(reader, read));
    EXPECT_TRUE(reader.at_end());
    EXPECT_TRUE(read == input);
    return writer.size();
  };
  const std::size_t without = copied({.tick = Tick{5}, .right = 3});
  PlayerInput input = played({.lean = -300, .slot = 2});
  EXPECT_EQ(copied(input), without + 2 + 3);
  input.samples.push_back({.pressed = 0x8000});
  EXPECT_EQ(copied(input), without + 2 + 3 + 8);
}

struct Unlisted {
  std::uint8_t throttle = 0;
  std::uint8_t forgotten = 0;
  static void fields(auto&& field, auto& c) { field(c.throttle, "throttle"); }
};
struct OutOfRange {
  std::uint8_t slot = 0;
  static void fields(auto&& field, auto& c) { field(c.slot, "slot", {.low = 1}); }
};
struct Impossible {
  std::uint8_t slot = 0;
  static void fields(auto&& field, auto& c) { field(c.slot, "slot", {.low = -1}); }
};
struct Twice {
  std::uint8_t a = 0, b = 0;
  static void fields(auto&& field, auto& c) { field(c.a, "a"), field(c.b, "a"); }
};

TEST(OwnInputDeathTest, OfAWrongDeclarationIsNamedAtStartUp) {
  EXPECT_DEATH(input_layout_of<Unlisted>(), "must list each own field");
  EXPECT_DEATH(input_layout_of<OutOfRange>(), "default .* must be in its range");
  EXPECT_DEATH(input_layout_of<Impossible>(), "must be one of its type");
  EXPECT_DEATH(input_layout_of<Twice>(), "needs its own name");
  for (const char* name : {"tür", "two words", "line\n"}) {
    InputLayout layout;
    EXPECT_DEATH(layout.add({.name = name, .high = 1}), "ASCII letters, digits and signs") << name;
  }
}

}  // namespace
}  // namespace perigee
