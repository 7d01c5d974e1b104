// Shots that leave the area that their worker knows completely: remote raycasts. (S2 and B5 across
// workers)
#include <gmock/gmock.h>

#include "border.hpp"
#include "crowd.hpp"
#include "perigee/base/hash.hpp"

namespace perigee::worker {
namespace {

/// The border is at 965 m, so a player at 1,108 m is known only beyond it. The door is not in the
/// way.
struct FarBorder : Border {
  static constexpr std::uint8_t look_kind = 9, seen_kind = 10;
  static test::YardOptions armed(double x, double shot_m) {
    test::YardOptions options = yard_at_the_border({x, person_m, -5});
    options.spacing = {-5, 0, 0};
    options.weapons = true;
    options.shot_m = shot_m;
    return options;
  }
  explicit FarBorder(double shooter_x = -5, double shot_m = 1'000)
      : Border(armed(shooter_x, shot_m), armed(148, shot_m), without_claims(), 965) {
    step(60);
    here.join(0);
    there.join(1, 1);
    step(60);
  }
  void shoot(int times) {
    for (int i = 0; i < 12 * times; ++i) {
      if (i % 12 == 0) here.send(fires(here.core->next_tick()), 0);
      step();
    }
    step(60);
  }
  const test::Marksman& target() { return there.player(1).game.as<test::Marksman>(); }
  /// The verdicts sent to the shooter.
  std::vector<std::uint8_t> details() const {
    std::vector<std::uint8_t> out;
    for (const auto& [session, event] : here.events) {
      const auto* effect = std::get_if<EffectEvent>(&event);
      if (effect != nullptr && session == session_of(0)) out.push_back(effect->detail);
    }
    return out;
  }
};

TEST(AShotFarOverTheBorder, HitsAndKillsOnce) {
  FarBorder both;
  const Handle target = both.there.player(1).avatar;
  ASSERT_EQ(both.here.core->world().find(target), nullptr) << "its worker alone knows of it";
  both.shoot(5);
  EXPECT_TRUE(both.target().dead());
  EXPECT_EQ(both.here.player(0).game.as<test::Marksman>().kills, 1);
  EXPECT_EQ(both.there.core->journal().total(), 1U);
  EXPECT_EQ(both.here.count(metric.remote_raycasts_asked), 5U);
  EXPECT_EQ(both.here.count(metric.remote_raycasts_unanswered), 0U);
  EXPECT_EQ(both.here.count(metric.outcomes_committed), 5U);
  EXPECT_THAT(both.details(), testing::ElementsAre(1, 1, 1, 1, 1)) << "no miss before the hit";
}

// The nearest obstacle is hit, whichever worker knows it.
TEST(AShotFarOverTheBorder, MeetsTheFirstThingOnTheLine) {
  FarBorder both;
  both.there.join(2, 1);  // 5 m in front of the other, on the same line
  both.step(60);
  ASSERT_EQ(both.here.core->world().find(both.there.player(2).avatar), nullptr);
  both.shoot(4);
  EXPECT_FALSE(both.target().dead());
  EXPECT_EQ(both.target().hits_left, 3);
  EXPECT_TRUE(both.there.player(2).game.as<test::Marksman>().dead());
}

TEST(AShotFarOverTheBorder, IsNotAskedAboutIfSomethingNearIsInTheWay) {
  FarBorder both(25);
  both.here.join(2);  // 5 m behind the first
  both.step(60);
  for (int i = 0; i < 12; ++i) {
    if (i == 0) both.here.send(fires(both.here.core->next_tick()), 2);
    both.step();
  }
  both.step(60);
  EXPECT_EQ(both.here.player(0).game.as<test::Marksman>().hits_left, 2);
  EXPECT_EQ(both.here.count(metric.remote_raycasts_asked), 0U);
}

// A worker does not answer queries with more than 20 km of a line.
TEST(AShotFarOverTheBorder, AsksNoFartherThanOthersAnswer) {
  FarBorder both(-5, 50'000);
  both.shoot(1);
  EXPECT_EQ(both.target().hits_left, 2);
  EXPECT_EQ(both.there.count(metric.drop_malformed), 0U);
  EXPECT_EQ(both.here.count(metric.remote_raycasts_unanswered), 0U);
}

TEST(AShotFarOverTheBorder, IsDecidedWithoutWhoDoesNotAnswer) {
  for (const std::uint8_t lost : {FarBorder::look_kind, FarBorder::seen_kind}) {
    FarBorder both;
    both.fate = [&](const Border::Word& word) -> std::optional<int> {
      if (word.bytes[0] == std::byte{lost}) return std::nullopt;
      return 0;
    };
    both.shoot(2);
    EXPECT_EQ(both.target().hits_left, 3);
    EXPECT_EQ(both.here.count(metric.remote_raycasts_asked), 2U);
    EXPECT_EQ(both.here.count(metric.remote_raycasts_unanswered), 2U);
    EXPECT_EQ(both.here.count(metric.outcomes_committed), 2U);
  }
}

// The reply is late, and the shooter has left.
TEST(AShotFarOverTheBorder, CountsThoughItsShooterHasGone) {
  FarBorder both;
  both.fate = [](const Border::Word& word) {
    return word.bytes[0] == std::byte{FarBorder::seen_kind} ? 12 : 0;
  };
  both.here.send(fires(both.here.core->next_tick()), 0);
  for (int i = 0; i < 60 && both.here.count(metric.remote_raycasts_asked) == 0; ++i) both.step();
  ASSERT_EQ(both.here.count(metric.remote_raycasts_asked), 1U);
  both.here.leave(0);
  both.step(60);
  EXPECT_EQ(both.target().hits_left, 2);
}

// A reply is for a tick that is final at its sender.
TEST(AShotFarOverTheBorder, WaitsForAnOwnerWhoIsLate) {
  FarBorder both;
  both.here.send(fires(both.here.core->next_tick()), 0);
  for (int i = 0; i < 8; ++i) {
    both.here.tick();
    for (auto& word : both.under_way) word.at_turn = both.turn + 1;
  }
  both.step(60);
  EXPECT_EQ(both.target().hits_left, 2);
  EXPECT_EQ(both.here.count(metric.remote_raycasts_unanswered), 0U);
}

TEST(AShotFarOverTheBorder, IsUnharmedByGarbage) {
  FarBorder both;
  std::vector<Bytes> words;
  both.fate = [&](const Border::Word& word) {
    const auto kind = std::to_integer<std::uint8_t>(word.bytes[0]);
    if (kind == FarBorder::look_kind || kind == FarBorder::seen_kind) words.push_back(word.bytes);
    return 0;
  };
  both.shoot(1);
  both.fate = nullptr;
  ASSERT_EQ(words.size(), 2U);
  std::uint64_t state = 1;
  for (const Bytes& word : words) {
    for (std::size_t size = 1; size < word.size(); ++size) {
      both.there.core->on_peer(WorkerSlot{0}, std::span(word).first(size));
      both.here.core->on_peer(WorkerSlot{1}, std::span(word).first(size));
    }
    EXPECT_GE(both.there.count(metric.drop_malformed), word.size() - 1);
    for (int i = 0; i < 2'000; ++i) {
      Bytes other = word;
      state = mix64(state);
      other[1 + state % (other.size() - 1)] ^= static_cast<std::byte>(1 + (state >> 32) % 255);
      both.there.core->on_peer(WorkerSlot{0}, other);
      both.here.core->on_peer(WorkerSlot{1}, other);
    }
  }
  both.step(60);
  both.shoot(2);
  EXPECT_TRUE(both.target().dead());
}

}  // namespace
}  // namespace perigee::worker
