/// Outcomes while the store does not answer: how many wait, at their worker and at its standby.
#include "pair.hpp"

namespace perigee::worker {
namespace {

PlayerInput gives(Tick tick) {
  PlayerInput input{.tick = tick};
  input.samples.push_back({.pressed = button_fire});
  return input;
}

/// Two players that give each other stones; each gift writes hundreds of outcomes.
struct AStoreThatDoesNotAnswer : Pair {
  static constexpr std::size_t limit = Core::outcomes_waiting_max;
  std::vector<Handle> everybody;
  std::vector<std::uint64_t> asked;  ///< sent to the store, by number
  std::vector<OutcomeRow> again;     ///< sent by the successor

  static test::YardOptions yard(double x, const std::vector<Handle>* givers) {
    test::YardOptions options = yard_at_the_border({x, person_m, 0});
    options.spacing = {0, 0, 2};
    options.stones = 20;
    options.givers = givers;
    options.entries_per_gift = 700;
    return options;
  }
  AStoreThatDoesNotAnswer() : Pair(yard(15, &everybody), yard(25, &everybody)) {
    here.core->outputs.to_store = [this](const OutcomeRow& row) { asked.push_back(row.number); };
    there.core->outputs.to_store = [this](const OutcomeRow& row) { again.push_back(row); };
    pass(60);
    for (const std::uint32_t n : {0U, 1U}) here.join(n);
    pass(60);
    for (const std::uint32_t n : {0U, 1U}) everybody.push_back(here.player(n).avatar);
  }
  std::size_t sent() const {
    return here.sent<OutcomeEvent>(session_of(0)).size() +
           here.sent<OutcomeEvent>(session_of(1)).size();
  }
  std::uint64_t written() const { return here.count(metric.journal_entries); }
  void write(std::uint64_t outcomes) {
    for (int i = 0; i < 1'000 && written() < outcomes; ++i) {
      for (const std::uint32_t n : {0U, 1U}) here.send(gives(here.core->next_tick()), n);
      pass();
    }
    pass(30);
    ASSERT_GE(written(), outcomes);
  }
};

TEST(OutcomesThatNobodyStores, WaitUpToALimitAndBeyondItAreSentAndCounted) {
  AStoreThatDoesNotAnswer away;
  away.write(AStoreThatDoesNotAnswer::limit + 4'000);
  EXPECT_EQ(away.here.core->outcomes_waiting(), AStoreThatDoesNotAnswer::limit);
  EXPECT_EQ(away.here.count(metric.outcomes_dropped),
            away.written() - AStoreThatDoesNotAnswer::limit);
  EXPECT_EQ(away.asked.size(), AStoreThatDoesNotAnswer::limit) << "each once";
  EXPECT_GT(away.sent(), 0U);
  EXPECT_TRUE(away.in_sync(0)) << "its standby has room for all of them";
  EXPECT_EQ(away.there.count(metric.drop_malformed), 0U);
}

// The standby may have been promoted without them.
TEST(OutcomesThatNobodyStores, AreSentByNoWorkerThatIsCutOffFromStandbyAndDirectory) {
  AStoreThatDoesNotAnswer away;
  const std::size_t before = away.sent();
  away.records = false;  // the directory is away
  away.fate = [](const Border::Word&) { return std::nullopt; };
  away.pass(70);  // the standby is dropped
  const std::uint64_t durable = away.written();
  away.write(durable + Core::outcomes_waiting_max + 4'000);
  away.pass(400);
  EXPECT_EQ(away.sent(), before) << "however long, and however many";
  EXPECT_GT(away.here.count(metric.outcomes_dropped), 0U);
  EXPECT_EQ(away.here.count(metric.outcomes_sent_unstored), 0U);
  away.records = true;
  away.pass(10);
  EXPECT_EQ(away.sent(), before) << "the journal is asked first";
  away.pass(310);
  EXPECT_GT(away.sent(), before) << "the map says that there is nobody, and the journal nothing";
}

TEST(OutcomesThatNobodyStores, AreWrittenByTheSuccessorUnlessTheyStand) {
  AStoreThatDoesNotAnswer away;
  away.write(5'000);
  const std::size_t left = 3;
  for (std::size_t i = 0; i + left < away.asked.size(); ++i) {
    away.here.core->on_stored(away.asked[i], Journalled::Stands);
  }
  away.pass(10);
  EXPECT_EQ(away.here.core->outcomes_waiting(), left);
  away.kill();
  away.pass(3);
  away.record_failover();
  away.pass(10);
  EXPECT_EQ(away.again.size(), left);
}

}  // namespace
}  // namespace perigee::worker
