#include "perigee/lab/gateway_host.hpp"

#include <gtest/gtest.h>

#include "unit/lab/lab_parts.hpp"

namespace perigee::lab {
namespace {

struct AGatewayHost : testing::Test, LabParts {
  AGatewayHost() : client(game, client::Settings{}) {
    EXPECT_TRUE(transport::init_crypto().ok());
    gateway.start();
    directory.core().advance(queue.now_us());
    gateway.on_map(directory.map());
    gateway.turn();
  }
  /// The client logs in, and its datagrams reach the gateway for a second.
  void connect() {
    const ClusterMap& map = directory.map();
    const auto answer = sessions.log_in("player", address, map.regions[0].region, map);
    client.begin(queue.now_us(), std::get<session::Admitted>(answer).token);
    for (int i = 0; i < 100; ++i) {
      client.advance(queue.now_us(), sampler);
      while (const auto out = client.poll_send()) {
        Bytes data = copy_of(out->datagram);
        gateway.on_client(address, data);
      }
      run_for(10'000);
    }
  }
  static constexpr Address address = Address::v4(10, 1, 0, 1, 50000);
  IdlePlayer sampler;
  client::Client client;
  transport::Key key{};
  ServerStages stages;
  SessionHost sessions{{queue, random, key}};
  GatewayHost gateway{{queue, random, directory, sessions, key, stages, 1,
                       [this](const Address&, std::span<const std::byte> bytes) {
                         Bytes data = copy_of(bytes);
                         client.receive(queue.now_us(), gateway_public, data);
                       },
                       [](const Address&, std::span<const std::byte>) {}}};
};

TEST_F(AGatewayHost, IsInTheMap) {
  ASSERT_EQ(directory.map().gateways.size(), 1U);
  EXPECT_TRUE(directory.map().gateways[0].alive);
  EXPECT_EQ(directory.map().gateways[0].public_udp, gateway_public);
}

TEST_F(AGatewayHost, ConnectsAClientWithAClaimedToken) {
  connect();
  EXPECT_TRUE(client.connected());
  EXPECT_EQ(gateway.core().client_addresses(), std::vector{address});
}

TEST_F(AGatewayHost, KnowsNoSessionAfterARestart) {
  connect();
  gateway.stop();
  EXPECT_FALSE(gateway.runs());
  run_for(10'000);
  gateway.start();
  EXPECT_TRUE(gateway.core().client_addresses().empty());
}

}  // namespace
}  // namespace perigee::lab
