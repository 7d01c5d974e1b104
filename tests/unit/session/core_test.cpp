#include "perigee/session/core.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "perigee/base/hash.hpp"
#include "perigee/base/wire_client.hpp"
#include "perigee/session/sqlite_store.hpp"
#include "perigee/transport/user_data.hpp"

namespace perigee::session {
namespace {

constexpr std::uint64_t start_s = 1'700'000'000;
constexpr Micros second_us = 1'000'000;
constexpr std::uint64_t schema = 0xfeed;
const std::string secret = "a secret of development";

ClusterMap two_of_each() {
  ClusterMap map;
  map.schema_hash = schema;
  for (std::uint8_t i = 0; i < 2; ++i) {
    map.workers.push_back(
        {.slot = WorkerSlot{i}, .fabric = Address::v4(127, 0, 0, 1, 40'040), .alive = true});
    map.gateways.push_back({.slot = GatewaySlot{i},
                            .fabric = Address::v4(127, 0, 0, 1, 40'030),
                            .public_udp = Address::v4(203, 0, 113, i, 40'000),
                            .alive = true});
    map.regions.push_back({.region = RegionId{i}, .epoch = Epoch{1}, .owner = WorkerSlot{i}});
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
    now_us += second_us;  // within every rate limit
    return std::get<Admitted>(core.log_in(now_us, request, map));
  }
  Refused refusal(const LogInRequest& request) {
    now_us += second_us;
    return std::get<Refused>(core.log_in(now_us, request, map));
  }
  Refusal refused(const LogInRequest& request) { return refusal(request).reason; }
  std::uint64_t now_s() const { return static_cast<std::uint64_t>(now_us / second_us); }
  Session session(std::uint64_t client_id) { return *store->find(client_id).value(); }
  ResumeToken resume(std::uint64_t client_id) {
    return std::get<ResumeToken>(core.issue_resume(now_us, client_id, map));
  }
  /// A claim by the gateway of that instance, for its first handshake by default.
  ClaimOutcome claim(const transport::ConnectToken& token, std::uint64_t gateway_instance,
                     std::uint64_t handshake = 1) {
    const auto outer = transport::read_connect_token(token);
    const auto inner = opened(token, key);
    return core
        .claim(now_us, {.tag = transport::tag_of(outer->sealed),
                        .client_id = inner->client_id,
                        .issue = transport::issue_of(inner->user_data),
                        .expires_s = outer->expire_time_s,
                        .gateway_instance = gateway_instance,
                        .handshake = handshake,
                        .gateway = outer->addresses[0]})
        .value();
  }
  /// The gateway's report on the end of the connection with this token.
  void release(const transport::ConnectToken& token, std::uint64_t gateway_instance,
               SessionState state) {
    const auto inner = opened(token, key);
    ASSERT_TRUE(core.release(now_us, {.client_id = inner->client_id,
                                      .gateway_instance = gateway_instance,
                                      .issue = transport::issue_of(inner->user_data),
                                      .state = state})
                    .ok());
  }
  /// The private part of a token, as a gateway opens it.
  static std::optional<transport::PrivateToken> opened(const transport::ConnectToken& token,
                                                       const transport::Key& with) {
    const auto outer = transport::read_connect_token(token);
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
  std::unique_ptr<SqliteStore> store = std::move(SqliteStore::open(":memory:")).value();
  Micros now_us = static_cast<Micros>(start_s) * second_us;
  Core core{CoreSettings{}, key, authenticator, *store, random};
  ClusterMap map = two_of_each();
};

TEST_F(ASessionService, MakesATokenThatOnlyTheGatewaysKeyOpens) {
  const Admitted a = admitted(ada());
  const auto outer = transport::read_connect_token(a.token);
  ASSERT_TRUE(outer);
  EXPECT_EQ(outer->expire_time_s, now_s() + transport::token_life_s);
  EXPECT_EQ(outer->timeout_s, 5);
  ASSERT_EQ(outer->addresses.size(), 1U);
  EXPECT_EQ(outer->addresses[0], a.gateway);

  const auto inner = opened(a.token, key);
  ASSERT_TRUE(inner);
  EXPECT_EQ(inner->client_id, a.client_id);
  EXPECT_EQ(inner->client_to_server, outer->client_to_server);
  const auto pass = transport::read_user_data(inner->user_data);
  ASSERT_TRUE(pass);
  EXPECT_EQ(pass->name(), "Ada");
  EXPECT_EQ(pass->schema_hash, schema);
  EXPECT_EQ(pass->wire_version, wire_version);
  EXPECT_EQ(pass->home_region, a.region);

  EXPECT_FALSE(opened(a.token, transport::random_key(random)));
}

TEST_F(ASessionService, GivesEveryLogInItsOwnClientId) {
  std::set<std::uint64_t> ids;
  for (int i = 0; i < 100; ++i) ids.insert(admitted(ada()).client_id);
  EXPECT_EQ(ids.size(), 100U);
  EXPECT_FALSE(ids.contains(0));
}

TEST_F(ASessionService, TakesTurnsAmongGatewaysAndRegions) {
  std::map<std::uint8_t, int> gateways;
  std::map<RegionId, int> regions;
  for (int i = 0; i < 10; ++i) {
    const Admitted a = admitted(ada());
    ++gateways[a.gateway.ip[3]];
    ++regions[a.region];
  }
  EXPECT_THAT(gateways, testing::ElementsAre(testing::Pair(0, 5), testing::Pair(1, 5)));
  EXPECT_THAT(regions,
              testing::ElementsAre(testing::Pair(RegionId{0}, 5), testing::Pair(RegionId{1}, 5)));
}

TEST_F(ASessionService, SendsNobodyToTheDead) {
  map.gateways[0].alive = false;
  map.workers[1].alive = false;
  for (int i = 0; i < 4; ++i) {
    const Admitted a = admitted(ada());
    EXPECT_EQ(a.gateway.ip[3], 1);
    EXPECT_EQ(a.region, RegionId{0});
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
  request.wanted_region = RegionId{1};
  for (int i = 0; i < 3; ++i) EXPECT_EQ(admitted(request).region, RegionId{1});
  request.wanted_region = RegionId{7};
  EXPECT_EQ(refused(request), Refusal::UnknownRegion);
}

TEST_F(ASessionService, RefusesOtherVersionsWithBothSidesInTheSentence) {
  LogInRequest request = ada();
  request.wire_version = wire_version + 5;
  const Refused sent = refusal(request);
  ASSERT_EQ(sent.reason, Refusal::WireVersion);
  EXPECT_THAT(sent.sentence,
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
  EXPECT_TRUE(store->list({.over_too = true}).value().empty());
}

TEST_F(ASessionService, RefusesANameWithTheRuleThatItBreaks) {
  const auto sentence_for = [&](const std::string& name) {
    LogInRequest request = ada();
    request.player_name = name;
    const Refused no = refusal(request);
    EXPECT_EQ(no.reason, Refusal::BadName) << testing::PrintToString(name);
    return no.sentence;
  };
  const auto none_of_them = [](const char* point) {
    return testing::HasSubstr(std::string(point) + " is none of them");
  };
  EXPECT_THAT(sentence_for(""), testing::HasSubstr("1 to 32 bytes"));
  EXPECT_THAT(sentence_for(std::string(33, 'a')), testing::HasSubstr("this one has 33"));
  for (const char* text : {"\xc3", "\xff", "\xc0\xaf", "\xed\xa0\x80", "\xf5\x80\x80\x80"}) {
    EXPECT_THAT(sentence_for(text), testing::HasSubstr("must be UTF-8"))
        << testing::PrintToString(text);
  }
  EXPECT_THAT(sentence_for("a\nb"), none_of_them("U+000A"));
  EXPECT_THAT(sentence_for("a\x7f"), none_of_them("U+007F"));
  EXPECT_THAT(sentence_for("A\u202eda"), none_of_them("U+202E"));
  EXPECT_THAT(sentence_for("A\u200bda"), none_of_them("U+200B"));
  EXPECT_THAT(sentence_for("A\u200dda"), none_of_them("U+200D"));
  EXPECT_THAT(sentence_for("A\u2028da"), none_of_them("U+2028"));
  EXPECT_THAT(sentence_for("\ufeffAda"), none_of_them("U+FEFF"));
  EXPECT_THAT(sentence_for("A\u00a0da"), none_of_them("U+00A0"));
  EXPECT_THAT(sentence_for("A\u00adda"), none_of_them("U+00AD"));
  EXPECT_THAT(sentence_for("\uff21da"), none_of_them("U+FF21"));  // fullwidth A
  EXPECT_THAT(sentence_for("\u3164"), none_of_them("U+3164"));    // a letter without a glyph
  EXPECT_THAT(sentence_for("\u2603"), none_of_them("U+2603"));
  EXPECT_THAT(sentence_for("\U0001f680"), none_of_them("U+1F680"));
  EXPECT_THAT(sentence_for("\ue000"), none_of_them("U+E000"));
  EXPECT_THAT(sentence_for("\u0378"), none_of_them("U+0378"));  // unassigned
  for (const char* text : {" ", "   ", " Ada", "Ada ", "Ada  Byron"}) {
    EXPECT_THAT(sentence_for(text), testing::HasSubstr("single spaces, and only between words"))
        << text;
  }
  EXPECT_THAT(sentence_for("#1"), testing::HasSubstr("must not begin with #"));
  EXPECT_THAT(sentence_for("Bjo\u0308rk"), testing::HasSubstr("(NFC)"));
  EXPECT_THAT(sentence_for("\u0308a"), testing::HasSubstr("begin with a mark (U+0308)"));
  EXPECT_THAT(sentence_for("\u0661\u06f1"), testing::HasSubstr("must not mix the Arabic digits"));
  EXPECT_THAT(sentence_for("Ada\u05d0"), testing::HasSubstr("(RFC 5893)"));
  EXPECT_THAT(sentence_for("\u05d0Ada"), testing::HasSubstr("(RFC 5893)"));
}

TEST_F(ASessionService, AdmitsNamesOfAllScripts) {
  for (const char* name :
       {"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "Ada Byron", "bot-17", "a#1", "x_X!(o.O)!X_x",
        "Bj\u00f6rk", "\u0410\u043d\u043d\u0430", "\u05d0\u05d1\u05d2",
        "\u0645\u062d\u0645\u062f \u0661", "\u092f\u0936", "\u9999\u6e2f", "\u3072\u304b\u308a",
        "\ud55c\uae00", "\u05d0\u05d1 7"}) {
    LogInRequest request = ada();
    request.player_name = name;
    EXPECT_NE(admitted(request).client_id, 0U) << name;
  }
}

TEST_F(ASessionService, GrantsATokenToOneHandshakeOfOneGateway) {
  const Admitted a = admitted(ada());
  EXPECT_EQ(session(a.client_id).state, SessionState::Waiting);
  EXPECT_EQ(claim(a.token, 7, 1), ClaimOutcome::Granted);
  EXPECT_EQ(session(a.client_id).state, SessionState::Playing);
  EXPECT_EQ(claim(a.token, 7, 1), ClaimOutcome::Granted) << "its answer got lost: asked again";
  EXPECT_EQ(claim(a.token, 7, 2), ClaimOutcome::Used);
  EXPECT_EQ(claim(a.token, 8, 1), ClaimOutcome::Used) << "also not by the gateway after a restart";
}

// The token is for another gateway than the one where the player is now, not the one of the log-in,
// because the current one may die.
TEST_F(ASessionService, GivesResumeTokensForAnotherGatewayAfterEachMove) {
  const Admitted a = admitted(ada());
  Address plays_at = a.gateway;
  transport::ConnectToken token = a.token;
  for (std::uint64_t incarnation = 1; incarnation <= 4; ++incarnation) {
    ASSERT_EQ(claim(token, incarnation), ClaimOutcome::Granted);
    EXPECT_EQ(session(a.client_id).gateway, plays_at) << "as operators see it";
    for (int renewal = 0; renewal < 2; ++renewal) token = resume(a.client_id).token;
    const Address next = transport::read_connect_token(token)->addresses[0];
    EXPECT_NE(next, plays_at);
    plays_at = next;
  }
}

// Otherwise a gateway of the new build would treat an old client as one that speaks the new
// version.
TEST_F(ASessionService, SaysInResumeTokensWhatTheClientSpeaksNotWhatItSpeaksItself) {
  const Session of_before{.client_id = 5,
                          .player_name = "Ada",
                          .gateway = map.gateways[0].public_udp,
                          .schema_hash = schema,
                          .logged_in_s = now_s(),
                          .seen_s = now_s(),
                          .wire_version = wire_version + 3};
  ASSERT_TRUE(store->add(of_before).value());
  const auto inner = opened(resume(5).token, key);
  ASSERT_TRUE(inner);
  EXPECT_EQ(transport::read_user_data(inner->user_data)->wire_version, wire_version + 3);
}

TEST_F(ASessionService, GivesResumeTokensForTheSamePlayer) {
  const Admitted a = admitted(ada());
  EXPECT_EQ(claim(a.token, 7), ClaimOutcome::Granted);
  now_us += 120 * second_us;
  const ResumeToken token = resume(a.client_id);
  const auto outer = transport::read_connect_token(token.token);
  ASSERT_TRUE(outer);
  EXPECT_EQ(outer->expire_time_s, now_s() + resume_token_life_s);
  EXPECT_NE(outer->addresses[0], a.gateway) << "the other gateway, as there is one";
  const auto inner = transport::open_private_token(
      outer->sealed, {outer->protocol_id, outer->expire_time_s, outer->nonce}, key);
  ASSERT_TRUE(inner.token);
  EXPECT_EQ(inner.token->client_id, a.client_id);
  const auto pass = transport::read_user_data(inner.token->user_data);
  ASSERT_TRUE(pass);
  EXPECT_EQ(pass->name(), "Ada");
  EXPECT_EQ(pass->home_region, a.region);
  EXPECT_EQ(claim(token.token, 8), ClaimOutcome::Granted);
  EXPECT_EQ(claim(token.token, 9), ClaimOutcome::Used) << "each is good for one session ever";
  map.gateways[1].alive = map.gateways[0].alive = false;
  EXPECT_EQ(std::get<Refused>(core.issue_resume(now_us, a.client_id, map)).reason,
            Refusal::NoGateway);
}

TEST_F(ASessionService, GivesTheOnlyGatewayWhenThereIsNoOther) {
  map.gateways[1].alive = false;
  const Admitted a = admitted(ada());
  const auto outer = transport::read_connect_token(resume(a.client_id).token);
  EXPECT_EQ(outer->addresses[0], a.gateway);
}

TEST_F(ASessionService, RefusesTokensOlderThanTheNewestGranted) {
  const Admitted a = admitted(ada());
  const ResumeToken older = resume(a.client_id);
  const ResumeToken newer = resume(a.client_id);
  EXPECT_EQ(claim(newer.token, 7), ClaimOutcome::Granted);
  EXPECT_EQ(claim(older.token, 8), ClaimOutcome::Older);
  EXPECT_EQ(claim(a.token, 8), ClaimOutcome::Older);
}

TEST_F(ASessionService, BringsALostSessionBackButNotAFinishedOne) {
  const Admitted a = admitted(ada());
  const ResumeToken token = resume(a.client_id);
  EXPECT_EQ(claim(a.token, 7), ClaimOutcome::Granted);
  release(a.token, 6, SessionState::Left);
  EXPECT_EQ(session(a.client_id).state, SessionState::Playing) << "6 does not hold it";
  release(a.token, 7, SessionState::Lost);
  EXPECT_EQ(session(a.client_id).state, SessionState::Lost);
  EXPECT_EQ(claim(token.token, 8), ClaimOutcome::Granted);
  EXPECT_EQ(session(a.client_id).state, SessionState::Playing);
  const ResumeToken late = resume(a.client_id);
  release(token.token, 8, SessionState::Left);
  EXPECT_EQ(claim(late.token, 9), ClaimOutcome::Over);
  EXPECT_EQ(std::get<Refused>(core.issue_resume(now_us, a.client_id, map)).reason,
            Refusal::NoSession);
}

TEST_F(ASessionService, IgnoresTheEndOfAConnectionThatALaterOneAtTheSameGatewayReplaced) {
  const Admitted a = admitted(ada());
  const ResumeToken later = resume(a.client_id);
  EXPECT_EQ(claim(a.token, 7, 1), ClaimOutcome::Granted);
  EXPECT_EQ(claim(later.token, 7, 2), ClaimOutcome::Granted);
  release(a.token, 7, SessionState::Lost);
  EXPECT_EQ(session(a.client_id).state, SessionState::Playing) << "its gateway's word was late";
  release(later.token, 7, SessionState::Lost);
  EXPECT_EQ(session(a.client_id).state, SessionState::Lost);
}

TEST_F(ASessionService, KicksAllSessionsOfANameAndLetsThePlayerLogInAgain) {
  const Admitted first = admitted(ada());
  const Admitted second_one = admitted(ada());
  LogInRequest bob = ada();
  bob.player_name = "Bob";
  const Admitted other = admitted(bob);
  const ResumeToken token = resume(first.client_id);
  const auto kicked = core.end(now_us, {.player_name = "Ada"}, SessionState::Kicked);
  ASSERT_TRUE(kicked.ok());
  EXPECT_THAT(*kicked, testing::UnorderedElementsAre(first.client_id, second_one.client_id));
  EXPECT_EQ(claim(token.token, 7), ClaimOutcome::Over);
  EXPECT_EQ(session(other.client_id).state, SessionState::Waiting);
  EXPECT_THAT(store->kicked_since(now_s()).value(), testing::SizeIs(2));
  EXPECT_EQ(claim(admitted(ada()).token, 7), ClaimOutcome::Granted);
  const auto nobody = core.end(now_us, {.player_name = "Eve"}, SessionState::Kicked);
  EXPECT_TRUE(nobody->empty());
  const auto one = core.end(now_us, {.client_id = other.client_id}, SessionState::Ended);
  EXPECT_THAT(*one, testing::ElementsAre(other.client_id));
}

TEST_F(ASessionService, TellsWhoLogsInTooOftenWhenToComeBack) {
  const auto log_in = [&](LogInRequest request) { return core.log_in(now_us, request, map); };
  LogInRequest request = ada();
  request.source = Address::v4(10, 0, 0, 1, 5000);
  for (std::uint32_t i = 0; i < LogInRates{}.name.burst; ++i) {
    EXPECT_TRUE(std::holds_alternative<Admitted>(log_in(request))) << i;
  }
  const auto over = log_in(request);
  ASSERT_TRUE(std::holds_alternative<Refused>(over));
  EXPECT_EQ(std::get<Refused>(over).reason, Refusal::NameOverRate);
  EXPECT_THAT(std::get<Refused>(over).sentence, testing::HasSubstr("try again in 1 s"));
  request.player_name = "Bob";
  EXPECT_TRUE(std::holds_alternative<Admitted>(log_in(request))) << "another account";
  now_us += second_us;
  request.player_name = "Ada";
  EXPECT_TRUE(std::holds_alternative<Admitted>(log_in(request))) << "one a second goes on";
}

// The machine's clock was an hour ahead during one log-in, or is an hour behind from then on.
TEST_F(ASessionService, MeasuresItsRatesWithAClockThatNobodySets) {
  constexpr Micros hour_us = 3'600 * second_us;
  for (const Micros step_us : {hour_us, -hour_us}) {
    const auto log_in_at = [&](Micros wall_us) {
      now_us += second_us;
      return core.log_in({now_us, wall_us}, ada(), map);
    };
    EXPECT_TRUE(std::holds_alternative<Admitted>(log_in_at(now_us + step_us)));
    for (int i = 0; i < 100; ++i) {
      EXPECT_TRUE(std::holds_alternative<Admitted>(log_in_at(now_us))) << step_us << ", " << i;
    }
  }
}

TEST_F(ASessionService, ForgetsNoSessionBecauseItsClockWasSet) {
  constexpr Micros hour_us = 3'600 * second_us;
  const Micros began_us = now_us;
  const Admitted player = admitted(ada());
  ASSERT_EQ(claim(player.token, 7), ClaimOutcome::Granted);
  for (const Micros step_us : {hour_us, -hour_us, Micros{0}}) {
    EXPECT_EQ(core.forget_old({now_us, now_us + step_us}).value(), 0U) << step_us;
    EXPECT_EQ(claim(player.token, 8), ClaimOutcome::Used) << "nor that its token was used";
    const auto again = core.issue_resume({now_us, now_us + step_us}, player.client_id, map);
    ASSERT_TRUE(std::holds_alternative<ResumeToken>(again)) << step_us;
    EXPECT_EQ(std::get<ResumeToken>(again).expires_s,
              now_s() + resume_token_life_s + static_cast<std::uint64_t>(step_us / second_us))
        << "tokens are of the clock that gateways have, too";
  }
  const auto kicked =
      core.end({now_us, now_us - hour_us}, {.client_id = player.client_id}, SessionState::Kicked);
  ASSERT_TRUE(kicked.ok());
  EXPECT_THAT(core.kicked_within({now_us, now_us + hour_us}, 10).value(), testing::SizeIs(1));
  now_us += hour_us + second_us;
  EXPECT_GT(core.forget_old({now_us, began_us}).value(), 0U) << "an hour later, whatever it says";
}

TEST_F(ASessionService, CountsWrongCredentialsAgainstTheRatesToo) {
  LogInRequest request = ada();
  request.credential = "wrong";
  for (std::uint32_t i = 0; i < LogInRates{}.name.burst; ++i) {
    EXPECT_EQ(std::get<Refused>(core.log_in(now_us, request, map)).reason,
              Refusal::WrongCredential);
  }
  EXPECT_EQ(std::get<Refused>(core.log_in(now_us, request, map)).reason, Refusal::NameOverRate);
}

}  // namespace
}  // namespace perigee::session
