#include "perigee/session/core.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "perigee/netcode/hash.hpp"
#include "perigee/netcode/wire_client.hpp"
#include "perigee/transport/user_data.hpp"

namespace perigee::session {
namespace {

constexpr std::uint64_t now_s = 1'700'000'000;
constexpr std::uint64_t schema = 0xfeed;
const std::string secret = "a secret of development";

ClusterMap two_of_each() {
  ClusterMap map;
  map.schema_hash = schema;
  for (std::uint8_t i = 0; i < 2; ++i) {
    map.workers.push_back({.slot = i, .fabric = Address::v4(127, 0, 0, 1, 40'040), .alive = true});
    map.gateways.push_back({.slot = i,
                            .fabric = Address::v4(127, 0, 0, 1, 40'030),
                            .public_udp = Address::v4(203, 0, 113, i, 40'000),
                            .alive = true});
    map.regions.push_back({.region = i, .epoch = 1, .owner = i});
  }
  return map;
}

LogInRequest ada() {
  return {.player_name = "Ada",
          .credential = secret,
          .wire_version = wire_version,
          .schema_hash = schema};
}

class ASessionService : public testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(transport::init_crypto().ok()); }

  Admitted admitted(const LogInRequest& request) {
    return std::get<Admitted>(core.log_in(now_s, request, map));
  }
  Refusal refused(const LogInRequest& request) {
    return std::get<Refusal>(core.log_in(now_s, request, map));
  }
  /// What the gateway finds in a token.
  std::optional<transport::PrivateToken> opened(const Admitted& a, const transport::Key& with) {
    const auto outer = transport::read_connect_token(a.token);
    if (!outer) return std::nullopt;
    return transport::open_private_token(
               outer->sealed, {outer->protocol_id, outer->expire_time_s, outer->nonce}, with)
        .token;
  }

  Random seeded{42};
  transport::RandomBytes random = [this](std::span<std::byte> out) {
    std::generate(out.begin(), out.end(), [this] { return static_cast<std::byte>(seeded.next()); });
  };
  transport::Key key = transport::random_key(random);
  DevelopmentSecret authenticator{secret};
  Core core{CoreSettings{}, key, authenticator, random};
  ClusterMap map = two_of_each();
};

TEST_F(ASessionService, MakesATokenThatOnlyTheGatewaysKeyOpens) {
  const Admitted a = admitted(ada());
  const auto outer = transport::read_connect_token(a.token);
  ASSERT_TRUE(outer);
  EXPECT_EQ(outer->expire_time_s, now_s + transport::token_life_s);
  EXPECT_EQ(outer->timeout_s, 5);
  ASSERT_EQ(outer->addresses.size(), 1U);
  EXPECT_EQ(outer->addresses[0], a.gateway);

  const auto inner = opened(a, key);
  ASSERT_TRUE(inner);
  EXPECT_EQ(inner->client_id, a.client_id);
  EXPECT_EQ(inner->client_to_server, outer->client_to_server);
  const auto pass = transport::read_user_data(inner->user_data);
  ASSERT_TRUE(pass);
  EXPECT_EQ(pass->name(), "Ada");
  EXPECT_EQ(pass->schema_hash, schema);
  EXPECT_EQ(pass->wire_version, wire_version);
  EXPECT_EQ(pass->home_region, a.region);

  EXPECT_FALSE(opened(a, transport::random_key(random)));
}

TEST_F(ASessionService, GivesEveryLogInItsOwnClientId) {
  std::set<std::uint64_t> ids;
  for (int i = 0; i < 100; ++i) ids.insert(admitted(ada()).client_id);
  EXPECT_EQ(ids.size(), 100U);
  EXPECT_FALSE(ids.contains(0));
}

TEST_F(ASessionService, TakesTurnsAmongGatewaysAndRegions) {
  std::map<std::uint8_t, int> gateways;
  std::map<std::uint32_t, int> regions;
  for (int i = 0; i < 10; ++i) {
    const Admitted a = admitted(ada());
    ++gateways[a.gateway.ip[3]];
    ++regions[a.region];
  }
  EXPECT_THAT(gateways, testing::ElementsAre(testing::Pair(0, 5), testing::Pair(1, 5)));
  EXPECT_THAT(regions, testing::ElementsAre(testing::Pair(0, 5), testing::Pair(1, 5)));
}

TEST_F(ASessionService, SendsNobodyToTheDead) {
  map.gateways[0].alive = false;
  map.workers[1].alive = false;
  for (int i = 0; i < 4; ++i) {
    const Admitted a = admitted(ada());
    EXPECT_EQ(a.gateway.ip[3], 1);
    EXPECT_EQ(a.region, 0U);
  }
  map.gateways[1].alive = false;
  EXPECT_EQ(refused(ada()), Refusal::NoGateway);
  EXPECT_EQ(Core::missing(map), Refusal::NoGateway);
  map.regions[0].owner.reset();
  EXPECT_EQ(refused(ada()), Refusal::NoRegion);
  map.workers[0].alive = false;
  EXPECT_EQ(refused(ada()), Refusal::NoWorld);
  EXPECT_EQ(Core::missing(map), Refusal::NoWorld);
  EXPECT_EQ(Core::missing(two_of_each()), std::nullopt);
}

TEST_F(ASessionService, GrantsAWantedRegionThatExists) {
  LogInRequest request = ada();
  request.wanted_region = 1;
  for (int i = 0; i < 3; ++i) EXPECT_EQ(admitted(request).region, 1U);
  request.wanted_region = 7;
  EXPECT_EQ(refused(request), Refusal::UnknownRegion);
}

TEST_F(ASessionService, RefusesOtherVersionsWithBothSidesInTheSentence) {
  LogInRequest request = ada();
  request.wire_version = wire_version + 5;
  ASSERT_EQ(refused(request), Refusal::WireVersion);
  EXPECT_THAT(Core::describe(Refusal::WireVersion, request, map),
              testing::AllOf(testing::HasSubstr("version " + std::to_string(wire_version + 5)),
                             testing::HasSubstr("server " + std::to_string(wire_version))));
  request = ada();
  request.schema_hash = 0;
  EXPECT_EQ(refused(request), Refusal::Schema);
}

TEST_F(ASessionService, RefusesWrongCredentials) {
  LogInRequest request = ada();
  std::string almost = secret;
  almost.back() = '?';
  for (const std::string& wrong : {std::string(), almost, secret + "x", secret.substr(1)}) {
    request.credential = wrong;
    EXPECT_EQ(refused(request), Refusal::WrongCredential) << wrong;
  }
  EXPECT_TRUE(core.sessions().empty());
}

TEST_F(ASessionService, RefusesNamesThatAreNotPrintableUtf8) {
  LogInRequest request = ada();
  for (const std::string& name :
       {std::string(), std::string(33, 'a'), std::string("a\nb"), std::string("a\x7f"),
        std::string("\xc3"), std::string("\xff"), std::string("\xc0\xaf"),
        std::string("\xed\xa0\x80"), std::string("\xf5\x80\x80\x80"), std::string("\xc2\x85")}) {
    request.player_name = name;
    EXPECT_EQ(refused(request), Refusal::BadName) << testing::PrintToString(name);
  }
  for (const std::string& name : {std::string(32, 'a'), std::string("Bj\xc3\xb6rk"),
                                  std::string("\xe2\x98\x83"), std::string("\xf0\x9f\x9a\x80")}) {
    request.player_name = name;
    admitted(request);
  }
}

TEST_F(ASessionService, KeepsItsListWithinItsLimits) {
  CoreSettings settings;
  settings.sessions_kept = 3;
  Core small(settings, key, authenticator, random);
  for (std::uint64_t i = 0; i < 5; ++i) {
    ASSERT_TRUE(std::holds_alternative<Admitted>(small.log_in(now_s + i, ada(), map)));
  }
  ASSERT_EQ(small.sessions().size(), 3U);
  EXPECT_EQ(small.sessions().front().logged_in_unix_s, now_s + 2);
  ASSERT_TRUE(std::holds_alternative<Admitted>(small.log_in(now_s + 3'604, ada(), map)));
  EXPECT_EQ(small.sessions().size(), 2U) << "an hour is kept";
}

}  // namespace
}  // namespace perigee::session
