#include "perigee/world/slow_calls.hpp"

#include <gtest/gtest.h>

#include "perigee/world/watched_game.hpp"

namespace perigee::world {
namespace {

struct ASlowCall : testing::Test {
  Micros now_us = 1'000;
  SlowCalls slow{[this] { return now_us; }, 500};

  void call(const char* function, Micros takes_us) {
    const Micros began_us = now_us;
    now_us += takes_us;
    slow.note({.function = function, .tick = Tick{7}, .avatar = 0x42}, began_us);
  }
  std::uint64_t count(GameFunction function) const { return slow.counts()[function]; }
};

TEST_F(ASlowCall, IsCountedUnderItsFunction) {
  call("step", 500);
  call("step", 501);
  call("think", 9'000);
  call("on_join", 9'000);
  EXPECT_EQ(count(GameFunction::Step), 1U) << "the limit itself is allowed";
  EXPECT_EQ(count(GameFunction::Think), 1U);
  EXPECT_EQ(count(GameFunction::Other), 1U);
  for (std::size_t i = 0; i < game_functions.size(); ++i) {
    const auto before = slow.counts()[static_cast<GameFunction>(i)];
    call(std::string(game_functions[i]).c_str(), 600);
    EXPECT_EQ(slow.counts()[static_cast<GameFunction>(i)], before + 1) << game_functions[i];
  }
}

TEST_F(ASlowCall, IsLoggedOnceAMinuteForEachFunction) {
  for (int i = 0; i < 5; ++i) call("step", 800);
  call("drive", 700);
  const auto first = slow.take_unsent();
  ASSERT_EQ(first.size(), 2U);
  EXPECT_STREQ(first[0].call.function, "step");
  EXPECT_EQ(first[0].took_us, 800);
  EXPECT_EQ(first[0].call.tick, Tick{7});
  EXPECT_EQ(first[0].call.avatar, 0x42U);
  call("step", 800);
  EXPECT_EQ(slow.take_unsent().size(), 0U);
  now_us += SlowCalls::log_again_us;
  call("step", 800);
  EXPECT_EQ(slow.take_unsent().size(), 1U);
  EXPECT_EQ(count(GameFunction::Step), 7U);
}

/// Its step takes a millisecond.
class Sluggish final : public GameModule {
 public:
  explicit Sluggish(Micros& now_us) : now_us_(now_us) {}
  std::string_view name() const override { return "sluggish"; }
  std::uint64_t schema_hash() const override { return 1; }
  std::span<const EntityType> types() const override { return {}; }
  const ParentingParams& parenting() const override { return parenting_; }
  void populate(World&, const Bounds&, std::uint32_t) const override {}
  void drive(World&, Tick) const override {}
  ActorSpawn spawn_state(const World&, const Bounds&, std::uint32_t) const override { return {}; }
  UseOutcome accept_use(const World&, const UseAttempt&) const override { return {}; }
  void step(ActorContext&, GameState&) const override { now_us_ += 1'000; }

 private:
  Micros& now_us_;
  ParentingParams parenting_;
};

TEST_F(ASlowCall, OfAWatchedGameIsMeasured) {
  const Sluggish game(now_us);
  const WatchedGame watched(game, &slow);
  StepRecord record;
  ActorContext context(record);
  GameState state;
  watched.step(context, state);
  watched.after_motion(context, state);
  EXPECT_EQ(count(GameFunction::Step), 1U);
  EXPECT_EQ(count(GameFunction::AfterMotion), 0U);
}

}  // namespace
}  // namespace perigee::world
