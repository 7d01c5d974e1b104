#include "perigee/tracing/span_exporter.hpp"

#include <gtest/gtest.h>

#include <set>

namespace perigee::tracing {
namespace {

constexpr Micros second_us = 1'000'000;
constexpr Micros unix_offset_us = 1'795'000'000 * second_us;

struct AnExporter : testing::Test {
  Span made(bool frequent = false) const {
    Span span = root_span("a", trace_of_refusal(1), now_us - 10, now_us);
    span.frequent = frequent;
    return span;
  }
  void add(int count, bool frequent = false) {
    for (int i = 0; i < count; ++i) exporter.add(now_us, unix_offset_us, made(frequent));
  }
  std::size_t taken() { return exporter.take(now_us).size(); }
  void answer(int status) { exporter.on_answer(now_us, {.status = status}); }
  std::uint64_t counted(SpanResult result) const { return exporter.counts()[result]; }
  /// Time until the batch is tried again.
  Micros wait_us() const { return exporter.due_us().value() - now_us; }

  ExportLimits limits{.waiting_max = 40,
                      .batch_max = 16,
                      .batch_us = second_us,
                      .frequent_per_s = 10,
                      .attempts_max = 3,
                      .first_wait_us = second_us,
                      .wait_us_max = 30 * second_us};
  SpanExporter exporter{limits, 7};
  Micros now_us = 500 * second_us;
};

TEST_F(AnExporter, SendsSpansOnceASecondTogether) {
  EXPECT_EQ(exporter.due_us(), std::nullopt);
  add(2);
  now_us += second_us - 1;
  add(1);
  EXPECT_EQ(taken(), 0U);
  now_us += 1;
  EXPECT_EQ(taken(), 3U);
  EXPECT_EQ(exporter.due_us(), std::nullopt) << "one batch at a time";
  answer(200);
  EXPECT_EQ(counted(SpanResult::Sent), 3U);
  EXPECT_EQ(exporter.due_us(), std::nullopt);
}

TEST_F(AnExporter, SendsAFullBatchAtOnce) {
  add(17);
  EXPECT_EQ(taken(), 16U);
  answer(200);
  EXPECT_EQ(taken(), 0U);
  now_us += second_us;
  EXPECT_EQ(taken(), 1U);
}

TEST_F(AnExporter, WaitsForNothingAtTheEnd) {
  add(1);
  EXPECT_EQ(exporter.take(now_us, true).size(), 1U);
  answer(503);
  EXPECT_EQ(exporter.take(now_us, true).size(), 1U) << "before the wait is over";
}

TEST_F(AnExporter, GivesSpansUnixTimesAndIdsOfTheirOwn) {
  add(16);
  std::set<SpanId> ids;
  Span child = child_span("b", trace_of_refusal(2), now_us - 20, now_us);
  child.events = {{"left", now_us - 5}};
  exporter.take(now_us);
  answer(200);
  for (int i = 0; i < 16; ++i) exporter.add(now_us, unix_offset_us, child);
  const auto batch = exporter.take(now_us);
  ASSERT_EQ(batch.size(), 16U);
  for (const Span& span : batch) {
    EXPECT_NE(span.id, 0U);
    EXPECT_TRUE(ids.insert(span.id).second);
    EXPECT_EQ(span.start_us, unix_offset_us + now_us - 20);
    EXPECT_EQ(span.end_us, unix_offset_us + now_us);
    EXPECT_EQ(span.events.at(0).at_us, unix_offset_us + now_us - 5);
  }
}

TEST_F(AnExporter, LeavesOutWhatTheQueueCannotHold) {
  add(45);
  EXPECT_EQ(counted(SpanResult::QueueFull), 5U);
  EXPECT_EQ(taken(), 16U);
  add(20);
  EXPECT_EQ(counted(SpanResult::QueueFull), 9U);
}

TEST_F(AnExporter, LimitsFrequentSpansAndNoOthers) {
  add(25, true);
  EXPECT_EQ(counted(SpanResult::OverRate), 15U);
  add(20);
  EXPECT_EQ(counted(SpanResult::OverRate), 15U);
  now_us += second_us / 2;
  add(6, true);
  EXPECT_EQ(counted(SpanResult::OverRate), 16U) << "ten a second";
  now_us += 3600 * second_us;
  add(11, true);
  EXPECT_EQ(counted(SpanResult::OverRate), 17U) << "rest does not add up";
}

TEST_F(AnExporter, RepeatsTheBatchAfterTheAnswersThatAllowIt) {
  for (const int status : {0, 429, 502, 503, 504}) {
    const std::uint64_t before = counted(SpanResult::Sent);
    add(1);
    now_us += second_us;
    ASSERT_EQ(taken(), 1U);
    answer(status);
    ASSERT_TRUE(exporter.due_us()) << status;
    now_us = exporter.due_us().value();
    ASSERT_EQ(taken(), 1U) << status;
    answer(200);
    EXPECT_EQ(counted(SpanResult::Sent), before + 1) << status;
  }
}

TEST_F(AnExporter, DropsTheBatchAfterAnyOtherAnswer) {
  std::uint64_t refused = 0;
  for (const int status : {100, 301, 400, 401, 403, 404, 413, 415, 500, 501, 505, 999, -1}) {
    add(1);
    now_us += second_us;
    ASSERT_EQ(taken(), 1U);
    answer(status);
    EXPECT_EQ(counted(SpanResult::Refused), ++refused) << status;
    EXPECT_EQ(exporter.due_us(), std::nullopt);
  }
}

TEST_F(AnExporter, GivesUpAfterSomeAttempts) {
  add(16);
  for (std::uint32_t attempt = 1; attempt <= limits.attempts_max; ++attempt) {
    ASSERT_EQ(taken(), 16U) << attempt;
    answer(503);
    now_us += limits.wait_us_max;
  }
  EXPECT_EQ(counted(SpanResult::GivenUp), 16U);
  EXPECT_EQ(taken(), 0U);
  add(16);
  EXPECT_EQ(taken(), 16U) << "the next batch has its own attempts";
}

TEST_F(AnExporter, WaitsLongerBeforeEachAttemptAndNotAsLongAsOthers) {
  std::set<Micros> first_waits;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SpanExporter one(limits, seed);
    for (std::size_t i = 0; i < limits.batch_max; ++i) one.add(now_us, 0, made());
    Micros at_us = now_us;
    for (const Micros expected_us : {second_us, 2 * second_us}) {
      ASSERT_FALSE(one.take(at_us).empty());
      one.on_answer(at_us, {});
      const Micros waited_us = one.due_us().value() - at_us;
      EXPECT_GE(waited_us, expected_us / 2);
      EXPECT_LE(waited_us, expected_us * 3 / 2);
      if (expected_us == second_us) first_waits.insert(waited_us);
      EXPECT_TRUE(one.take(at_us + waited_us - 1).empty());
      at_us += waited_us;
    }
  }
  EXPECT_GT(first_waits.size(), 10U);
}

TEST_F(AnExporter, WaitsAsLongAsTheCollectorAsksButNotForEver) {
  add(16);
  ASSERT_EQ(taken(), 16U);
  exporter.on_answer(now_us, {.status = 429, .retry_after_us = 7 * second_us});
  EXPECT_EQ(wait_us(), 7 * second_us);
  now_us += 7 * second_us;
  ASSERT_EQ(taken(), 16U);
  exporter.on_answer(now_us, {.status = 429, .retry_after_us = 86'400 * second_us});
  EXPECT_EQ(wait_us(), limits.wait_us_max);
}

TEST_F(AnExporter, CountsRejectedSpansAndBelievesNoMoreThanItHasSent) {
  add(16);
  ASSERT_EQ(taken(), 16U);
  exporter.on_answer(now_us, {.status = 200, .rejected_spans = 3});
  EXPECT_EQ(counted(SpanResult::Sent), 13U);
  EXPECT_EQ(counted(SpanResult::Rejected), 3U);
  add(16);
  ASSERT_EQ(taken(), 16U);
  exporter.on_answer(now_us, {.status = 200, .rejected_spans = ~std::uint64_t{0}});
  EXPECT_EQ(counted(SpanResult::Sent), 13U);
  EXPECT_EQ(counted(SpanResult::Rejected), 19U);
}

TEST_F(AnExporter, KeepsTheNewestSpansOfASlowCollectorWaiting) {
  add(16);
  ASSERT_EQ(taken(), 16U);
  for (int s = 0; s < 100; ++s, now_us += second_us) add(1);
  EXPECT_EQ(counted(SpanResult::QueueFull), 60U) << "the queue is as long as ever";
  answer(200);
  EXPECT_EQ(taken(), 16U);
}

}  // namespace
}  // namespace perigee::tracing
