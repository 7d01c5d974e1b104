#include "perigee/client/net_graph.hpp"

#include <gtest/gtest.h>

namespace perigee::client {
namespace {

TEST(ANetGraph, HasASampleForEachInterval) {
  NetGraph graph;
  graph.advance(10'000'000, {});
  EXPECT_EQ(graph.size(), 0U);
  graph.on_received(100);
  graph.on_received(50);
  graph.on_lost(2);
  graph.on_sent(70);
  graph.on_correction(0.2);
  graph.on_correction(0.1);
  graph.advance(10'000'000 + NetGraph::sample_us, {30'000, 4'000, 12'000});
  ASSERT_EQ(graph.size(), 1U);
  const NetSample& first = graph[0];
  EXPECT_EQ(first.end_us, 10'000'000 + NetGraph::sample_us);
  EXPECT_EQ(first.rtt_us, 30'000);
  EXPECT_EQ(first.jitter_us, 4'000);
  EXPECT_EQ(first.lead_us, 12'000);
  EXPECT_EQ(first.packets_received, 2U);
  EXPECT_EQ(first.bytes_received, 150U);
  EXPECT_EQ(first.packets_lost, 2U);
  EXPECT_EQ(first.packets_sent, 1U);
  EXPECT_EQ(first.bytes_sent, 70U);
  EXPECT_EQ(first.corrections, 2U);
  EXPECT_DOUBLE_EQ(first.correction_m_max, 0.2);
}

TEST(ANetGraph, CountsALongFrameOnceAndKeepsEqualIntervals) {
  NetGraph graph;
  graph.advance(10'000'000, {});
  graph.on_received(100);
  graph.advance(10'000'000 + 4 * NetGraph::sample_us + 7, {});
  ASSERT_EQ(graph.size(), 4U);
  EXPECT_EQ(graph[0].packets_received, 1U);
  for (std::size_t i = 1; i < 4; ++i) {
    EXPECT_EQ(graph[i].end_us - graph[i - 1].end_us, NetGraph::sample_us);
    EXPECT_EQ(graph[i].packets_received, 0U);
  }
}

TEST(ANetGraph, KeepsTheNewestSamplesAndIsBoundedAfterAnHourOfSleep) {
  NetGraph graph;
  graph.advance(10'000'000, {});
  graph.advance(3'600'000'000, {});
  ASSERT_EQ(graph.size(), NetGraph::samples_max);
  EXPECT_GT(graph[NetGraph::samples_max - 1].end_us, 3'600'000'000 - NetGraph::sample_us);
  graph.on_sent(1);
  graph.advance(3'600'000'000 + NetGraph::sample_us, {});
  EXPECT_EQ(graph.size(), NetGraph::samples_max);
  EXPECT_EQ(graph[NetGraph::samples_max - 1].packets_sent, 1U);
}

}  // namespace
}  // namespace perigee::client
