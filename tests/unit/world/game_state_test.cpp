// A game's own state of an actor: its replicated fields, and their receivers.
#include <gtest/gtest.h>

#include "perigee/world/game_state.hpp"

namespace perigee::world {
namespace {

struct Runner {
  std::uint32_t lap_started = 0;
  std::int16_t balance = -5;
  std::uint8_t stamina = 100;
  bool tired = false;
  static void fields(auto&& field, auto& runner) {
    field(runner.lap_started, SeenBy::Owner);
    field(runner.balance, SeenBy::Everybody);
    field(runner.stamina, SeenBy::Owner);
    field(runner.tired, SeenBy::Everybody);
  }
};

GameBytes bytes_of(std::initializer_list<int> values) {
  GameBytes out;
  for (const int value : values) out.push_back(std::byte(value));
  return out;
}

struct AGameState : testing::Test {
  GameStateCodec codec = codec_of<Runner>();
  GameState state = codec.initial;
  Runner& runner = state.as<Runner>();

  GameBytes bytes(SeenBy reader) const { return codec.write(state, codec.initial, reader); }
  std::optional<GameState> read(const GameBytes& bytes, SeenBy reader) const {
    GameState out;
    if (!codec.read(bytes, codec.initial, reader, out)) return std::nullopt;
    return out;
  }
};

TEST_F(AGameState, CostsNothingWhileItIsAsItWasBorn) {
  EXPECT_TRUE(bytes(SeenBy::Owner).empty());
  EXPECT_EQ(read({}, SeenBy::Owner), codec.initial);
}

TEST_F(AGameState, SendsTheOwnerEverything) {
  runner = {.lap_started = 77'000, .balance = -300, .stamina = 0, .tired = true};
  EXPECT_EQ(bytes(SeenBy::Owner).size(), 2U + 4 + 2 + 1 + 1);
  EXPECT_EQ(read(bytes(SeenBy::Owner), SeenBy::Owner), state);
}

TEST_F(AGameState, SendsOthersOnlyWhatIsForEverybody) {
  runner = {.lap_started = 77'000, .balance = -300, .stamina = 3};
  EXPECT_EQ(bytes(SeenBy::Everybody).size(), 2U + 2);
  const auto seen = read(bytes(SeenBy::Everybody), SeenBy::Everybody);
  ASSERT_TRUE(seen);
  EXPECT_EQ(seen->as<Runner>().balance, -300);
  EXPECT_EQ(seen->as<Runner>().stamina, 100);
  EXPECT_FALSE(read(bytes(SeenBy::Owner), SeenBy::Everybody)) << "more than that is malformed";
}

TEST_F(AGameState, IsNotReadFromOtherBytes) {
  runner = {.lap_started = 1, .balance = 2, .stamina = 3, .tired = true};
  const GameBytes whole = bytes(SeenBy::Owner);
  for (std::size_t size = 1; size < whole.size(); ++size) {
    GameBytes cut;
    for (std::size_t i = 0; i < size; ++i) cut.push_back(whole[i]);
    EXPECT_FALSE(read(cut, SeenBy::Owner)) << size;
  }
  GameBytes longer = whole;
  longer.push_back(std::byte{});
  EXPECT_FALSE(read(longer, SeenBy::Owner));
  GameBytes no_such_field = whole;
  no_such_field[0] = std::byte{0x1f};
  EXPECT_FALSE(read(no_such_field, SeenBy::Owner));
  GameBytes no_bool = whole;
  no_bool.back() = std::byte{2};
  EXPECT_FALSE(read(no_bool, SeenBy::Owner));
}

// Its bytes are as those of the wire's versions before states of more fields.
TEST_F(AGameState, OfFewFieldsHasTwoBytesOfMarks) {
  runner = {.lap_started = 0x01020304, .balance = -5, .stamina = 9, .tired = true};
  EXPECT_EQ(bytes(SeenBy::Owner), bytes_of({0x0d, 0x00, 4, 3, 2, 1, 9, 1}));
}

template <std::size_t Count>
struct FieldsOf {
  std::array<std::uint8_t, Count> values{};
  static void fields(auto&& field, auto& row) {
    for (auto& value : row.values) field(value, SeenBy::Everybody);
  }
};
template <std::size_t Count>
GameBytes bytes_of_row(std::size_t changed) {
  const GameStateCodec codec = codec_of<FieldsOf<Count>>();
  GameState state = codec.initial;
  state.as<FieldsOf<Count>>().values[changed] = 7;
  return codec.write(state, codec.initial, SeenBy::Owner);
}

TEST(AGameStateOfManyFields, MarksEightInAByte) {
  EXPECT_EQ(bytes_of_row<16>(15), bytes_of({0, 0x80, 7}));
  EXPECT_EQ(bytes_of_row<17>(16), bytes_of({0, 0, 0x01, 7}));
  EXPECT_EQ(bytes_of_row<40>(39), bytes_of({0, 0, 0, 0, 0x80, 7}));
  EXPECT_EQ(bytes_of_row<64>(63), bytes_of({0, 0, 0, 0, 0, 0, 0, 0x80, 7}));
}

TEST(AGameStateOfManyFields, HasNoFieldsBehindItsLast) {
  const GameStateCodec codec = codec_of<FieldsOf<17>>();
  GameState state;
  EXPECT_TRUE(codec.read(bytes_of({0, 0, 0x01, 7}), codec.initial, SeenBy::Owner, state));
  EXPECT_FALSE(codec.read(bytes_of({0, 0, 0x02, 7}), codec.initial, SeenBy::Owner, state));
}

TEST(AGameStateOfManyFieldsDeathTest, HasAtMost64) {
  EXPECT_DEATH(codec_of<FieldsOf<65>>(), "at most 64 fields");
}

struct Largest {
  std::array<std::uint64_t, 32> words{};
  static void fields(auto&& field, auto& largest) {
    for (auto& word : largest.words) field(word, SeenBy::Owner);
  }
};

TEST(TheLargestGameState, IsReadAsItWasWrittenAndNotFromFewerBytes) {
  const GameStateCodec codec = codec_of<Largest>();
  EXPECT_EQ(codec.bytes, GameState::bytes_max);
  GameState state = codec.initial, read;
  for (std::uint64_t i = 0; i < 32; ++i) state.as<Largest>().words[i] = ~i;
  const GameBytes whole = codec.write(state, codec.initial, SeenBy::Owner);
  EXPECT_EQ(whole.size(), 4U + 256);
  ASSERT_TRUE(codec.read(whole, codec.initial, SeenBy::Owner, read));
  EXPECT_EQ(read, state);
  for (std::size_t size = 1; size < whole.size(); ++size) {
    GameBytes cut = whole;
    cut.resize(size);
    EXPECT_FALSE(codec.read(cut, codec.initial, SeenBy::Owner, read)) << size;
    EXPECT_EQ(read, codec.initial);
  }
  EXPECT_TRUE(codec.write(state, codec.initial, SeenBy::Everybody).empty());
}

}  // namespace
}  // namespace perigee::world
