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

}  // namespace
}  // namespace perigee::world
