#include "perigee/lab/fabric.hpp"

#include <gtest/gtest.h>

#include "unit/lab/lab_parts.hpp"

namespace perigee::lab {
namespace {

struct AFabric : testing::Test, LabParts {
  AFabric() {
    processes.after_end = [this](std::size_t index) { fabric.on_end(index); };
  }
  void send_to_gateway() { fabric.send(worker_fabric(0), gateway_fabric, junk, 0); }
  void send_to_peer() { fabric.send_to_peer(0, WorkerSlot{1}, junk); }
  std::uint64_t malformed() const { return count(1, worker::metric.drop_malformed); }

  const Bytes junk{std::byte{255}};  ///< a worker that receives it counts a malformed message
  std::size_t at_gateway = 0;
  std::function<std::optional<Micros>()> on_way_to_peer;
  Fabric fabric{{queue, random, net, processes, directory,
                 [this](const Address&, const Bytes&) { ++at_gateway; }, on_way_to_peer}};
};

TEST_F(AFabric, CarriesDatagramsUnlessTheNetIsCut) {
  send_to_gateway();
  EXPECT_EQ(at_gateway, 0U);
  run_for(fabric_delay_us);
  EXPECT_EQ(at_gateway, 1U);
  net.at(0, the_gateway).cuts = 1;
  send_to_gateway();
  fabric.send(gateway_fabric, worker_fabric(1), junk, 0);
  run_for(second_us);
  EXPECT_EQ(at_gateway, 1U);
  EXPECT_EQ(malformed(), 1U) << "another way";
}

TEST_F(AFabric, DropsAShareOfDatagramsButNoMessageOfAStream) {
  net.at(0, the_gateway).lost = 0.5;
  net.at(0, 1).lost = 0.5;
  for (int i = 0; i < 100; ++i) send_to_gateway();
  for (int i = 0; i < 100; ++i) send_to_peer();
  run_for(second_us);
  EXPECT_NEAR(static_cast<double>(at_gateway), 50, 20);
  EXPECT_EQ(malformed(), 100U);
}

TEST_F(AFabric, HoldsTheMessagesOfATickUntilItsEnd) {
  processes[0].in_tick = true;
  send_to_peer();
  processes[0].in_tick = false;
  run_for(second_us);
  EXPECT_EQ(malformed(), 0U);
  fabric.send_waiting(0, 1);
  run_for(second_us);
  EXPECT_EQ(malformed(), 1U);
}

TEST_F(AFabric, ForgetsTheWaitingMessagesOfAnEndedProcess) {
  processes[0].in_tick = true;
  send_to_peer();
  processes.end(0);
  fabric.send_waiting(0, 1);
  run_for(second_us);
  EXPECT_EQ(malformed(), 0U);
}

TEST_F(AFabric, LetsATestDelayOrLoseMessagesOneByOne) {
  on_way_to_peer = [lost = false]() mutable -> std::optional<Micros> {
    return std::exchange(lost, true) ? std::nullopt : std::optional(Micros{500});
  };
  send_to_peer();
  send_to_peer();
  run_for(fabric_delay_us + 499);
  EXPECT_EQ(malformed(), 0U);
  run_for(second_us);
  EXPECT_EQ(malformed(), 1U);
}

}  // namespace
}  // namespace perigee::lab
