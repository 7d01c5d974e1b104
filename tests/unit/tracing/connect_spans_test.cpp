#include "perigee/tracing/connect_spans.hpp"

#include <gtest/gtest.h>

#include "spans_collected.hpp"

namespace perigee::tracing {
namespace {

struct SpansOfAConnection : testing::Test, SpansCollected {
  ConnectSpans spans_of{emit()};
};

TEST_F(SpansOfAConnection, HaveTheClaimAndTheJoinInTheTraceOfTheLogIn) {
  spans_of.claim(1'000, 5, 777);
  spans_of.claim(1'500, 5, 777);
  spans_of.claimed(2'000, 5, true);
  spans_of.joined(3'000, 777);
  ASSERT_EQ(spans.size(), 2U);
  EXPECT_EQ(spans[0].name, "gateway.claim");
  EXPECT_EQ(spans[0].start_us, 1'000) << "the first of its repetitions";
  EXPECT_EQ(spans[0].end_us, 2'000);
  EXPECT_EQ(spans[0].trace, trace_of_session(777));
  EXPECT_EQ(spans[1].name, "gateway.join");
  EXPECT_EQ(spans[1].start_us, 2'000);
  EXPECT_EQ(spans[1].parent, root_of(trace_of_session(777)));
}

TEST_F(SpansOfAConnection, EndWithARefusedToken) {
  spans_of.claim(1'000, 5, 777);
  spans_of.claimed(2'000, 5, false);
  spans_of.joined(3'000, 777);
  ASSERT_EQ(spans.size(), 1U);
  EXPECT_FALSE(spans[0].error.empty());
}

TEST_F(SpansOfAConnection, AreNotMadeOfAnswersToNobody) {
  spans_of.claimed(2'000, 5, true);
  spans_of.joined(3'000, 777);
  EXPECT_TRUE(spans.empty());
}

TEST_F(SpansOfAConnection, AreBoundedUntilOldOnesAreForgotten) {
  for (std::uint64_t id = 1; id <= 2 * ConnectSpans::open_max; ++id) spans_of.claim(1'000, id, id);
  spans_of.claimed(2'000, 2 * ConnectSpans::open_max, true);
  EXPECT_TRUE(spans.empty());
  spans_of.claim(1'001 + ConnectSpans::open_us_max, 9'999, 1);
  spans_of.claimed(1'002 + ConnectSpans::open_us_max, 9'999, true);
  EXPECT_EQ(spans.size(), 1U);
}

}  // namespace
}  // namespace perigee::tracing
