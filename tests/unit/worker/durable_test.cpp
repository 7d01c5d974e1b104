/// Outcomes wait for the journal, and hold in a restored world.
#include <gmock/gmock.h>

#include "durability.hpp"

namespace perigee::worker {
namespace {

struct AnOutcome : Durability {
  Bench bench{{.spawn = {0, 0.91, -5}, .weapons = true}, one_worker_map(), without_claims()};

  void kill() {
    store(bench);
    for (std::uint32_t n = 0; n < 2; ++n) bench.join(n);
    bench.tick(20);
    for (int i = 0; i < 3; ++i) {
      bench.send(press(bench.core->next_tick(), button_fire, to_plus_x), 0);
      bench.tick(13);
    }
    bench.tick(20);
    ASSERT_EQ(rows.size(), 1U);
  }
  std::size_t sent() const {
    return bench.sent<OutcomeEvent>(session_of(0)).size() +
           bench.sent<OutcomeEvent>(session_of(1)).size();
  }
};

TEST_F(AnOutcome, IsSentToBothOnceTheJournalHasIt) {
  kill();
  EXPECT_EQ(sent(), 0U);
  EXPECT_EQ(bench.sent<EffectEvent>().size(), 3U) << "the shooter's marks do not wait";
  EXPECT_EQ(bench.core->outcomes_waiting(), 1U);
  bench.core->on_stored(1, Journalled::Stands);
  bench.tick(4);
  EXPECT_EQ(sent(), 2U);
  EXPECT_EQ(bench.core->outcomes_waiting(), 0U);
  EXPECT_EQ(bench.count(metric.outcomes_sent_unstored), 0U);
}

TEST_F(AnOutcome, IsSentAfterFiveSecondsWhateverTheJournalDoes) {
  kill();
  bench.tick(260);
  EXPECT_EQ(sent(), 0U);
  bench.tick(60);
  EXPECT_EQ(sent(), 2U);
  EXPECT_EQ(bench.count(metric.outcomes_sent_unstored), 1U);
  bench.core->on_stored(1, Journalled::Stands);
  bench.tick(10);
  EXPECT_EQ(sent(), 2U) << "once is enough";
}

TEST_F(AnOutcome, OfAWorkerThatHasASuccessorIsNeverSent) {
  kill();
  bench.core->on_stored(1, Journalled::Fenced);
  bench.tick(400);
  EXPECT_EQ(sent(), 0U);
  EXPECT_EQ(bench.count(metric.outcomes_fenced), 1U);
}

TEST_F(AnOutcome, ComesBackFromItsPayload) {
  kill();
  OutcomeRow row = rows[0];
  const auto payload = payload_of(row);
  EXPECT_EQ(entry_of(payload), row.entry);
  row.ordinal = 3;
  const auto longer = payload_of(row);
  EXPECT_EQ(entry_of(longer), row.entry);
  for (std::size_t size = 0; size < longer.size(); ++size) {
    EXPECT_EQ(entry_of(std::span(longer).first(size)).has_value(), size == payload.size()) << size;
  }
}

TEST_F(AnOutcome, ThatFindsNoNameInTheJournalIsSentAndCounted) {
  kill();
  bench.core->on_stored(1, Journalled::Unnamed);
  bench.tick(4);
  EXPECT_EQ(sent(), 2U);
  EXPECT_EQ(bench.count(metric.outcomes_sent_unstored), 1U);
}

TEST_F(AnOutcome, OfAfterTheCheckpointHoldsInTheWorldThatBeginsFromIt) {
  store(bench);
  bench.join(0);
  bench.join(1);
  tick_to(bench, at_checkpoint + 20);
  ASSERT_EQ(parts.size(), 1U);
  kill();
  const Tick died = rows[0].entry.tick;
  Successor after(bench.game, to_restore(bench.map), checkpoint(bench.game), at_checkpoint + 5000);
  const auto& dead = after.core->player_of(101)->game.as<test::Marksman>();
  EXPECT_TRUE(dead.dead());
  EXPECT_EQ(dead.died_at, died.count);
  EXPECT_EQ(after.core->player_of(100)->game.as<test::Marksman>().kills, 1);
}

TEST_F(AnOutcome, ThatTheCheckpointHasDoesNotHappenAgain) {
  kill();
  tick_to(bench, at_checkpoint + 20);
  Successor after(bench.game, to_restore(bench.map), checkpoint(bench.game), at_checkpoint + 5000);
  EXPECT_EQ(after.core->player_of(100)->game.as<test::Marksman>().kills, 1);
}

}  // namespace
}  // namespace perigee::worker
