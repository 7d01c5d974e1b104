// The gateway's metrics across a change of its slot, which creates a new core.
#include "exported.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace perigee::gateway {
namespace {

using testing::HasSubstr;

Snapshot after(std::uint64_t count) {
  Snapshot snapshot;
  snapshot.counts.add(metric.payloads_received, count);
  snapshot.transport_drops.add(transport::Drop::Forged, count);
  return snapshot;
}

TEST(GatewayMetrics, KeepTheirTotalsWhenANewCoreCountsFromZero) {
  host::Metrics metrics("gateway");
  Exported exported(metrics);
  exported.show(after(5));
  exported.on_new_core();
  exported.show(after(2));
  exported.show(after(3));
  exported.flush();
  const std::string page = metrics.scrape();
  EXPECT_THAT(page, HasSubstr("perigee_gateway_payloads_total{direction=\"in\"} 8\n"));
  EXPECT_THAT(page, HasSubstr("perigee_gateway_drops_total{reason=\"forged\"} 8\n"));
}

TEST(GatewayMetrics, TellAPingOf50MillisecondsFromOneOf75) {
  host::Metrics metrics("gateway");
  Exported exported(metrics);
  for (const std::uint32_t rtt_us : {55'000U, 70'000U, 110'000U, 140'000U}) {
    Telemetry telemetry;
    telemetry.rtt_us = rtt_us;
    exported.on_telemetry(telemetry);
  }
  exported.flush();
  const std::string page = metrics.scrape();
  EXPECT_THAT(page, HasSubstr("perigee_client_rtt_seconds_bucket{le=\"0.06\"} 1\n"));
  EXPECT_THAT(page, HasSubstr("perigee_client_rtt_seconds_bucket{le=\"0.125\"} 3\n"));
}

}  // namespace
}  // namespace perigee::gateway
