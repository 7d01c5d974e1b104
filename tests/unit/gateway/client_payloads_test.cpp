#include "without_core.hpp"

namespace perigee::gateway {
namespace {

struct PayloadsToClients : WithoutCore {};

TEST_F(PayloadsToClients, ReachTheClientAndAreCounted) {
  const std::uint32_t slot = connect(1);
  Bytes buffer(20);
  FrameWriter writer(buffer);
  ASSERT_TRUE(writer.add(9, filled(5, 2)));
  payloads.send(now_us, slot, writer.payload());
  const auto received = frames(slot);
  ASSERT_EQ(received.size(), 1U);
  EXPECT_EQ(received[0].stream, 9);
  EXPECT_EQ(received[0].bytes, filled(5, 2));
  EXPECT_EQ(counts[metric.payloads_sent], 1U);
}

TEST_F(PayloadsToClients, MayBeClaimedByTheClientsTelemetry) {
  const std::uint32_t slot = connect(1);
  telemetry.start(now_us, slot);
  for (int i = 0; i < 100; ++i) payloads.send(now_us, slot, filled(frames_bytes_max, 1));
  now_us += 1'000'000;
  std::array<std::byte, telemetry_bytes_max> buffer;
  const Telemetry report{.interval_ms = 1'000, .bytes_received = 115'000};
  telemetry.on_frame(now_us, slot, write_telemetry(report, buffer));
  EXPECT_EQ(out.telemetry.size(), 1U);
}

}  // namespace
}  // namespace perigee::gateway
