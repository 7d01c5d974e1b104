// The gateway's metrics across a change of slot, which begins with a new core.
#include "exported.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace perigee::gateway {
namespace {

using testing::HasSubstr;

Snapshot after(std::uint64_t count) {
  Snapshot snapshot;
  snapshot.counts.add(Count::PayloadsReceived, count);
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

}  // namespace
}  // namespace perigee::gateway
