// The observers that a worker serves, and the events that reach their clients. (D2)
#include "perigee/worker/snapshots/observer_table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace perigee::worker {
namespace {

constexpr SessionId first = 10, second = 20;

struct AnObserverTable : testing::Test {
  replication::Publisher publisher{{}, 100};
  Counts<Count> counts;
  Tick next{70'000};
  ObserverTable table{{.publisher = publisher, .counts = counts, .next = next}};

  std::vector<SessionId> sessions() {
    std::vector<SessionId> out;
    for (const auto& [session, state] : table) out.push_back(session);
    return out;
  }
};

TEST_F(AnObserverTable, CreatesAnObserverOnceAndKeepsIt) {
  EXPECT_EQ(table.find(first), nullptr);
  ObserverState& made = table.get(first);
  EXPECT_EQ(made.observer.session, first);
  ++next;
  EXPECT_EQ(&table.get(first), &made);
  EXPECT_EQ(table.find(first), &made);
  EXPECT_EQ(table.size(), 1U);
}

TEST_F(AnObserverTable, StartsAnotherEventStreamForAnObserverThatComesBack) {
  const std::uint16_t epoch = table.get(first).observer.stream_epoch;
  table.forget(first);
  EXPECT_EQ(table.find(first), nullptr);
  next = next + 300;
  EXPECT_NE(table.get(first).observer.stream_epoch, epoch);
}

TEST_F(AnObserverTable, VisitsInTheOrderOfSessions) {
  table.get(second);
  table.get(first);
  EXPECT_THAT(sessions(), testing::ElementsAre(first, second));
}

TEST_F(AnObserverTable, ForgetsThoseThatAVisitorChooses) {
  table.get(first);
  table.get(second);
  table.forget_if([](SessionId session, ObserverState&) { return session == first; });
  EXPECT_THAT(sessions(), testing::ElementsAre(second));
  table.forget(12345);  // no such observer
  EXPECT_EQ(table.size(), 1U);
}

TEST_F(AnObserverTable, CountsAnEventWithoutRoom) {
  const WorldEvent event = LostEvent{.handle = 7};
  int sent = 0;
  while (sent < 100'000 && table.send(first, event, false)) ++sent;
  EXPECT_GT(sent, 0);
  EXPECT_LT(sent, 100'000) << "streams are bounded";
  EXPECT_EQ(counts[metric.events_deferred], 1U);
}

TEST(AnObserversTally, IsClampedToWhatTheWireCarries) {
  replication::Tally tally;
  tally.bytes = 12;
  tally.within.front() = 3;
  tally.within.back() = 1'000'000;
  const TallyRecord record = to_record(first, Tick{9}, tally);
  EXPECT_EQ(record.session, first);
  EXPECT_EQ(record.counted, Tick{9});
  EXPECT_EQ(record.bytes, 12U);
  EXPECT_EQ(record.within.front(), 3);
  EXPECT_EQ(record.within.back(), 65'535);
}

}  // namespace
}  // namespace perigee::worker
