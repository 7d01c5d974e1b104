#include "perigee/tracing/directory_spans.hpp"

#include <gtest/gtest.h>

#include "a_map.hpp"
#include "spans_collected.hpp"

namespace perigee::tracing {
namespace {

struct SpansOfTheDirectory : testing::Test, SpansCollected {
  SpansOfTheDirectory() { spans_of.published(1'000, map); }
  ClusterMap map = a_map();
  DirectorySpans spans_of{emit()};
};

TEST_F(SpansOfTheDirectory, GoFromTheCauseToThePublishedMap) {
  fail_over(map, 0, 1);
  spans_of.decided(5'000, map, {.text = "suspicion", .since_us = 3'000});
  EXPECT_TRUE(spans.empty()) << "members do not know it yet";
  spans_of.published(9'000, map);
  ASSERT_EQ(spans.size(), 1U);
  const Span& span = spans[0];
  EXPECT_EQ(span.name, "failover");
  EXPECT_EQ(span.trace, trace_of_failover(77, HandleBase{1'000}));
  EXPECT_EQ(span.id, root_of(span.trace));
  EXPECT_EQ(span.parent, 0U);
  EXPECT_EQ(span.start_us, 3'000);
  EXPECT_EQ(span.end_us, 9'000);
  ASSERT_EQ(span.events.size(), 1U);
  EXPECT_EQ(span.events[0].at_us, 5'000);
  EXPECT_EQ(std::get<std::string>(attribute_of(span, "perigee.cause")->value), "suspicion");
  EXPECT_EQ(std::get<std::int64_t>(attribute_of(span, "perigee.to_worker")->value), 1);
  EXPECT_TRUE(span.error.empty());
}

TEST_F(SpansOfTheDirectory, HaveAMoveFromItsDecisionOn) {
  move_region(map, 1, 0);
  spans_of.decided(5'000, map, {.text = "silence", .since_us = 3'000});
  spans_of.published(5'500, map);
  spans_of.published(9'000, map);
  ASSERT_EQ(spans.size(), 1U);
  EXPECT_EQ(spans[0].name, "region.move");
  EXPECT_EQ(spans[0].start_us, 5'000) << "the cause is that of a death in the same round";
  EXPECT_EQ(spans[0].end_us, 5'500);
}

TEST_F(SpansOfTheDirectory, NameALossAsAnError) {
  map.workers[0].alive = false;
  map.regions[0].owner = WorkerSlot{1};
  ++map.version;
  spans_of.decided(5'000, map, {.text = "order"});
  spans_of.published(6'000, map);
  ASSERT_EQ(spans.size(), 1U);
  EXPECT_FALSE(spans[0].error.empty());
}

TEST_F(SpansOfTheDirectory, WaitForTheVersionWithTheirDecision) {
  const ClusterMap first = [&] {
    move_region(map, 1, 0);
    spans_of.decided(5'000, map, {});
    return map;
  }();
  move_region(map, 0, 2);
  spans_of.decided(6'000, map, {});
  spans_of.published(7'000, first);
  EXPECT_EQ(spans.size(), 1U);
  spans_of.published(8'000, map);
  EXPECT_EQ(spans.size(), 2U);
}

TEST_F(SpansOfTheDirectory, AreForgottenByADirectoryThatLeadsNoMore) {
  move_region(map, 1, 0);
  spans_of.decided(5'000, map, {});
  spans_of.forget();
  map.version += 100;
  move_region(map, 0, 2);
  spans_of.published(9'000, map);
  EXPECT_TRUE(spans.empty()) << "what others decided meanwhile is theirs";
  move_region(map, 0, 1);
  spans_of.decided(10'000, map, {});
  spans_of.published(11'000, map);
  EXPECT_EQ(spans.size(), 1U);
}

TEST_F(SpansOfTheDirectory, ContinueWithALeadershipThatIsRegained) {
  spans_of.forget();
  spans_of.published(4'000, map);
  move_region(map, 0, 2);
  spans_of.decided(5'000, map, {});
  spans_of.published(6'000, map);
  EXPECT_EQ(spans.size(), 1U) << "nobody has changed the map meanwhile";
}

TEST_F(SpansOfTheDirectory, AreBounded) {
  for (std::size_t i = 0; i < 2 * DirectorySpans::open_max; ++i) {
    move_region(map, 0, i % 2 == 0 ? 1 : 0);
    spans_of.decided(5'000, map, {});
  }
  spans_of.published(9'000, map);
  EXPECT_EQ(spans.size(), DirectorySpans::open_max);
}

}  // namespace
}  // namespace perigee::tracing
