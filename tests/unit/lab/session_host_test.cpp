#include "perigee/lab/session_host.hpp"

#include <gtest/gtest.h>

#include "perigee/lab/virtual_net.hpp"
#include "perigee/transport/keys.hpp"

namespace perigee::lab {
namespace {

using ClaimAnswer = transport::Server::ClaimAnswer;

/// With a map of one region, its living owner and a gateway.
struct ASessionHost : testing::Test {
  ASessionHost() {
    EXPECT_TRUE(transport::init_crypto().ok());
    map.schema_hash = 5;
    WorkerEntry worker;
    worker.slot = WorkerSlot{0};
    worker.alive = true;
    map.workers.push_back(worker);
    RegionEntry region;
    region.region = RegionId{1};
    region.owner = WorkerSlot{0};
    map.regions.push_back(region);
    GatewayEntry gateway;
    gateway.public_udp = gateway_public;
    gateway.alive = true;
    map.gateways.push_back(gateway);
  }
  session::Admitted log_in(const std::string& name) {
    const auto answer = host.log_in(name, Address::v4(10, 1, 0, 1, 50000), RegionId{1}, map);
    if (const auto* refused = std::get_if<session::Refused>(&answer)) {
      ADD_FAILURE() << refused->sentence;
      return {};
    }
    return std::get<session::Admitted>(answer);
  }
  /// The client's handshake arrives at the gateway.
  std::optional<ClaimAnswer> claim(std::uint64_t client_id, std::uint64_t handshake) {
    transport::ClaimRequest request{.claim_id = handshake, .client_id = client_id, .issue = 1};
    request.expire_time_s = clock.unix_s() + 60;
    std::optional<ClaimAnswer> answer;
    host.claim(request, 1, [&](ClaimAnswer given) { answer = given; });
    EXPECT_FALSE(answer) << "before the delay";
    queue.run_until(queue.now_us() + SessionHost::delay_us);
    return answer;
  }
  EventQueue queue;
  ClusterClock clock{queue};
  RandomStream random{7};
  transport::Key key{};
  ClusterMap map;
  SessionHost host{{queue, random, key}};
};

TEST_F(ASessionHost, AdmitsPlayersUnlessTheMapHasNoPlaceForThem) {
  EXPECT_NE(log_in("one").client_id, log_in("other").client_id);
  map.gateways.clear();
  const auto answer = host.log_in("one", {}, RegionId{1}, map);
  ASSERT_TRUE(std::holds_alternative<session::Refused>(answer));
  EXPECT_EQ(std::get<session::Refused>(answer).reason, session::Refusal::NoGateway);
}

TEST_F(ASessionHost, GrantsATokenOnceAfterADelay) {
  const std::uint64_t client_id = log_in("one").client_id;
  EXPECT_EQ(claim(client_id, 1), ClaimAnswer::Granted);
  EXPECT_EQ(claim(client_id, 2), ClaimAnswer::Refused) << "another handshake with that token";
}

TEST_F(ASessionHost, IssuesResumeTokensToSessionsOnly) {
  const std::uint64_t client_id = log_in("one").client_id;
  EXPECT_EQ(claim(client_id, 1), ClaimAnswer::Granted);
  int tokens = 0;
  host.issue_resume(client_id, map, [&](const transport::ConnectToken&) { ++tokens; });
  host.issue_resume(client_id + 1, map, [&](const transport::ConnectToken&) { ++tokens; });
  queue.run_until(queue.now_us() + SessionHost::delay_us);
  EXPECT_EQ(tokens, 1);
}

TEST_F(ASessionHost, DeliversAnOrderToThePlayersInASession) {
  const std::uint64_t playing = log_in("one").client_id;
  log_in("other");
  EXPECT_EQ(claim(playing, 1), ClaimAnswer::Granted);
  std::vector<std::uint64_t> clients;
  const auto deliver = [&](std::uint64_t client_id, std::uint64_t, const TechniqueOrder&) {
    clients.push_back(client_id);
  };
  EXPECT_TRUE(std::holds_alternative<session::OrderRefused>(
      host.order({.everybody = true}, "nonsense=1", deliver)));
  EXPECT_TRUE(std::holds_alternative<std::uint64_t>(
      host.order({.everybody = true}, "storm-breaker=off", deliver)));
  queue.run_until(queue.now_us() + SessionHost::delay_us);
  EXPECT_EQ(clients, std::vector{playing});
}

}  // namespace
}  // namespace perigee::lab
