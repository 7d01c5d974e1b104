/// Effects of outcomes on another worker's entities: exactly once, in spite of delays,
/// losses and deaths.
#include <gmock/gmock.h>

#include "crowd.hpp"
#include "pair.hpp"
#include "perigee/base/hash.hpp"
#include "sanitized.hpp"

namespace perigee::worker {
namespace {

test::YardOptions armed(const Vec3& spawn) {
  test::YardOptions options = yard_at_the_border(spawn);
  options.weapons = true;
  return options;
}

// B5 across workers: the target belongs to another worker, and only that worker knows whether it is
// still alive.
TEST(AShotAtAnothers, HitsAndKillsOnce) {
  Border both(armed({15, person_m, 0}), armed({25, person_m, 0}), without_claims());
  both.step(60);
  both.here.join(0);
  both.there.join(1, 1);
  both.step(60);
  const Handle target = both.there.player(1).avatar;
  ASSERT_TRUE(both.here.core->world().find(target)->remote);
  for (int i = 0; i < 90; ++i) {
    if (i % 12 == 0 && i < 60) both.here.send(fires(both.here.core->next_tick()), 0);
    both.step();
  }
  EXPECT_TRUE(both.there.player(1).game.as<test::Marksman>().dead());
  EXPECT_EQ(both.here.player(0).game.as<test::Marksman>().kills, 1);
  EXPECT_EQ(both.there.core->journal().total(), 1U) << "the one who was killed is there";
  EXPECT_EQ(both.here.core->journal().total(), 0U);
  EXPECT_TRUE(both.here.core->messages_settled());
  EXPECT_TRUE(both.there.core->messages_settled());
}

// The number that distinguishes it from other outcomes with its target, tick and kind is replicated
// to the standby, and used by the successor.
TEST(AKillByAnothers, IsTheSameOutcomeWhenTheSuccessorWritesItAgain) {
  Pair both(armed({15, person_m, 0}), armed({25, person_m, 0}), without_claims());
  std::vector<OutcomeRow> first, again;
  both.here.core->outputs.to_store = [&](const OutcomeRow& row) { first.push_back(row); };
  both.there.core->outputs.to_store = [&](const OutcomeRow& row) { again.push_back(row); };
  both.pass(60);
  both.here.join(0);
  both.there.join(1, 1);
  both.pass(60);
  for (int i = 0; i < 90; ++i) {
    if (i % 12 == 0) both.there.send(fires(both.there.core->next_tick(), to_minus_x), 1);
    both.pass();
  }
  ASSERT_EQ(first.size(), 1U);
  EXPECT_EQ(first[0].message.incarnation, block_of(200'000U, 100'000));
  EXPECT_GT(first[0].message.number, 0U);
  OutcomeRow other = first[0];
  other.message.number += 1;
  EXPECT_NE(payload_of(other), payload_of(first[0]));
  EXPECT_EQ(entry_of(payload_of(first[0])), first[0].entry);
  both.kill();
  both.pass(3);
  both.record_failover();
  both.pass(3);
  ASSERT_EQ(again.size(), 1U);
  EXPECT_EQ(payload_of(again[0]), payload_of(first[0]));
  EXPECT_EQ(again[0].ordinal, first[0].ordinal);
}

/// Two workers with players that keep giving each other stones. Each is the other's standby.
struct Market : Pair {
  static constexpr std::uint32_t people = 6;  ///< at each worker
  static constexpr std::uint16_t stones = 20;
  std::vector<Handle> everybody;
  bool open = true;

  static test::YardOptions yard(double x, const std::vector<Handle>* givers) {
    test::YardOptions options = yard_at_the_border({x, person_m, 0});
    options.spacing = {0, 0, 2};
    options.stones = stones;
    options.givers = givers;
    return options;
  }
  explicit Market(bool standbys)
      : Pair(yard(15, &everybody), yard(25, &everybody), without_claims(), standbys) {
    pass(60);
    for (std::uint32_t n = 0; n < people; ++n) {
      here.join(n);
      there.join(people + n, 1);
    }
    pass(60);
    for (std::uint32_t n = 0; n < 2 * people; ++n) everybody.push_back(owner(n)->player(n).avatar);
  }
  Bench* owner(std::uint32_t n) {
    if (here_lives && here.core->player_of(100 + n) != nullptr) return &here;
    return there.core->player_of(100 + n) != nullptr ? &there : nullptr;
  }
  void pass(int turns = 1) {
    for (int i = 0; i < turns; ++i) {
      for (std::uint32_t n = 0; open && n < 2 * people && !everybody.empty(); ++n) {
        Bench* bench = owner(n);
        if (bench != nullptr) bench->send(fires(bench->core->next_tick()), n);
      }
      Pair::pass();
    }
  }
  /// Messages are not delayed any more; those in flight arrive first, as on any link.
  void calm_down() {
    fate = nullptr;
    for (Word& word : under_way) word.at_turn = 0;
  }
  std::uint64_t read() const {
    return here.count(metric.messages_read) + there.count(metric.messages_read);
  }
  std::uint32_t sum() {
    std::uint32_t all = 0;
    for (std::uint32_t n = 0; n < 2 * people; ++n) {
      Bench* bench = owner(n);
      EXPECT_NE(bench, nullptr) << n;
      if (bench != nullptr) all += bench->player(n).game.as<test::Marksman>().stones;
    }
    return all;
  }
  void expect_all_stones() {
    open = false;
    pass(120);
    EXPECT_TRUE(there.core->messages_settled());
    EXPECT_EQ(sum(), 2 * people * stones);
    if (here_lives) {
      EXPECT_TRUE(here.core->messages_settled());
    }
    for (const Bench* bench : {&here, &there}) {
      EXPECT_EQ(bench->count(metric.messages_lost), 0U);
    }
  }
};

TEST(AMarket, HasAsManyStonesAsBefore) {
  Market market(false);
  market.pass(1'000);
  EXPECT_GT(market.read(), 4'000U);
  market.expect_all_stones();
}

TEST(AMarket, HasAsManyStonesAsBeforeWhateverTheLinkLoses) {
  for (std::uint64_t seed = 1; seed <= seeds_of(3); ++seed) {
    SCOPED_TRACE(seed);
    Market market(true);
    std::uint64_t words = 0;
    market.fate = [&](const Border::Word& word) -> std::optional<int> {
      if (mix64(seed, std::uint64_t(word.at_turn / 40)) % 4 == 0)
        return std::nullopt;  // a lost link
      if (mix64(seed, ++words) % 50 == 0) return std::nullopt;
      return 2;
    };
    market.pass(1'000);
    market.calm_down();
    EXPECT_GT(market.read(), 1'000U);
    market.expect_all_stones();
  }
}

TEST(AMarket, HasAsManyStonesAsBeforeHoweverMuchComesAtOnce) {
  for (const int turns : {5, 11, 16, 24}) {
    SCOPED_TRACE(turns);
    Market market(false);
    market.fate = [&](const Border::Word& word) {
      const int at = word.at_turn + (word.to == WorkerSlot{1} ? turns / 2 : 0);
      return (at / turns + 1) * turns - at;
    };
    market.pass(1'500);
    market.calm_down();
    EXPECT_GT(market.read(), 1'000U);
    market.expect_all_stones();
  }
}

// R5: no stone is lost or duplicated when a worker dies, at any tick.
TEST(AMarket, HasAsManyStonesAsBeforeWhenAWorkerDies) {
  for (int at = 0; at < 80; at += shortened() ? 11 : 1) {
    SCOPED_TRACE(at);
    Market market(true);
    market.fate = [](const Border::Word&) { return 1; };
    market.pass(100 + at);
    // The last of its messages were not sent.
    const auto kept = mix64(std::uint64_t(at)) % (market.under_way.size() + 1);
    market.under_way.resize(kept);
    market.kill();
    market.pass(3);
    market.record_failover();
    market.pass(60);
    EXPECT_GT(market.read(), 100U);
    market.expect_all_stones();
  }
}

TEST(AMessage, ComesBackWhenWhomItIsForHasLeft) {
  Market market(false);
  market.open = false;
  market.pass(60);
  market.everybody = {market.there.player(Market::people).avatar};
  market.here.send(fires(market.here.core->next_tick()), 0);
  market.there.leave(Market::people);
  market.pass(30);
  EXPECT_EQ(market.here.player(0).game.as<test::Marksman>().stones, Market::stones - 1);
  market.pass(700);
  EXPECT_EQ(market.here.player(0).game.as<test::Marksman>().stones, Market::stones);
  EXPECT_EQ(market.here.count(metric.messages_returned), 1U);
  EXPECT_TRUE(market.here.core->messages_settled());
}

}  // namespace
}  // namespace perigee::worker
