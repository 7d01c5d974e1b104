// The guarantees of a world store to a worker.
#include "perigee/world_keeper/keeper.hpp"

#include <gmock/gmock.h>

#include "perigee/base/hash.hpp"
#include "perigee/skiff/skiff.hpp"

namespace perigee::world_keeper {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using worker::CheckpointPart;
using worker::Journalled;
using worker::OutcomeRow;

struct AKeeper : testing::Test {
  static constexpr Self first{
      .cluster_id = 7, .slot = WorkerSlot{0}, .incarnation = Incarnation{1}};
  static constexpr Self second{
      .cluster_id = 7, .slot = WorkerSlot{1}, .incarnation = Incarnation{1}};
  skiff::Skiff game;
  std::unique_ptr<world_store::Store> store =
      std::move(world_store::open_sqlite(":memory:")).value();
  Keeper keeper{*store, game};

  void SetUp() override { ASSERT_TRUE(keeper.begin(first).ok()); }
  static OutcomeRow row(std::uint32_t tick, std::uint8_t ordinal = 0) {
    return {.number = tick,
            .ordinal = ordinal,
            .entry = {.tick = Tick{tick}, .kind = 1, .actor = 5, .target = 6, .amount = 3}};
  }
  CheckpointPart part(std::uint32_t tick,
                      std::vector<WorkerSlot> slots = {WorkerSlot{0}, WorkerSlot{1}}) const {
    return {Tick{tick}, std::move(slots), worker::empty_part(Tick{tick}, game)};
  }
  static ClusterMap map(Incarnation incarnation = Incarnation{1}) {
    ClusterMap out;
    out.cluster_id = 7;
    for (const WorkerSlot slot : {WorkerSlot{0}, WorkerSlot{1}}) {
      out.workers.push_back({.slot = slot, .alive = true, .incarnation = incarnation});
    }
    return out;
  }
  bool write(const Self& self, const CheckpointPart& what) {
    const auto written = keeper.write(self, what);
    EXPECT_TRUE(written.ok());
    return written.ok() && *written;
  }
};

TEST_F(AKeeper, HasTheNewestCheckpointThatEverybodyWroteWithTheJournalAfterIt) {
  EXPECT_FALSE(keeper.load(first, map()).value()) << "nothing yet";
  for (const std::uint32_t tick : {900U, 1800U}) {
    EXPECT_TRUE(write(second, part(tick)));
    EXPECT_TRUE(write(first, part(tick)));
  }
  EXPECT_TRUE(write(first, part(2700)));
  EXPECT_EQ(keeper.last_checkpoint(first).value(), Tick{1800});
  EXPECT_THAT(keeper.append(first, std::vector{row(1900), row(1850), row(1900, 1)}).value(),
              Each(Journalled::Stands));
  const auto checkpoint = keeper.load(first, map()).value();
  ASSERT_TRUE(checkpoint);
  EXPECT_EQ(checkpoint->tick, Tick{1800});
  EXPECT_THAT(checkpoint->journal, ElementsAre(row(1850).entry, row(1900).entry, row(1900).entry));
}

// Outcomes with one target, tick and kind: decided in several ticks of a worker, or by several
// workers.
struct OutcomesOfOneName : AKeeper {
  static constexpr std::uint32_t count = 12;
  std::vector<OutcomeRow> rows;
  void SetUp() override {
    AKeeper::SetUp();
    for (std::uint32_t i = 0; i < count; ++i) {
      rows.push_back(row(10, i % 3 == 2 ? 1 : 0));
      if (i % 3 == 1) rows.back().message = {HandleBlock{4}, i};  // the same except for this
      rows.back().entry.amount = static_cast<std::int32_t>(i / 3);
    }
  }
  /// Each must be there once, however often and by whichever worker the rows were written.
  void expect_each_once() {
    std::vector<std::int32_t> amounts;
    const auto journal = store->read_journal({.after = Tick{0}}).value();
    for (const auto& each : journal) amounts.push_back(worker::entry_of(each.payload)->amount);
    std::sort(amounts.begin(), amounts.end());
    EXPECT_THAT(amounts, ElementsAre(0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3));
  }
  void shuffle(Random& random) {
    for (std::uint32_t i = count; i > 1; --i) std::swap(rows[i - 1], rows[random.below(i)]);
  }
  void append(const Self& self, std::span<const OutcomeRow> some) {
    EXPECT_THAT(keeper.append(self, some).value(), Each(Journalled::Stands));
  }
};

TEST_F(OutcomesOfOneName, AllStand) {
  for (const OutcomeRow& each : rows) append(first, std::span(&each, 1));
  expect_each_once();
}

TEST_F(OutcomesOfOneName, StandOnceHoweverOftenTheyAreWritten) {
  append(first, rows);
  append(first, rows);  // the reply was lost
  std::reverse(rows.begin(), rows.end());
  append(first, rows);
  for (const OutcomeRow& each : rows) append(first, std::span(&each, 1));
  expect_each_once();
}

TEST_F(OutcomesOfOneName, StandOnceIfASuccessorWritesThemAgain) {
  for (std::uint32_t written = 0; written <= count; ++written) {
    store = std::move(world_store::open_sqlite(":memory:")).value();
    Keeper anew(*store, game);
    ASSERT_TRUE(anew.begin(first).ok());
    Random random(written);
    shuffle(random);
    EXPECT_TRUE(anew.append(first, std::span(rows).first(written)).ok());
    shuffle(random);
    EXPECT_THAT(anew.append(second, rows).value(), Each(Journalled::Stands));
    expect_each_once();
  }
}

TEST_F(OutcomesOfOneName, OfTwoWorkersAllStand) {
  append(first, std::span(rows).first(5));
  append(second, std::span(rows).subspan(5));
  append(first, std::span(rows).first(5));
  expect_each_once();
}

TEST_F(OutcomesOfOneName, AreReportedUnnamedWhenAllNamesAreTaken) {
  std::vector<OutcomeRow> many(257, row(10));
  for (std::uint32_t i = 0; i < many.size(); ++i) many[i].message = {HandleBlock{4}, i + 1};
  const auto became = keeper.append(first, many).value();
  EXPECT_EQ(std::count(became.begin(), became.end(), Journalled::Stands), 256);
  EXPECT_EQ(became.back(), Journalled::Unnamed);
}

TEST_F(AKeeper, TakesNothingFromAFormerIncarnationOnceTheWorldBeginsAgain) {
  EXPECT_THAT(keeper.append(second, std::vector{row(10)}).value(), ElementsAre(Journalled::Stands));
  Self next = first;
  next.incarnation = Incarnation{2};
  ASSERT_TRUE(keeper.load(next, map(Incarnation{2})).ok());
  EXPECT_THAT(keeper.append(second, std::vector{row(11)}).value(), ElementsAre(Journalled::Fenced));
  EXPECT_FALSE(write(first, part(900)));
  EXPECT_THAT(keeper.append(next, std::vector{row(12)}).value(), ElementsAre(Journalled::Stands));
}

TEST_F(AKeeper, HasNoPartOfACheckpointThatOthersSeeOtherwise) {
  EXPECT_TRUE(write(first, part(900, {WorkerSlot{0}})));
  EXPECT_FALSE(write(second, part(900)));
  EXPECT_TRUE(write(first, part(1800)));
  EXPECT_FALSE(write(second, part(1800, {WorkerSlot{1}})));
  EXPECT_EQ(keeper.last_checkpoint(first).value(), Tick{900});
}

TEST_F(AKeeper, KeepsOutOfAnotherWorldsStore) {
  EXPECT_TRUE(keeper.begin(second).ok());
  const auto begun =
      keeper.begin({.cluster_id = 8, .slot = WorkerSlot{0}, .incarnation = Incarnation{1}});
  ASSERT_FALSE(begun.ok());
  EXPECT_THAT(begun.error().message, HasSubstr("restore the directory's state"));
  EXPECT_EQ(store->cluster_id().value(), 7U);
}

// For example, written by a newer build. Otherwise outcomes that players were sent would be lost
// silently.
TEST_F(AKeeper, BeginsNoWorldWithoutAnOutcomeThatItCannotRead) {
  EXPECT_TRUE(write(second, part(900)));
  EXPECT_TRUE(write(first, part(900)));
  const std::vector<world_store::JournalRow> of_a_newer_build{
      {.id = {.target = 6, .tick = Tick{950}, .kind = 1},
       .slot = first.slot,
       .incarnation = first.incarnation,
       .group = 6,
       .payload = std::vector<std::byte>(40)}};
  ASSERT_TRUE(store->append(first.cluster_id, of_a_newer_build).ok());
  const auto checkpoint = keeper.load(first, map());
  ASSERT_FALSE(checkpoint.ok());
  EXPECT_THAT(checkpoint.error().message, HasSubstr("tick 950"));
  EXPECT_THAT(checkpoint.error().message, HasSubstr("start the version of perigee that wrote it"));
}

TEST_F(AKeeper, BeginsFromTheOlderCheckpointIfTheNewestIsDamaged) {
  EXPECT_TRUE(write(first, part(900, {WorkerSlot{0}})));
  CheckpointPart damaged = part(1800, {WorkerSlot{0}});
  damaged.bytes.resize(9);
  EXPECT_TRUE(write(first, damaged));
  EXPECT_EQ(keeper.load(first, map()).value()->tick, Tick{900});
  CheckpointPart newer = part(2700, {WorkerSlot{0}});
  newer.bytes[4] = std::byte{9};
  EXPECT_TRUE(write(first, newer));
  const auto loaded = keeper.load(first, map());
  ASSERT_FALSE(loaded.ok()) << "never a new world over one that is there";
  EXPECT_THAT(loaded.error().message, HasSubstr("start the version"));
}

}  // namespace
}  // namespace perigee::world_keeper
