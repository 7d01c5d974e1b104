// Players with accounts: identities in sessions and tokens, one session per account, bans.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>

#include "perigee/base/hash.hpp"
#include "perigee/base/wire_client.hpp"
#include "perigee/session/core.hpp"
#include "perigee/session/sqlite_store.hpp"
#include "perigee/transport/user_data.hpp"

namespace perigee::session {
namespace {

constexpr std::uint64_t game = 0xfeed;

/// Knows accounts by their credential.
class Accounts : public Authenticator {
 public:
  std::variant<Identity, Denied> authenticate(const Moment&,
                                              const Credentials& credentials) const override {
    const auto found = known.find(std::string(credentials.credential));
    if (found == known.end()) return Denied{.sentence = "no such account"};
    Identity identity = found->second;
    if (identity.player_name.empty()) identity.player_name = credentials.player_name;
    return identity;
  }
  std::map<std::string, Identity> known{
      {"ada", {.player_id = 7, .claims = R"({"team":"red"})", .proven = true}},
      {"bob", {.player_id = ~std::uint64_t{0}, .player_name = "Bob", .proven = true}}};
};

class AccountsAway : public Authenticator {
 public:
  std::variant<Identity, Denied> authenticate(const Moment&, const Credentials&) const override {
    return Denied{Denial::Away, "nobody is there", 30};
  }
};

class ASessionServiceWithAccounts : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(transport::init_crypto().ok());
    map.schema_hash = game;
    map.workers.push_back(
        {.slot = WorkerSlot{0}, .fabric = Address::v4(127, 0, 0, 1, 40'040), .alive = true});
    map.gateways.push_back({.slot = GatewaySlot{0},
                            .fabric = Address::v4(127, 0, 0, 1, 40'030),
                            .public_udp = Address::v4(203, 0, 113, 1, 40'000),
                            .alive = true});
    map.regions.push_back({.region = RegionId{0}, .epoch = Epoch{1}, .owner = WorkerSlot{0}});
  }
  std::variant<Admitted, Refused> try_log_in(const std::string& name,
                                             const std::string& credential) {
    now_us += 1'000'000;  // within every rate
    return core.log_in(now_us,
                       {.player_name = name,
                        .credential = credential,
                        .wire_version = wire_version,
                        .schema_hash = game},
                       map);
  }
  Admitted log_in(const std::string& name, const std::string& credential) {
    return std::get<Admitted>(try_log_in(name, credential));
  }
  Refused refusal(const std::string& name, const std::string& credential) {
    return std::get<Refused>(try_log_in(name, credential));
  }
  transport::PlayerPass pass_in(const transport::ConnectToken& token) const {
    const auto outer = transport::read_connect_token(token);
    const auto inner = transport::open_private_token(
        outer->sealed, {outer->protocol_id, outer->expire_time_s, outer->nonce}, key);
    return transport::read_user_data(inner.token->user_data).value();
  }
  Session kept(std::uint64_t client_id) { return *store->find(client_id).value(); }
  std::uint64_t unix_s() const { return static_cast<std::uint64_t>(now_us / 1'000'000); }
  BanDone ban(const BanOrder& order) { return core.ban(now_us, order).value().value(); }

  Random seeded{43};
  transport::RandomBytes random = [this](std::span<std::byte> out) {
    std::generate(out.begin(), out.end(), [this] { return static_cast<std::byte>(seeded.next()); });
  };
  transport::Key key = transport::random_key(random);
  Accounts accounts;
  std::unique_ptr<SqliteStore> store = std::move(SqliteStore::open(":memory:")).value();
  Micros now_us = 1'764'288'000'000'000;  // 2025-11-28 00:00 UTC
  Core core{CoreSettings{}, key, accounts, *store, random};
  ClusterMap map;
};

TEST_F(ASessionServiceWithAccounts, PutsIdAndClaimsIntoSessionsAndAllTheirTokens) {
  const Admitted ada = log_in("Ada", "ada");
  EXPECT_EQ(ada.player_id, 7U);
  EXPECT_EQ(kept(ada.client_id).player_id, 7U);
  const auto resumed = std::get<ResumeToken>(core.issue_resume(now_us, ada.client_id, map));
  for (const auto& token : {ada.token, resumed.token}) {
    const transport::PlayerPass pass = pass_in(token);
    EXPECT_EQ(pass.player_id, 7U);
    EXPECT_EQ(pass.name(), "Ada");
    EXPECT_EQ(pass.claims(), R"({"team":"red"})");
  }
}

TEST_F(ASessionServiceWithAccounts, TakesTheNameOfTheAccountIfItHasOne) {
  const Admitted bob = log_in("Alice", "bob");
  EXPECT_EQ(bob.player_name, "Bob");
  EXPECT_EQ(kept(bob.client_id).player_name, "Bob");
  EXPECT_EQ(pass_in(bob.token).name(), "Bob");
  accounts.known["bob"].player_name = "B\nb";
  const Refused refused = refusal("Alice", "bob");
  EXPECT_EQ(refused.reason, Refusal::BadName);
  EXPECT_THAT(refused.sentence, testing::StartsWith("the name of your account cannot be used"));
}

TEST_F(ASessionServiceWithAccounts, RepeatsTheAuthenticatorsSentence) {
  const Refused unknown = refusal("Ada", "eve");
  EXPECT_EQ(unknown.reason, Refusal::WrongCredential);
  EXPECT_EQ(unknown.sentence, "no such account");
  const AccountsAway away;
  Core other{CoreSettings{}, key, away, *store, random};
  const auto answer = other.log_in(
      now_us, {.player_name = "Ada", .wire_version = wire_version, .schema_hash = game}, map);
  EXPECT_EQ(std::get<Refused>(answer).reason, Refusal::AccountsAway);
  EXPECT_EQ(std::get<Refused>(answer).sentence, "nobody is there");
  EXPECT_EQ(std::get<Refused>(answer).retry_after_s, 30U);
}

TEST_F(ASessionServiceWithAccounts, HasOneSessionPerAccountWhateverTheName) {
  const Admitted first = log_in("Ada", "ada");
  const Admitted bob = log_in("Ada", "bob");
  EXPECT_TRUE(bob.replaced.empty()) << "the same name, another account";
  const Admitted second = log_in("Countess", "ada");
  EXPECT_THAT(second.replaced, testing::ElementsAre(first.client_id));
  EXPECT_EQ(kept(first.client_id).state, SessionState::Kicked);
  EXPECT_EQ(kept(second.client_id).state, SessionState::Waiting);
  EXPECT_EQ(kept(bob.client_id).state, SessionState::Waiting);
  EXPECT_THAT(core.kicked_within(now_us, 10).value(), testing::ElementsAre(first.client_id));
  EXPECT_TRUE(std::holds_alternative<Refused>(core.issue_resume(now_us, first.client_id, map)));
}

TEST_F(ASessionServiceWithAccounts, EndsNoSessionForAnIdThatAnybodyCanHave) {
  accounts.known["ada"].proven = false;
  const Admitted first = log_in("Ada", "ada");
  EXPECT_TRUE(log_in("Ada", "ada").replaced.empty());
  EXPECT_EQ(kept(first.client_id).state, SessionState::Waiting);
}

TEST_F(ASessionServiceWithAccounts, EndsNoSessionIfTheOperatorWantsSeveral) {
  Core several{CoreSettings{.one_session_per_player = false}, key, accounts, *store, random};
  const LogInRequest ada{
      .player_name = "Ada", .credential = "ada", .wire_version = wire_version, .schema_hash = game};
  const auto first = std::get<Admitted>(several.log_in(now_us, ada, map));
  EXPECT_TRUE(std::get<Admitted>(several.log_in(now_us, ada, map)).replaced.empty());
  EXPECT_EQ(kept(first.client_id).state, SessionState::Waiting);
}

TEST_F(ASessionServiceWithAccounts, GivesTheSecretsPlayersAnIdOfTheirName) {
  const DevelopmentSecret secret("open sesame");
  const auto id_of = [&](std::string_view name) {
    const auto answer =
        secret.authenticate(now_us, {.player_name = name, .credential = "open sesame"});
    EXPECT_FALSE(std::get<Identity>(answer).proven);
    return std::get<Identity>(answer).player_id;
  };
  EXPECT_EQ(id_of("Ada"), id_of("Ada"));
  EXPECT_NE(id_of("Ada"), id_of("Bob"));
  EXPECT_NE(id_of(""), 0U);
}

TEST_F(ASessionServiceWithAccounts, RefusesABannedAccountUntilTheBanEnds) {
  const Admitted ada = log_in("Ada", "ada");
  const BanDone done =
      ban({.whom = {.player_id = 7}, .until_s = unix_s() + 3'600, .reason = "insults"});
  EXPECT_THAT(done.kicked, testing::ElementsAre(ada.client_id));
  EXPECT_EQ(kept(ada.client_id).state, SessionState::Kicked);
  const Refused refused = refusal("Another name", "ada");
  EXPECT_EQ(refused.reason, Refusal::Banned);
  EXPECT_EQ(refused.sentence, "you are banned until 2025-11-28 01:00 UTC: insults");
  EXPECT_EQ(refused.retry_after_s, 3'599U);
  EXPECT_NO_THROW(log_in("Ada", "bob")) << "the name is free";
  now_us += 3'600'000'000;
  EXPECT_NO_THROW(log_in("Ada", "ada"));
}

TEST_F(ASessionServiceWithAccounts, BansTheAccountOfASession) {
  const Admitted ada = log_in("Ada", "ada");
  EXPECT_EQ(ban({.whom = {.client_id = ada.client_id}}).whom, (BanName{7, ""}));
  EXPECT_EQ(refusal("Ada", "ada").sentence, "you are banned");
  EXPECT_FALSE(core.ban(now_us, {.whom = {.client_id = 12'345}}).value());
  EXPECT_TRUE(store->unban({7, ""}).value());
  EXPECT_FALSE(store->unban({7, ""}).value());
  EXPECT_NO_THROW(log_in("Ada", "ada"));
}

TEST_F(ASessionServiceWithAccounts, BansANameForEveryAccount) {
  const Admitted ada = log_in("Ada", "ada");
  EXPECT_THAT(ban({.whom = {.player_name = "Ada"}, .reason = "a borrowed name"}).kicked,
              testing::ElementsAre(ada.client_id));
  EXPECT_EQ(refusal("Ada", "ada").sentence, "you are banned: a borrowed name");
  EXPECT_NO_THROW(log_in("Countess", "ada"));
}

// An `end` leaves a connected client where it is.
TEST_F(ASessionServiceWithAccounts, KicksABannedPlayerWhoseSessionWasEnded) {
  const Admitted ada = log_in("Ada", "ada");
  ASSERT_TRUE(core.end(now_us, {.client_id = ada.client_id}, SessionState::Ended).ok());
  EXPECT_THAT(ban({.whom = {.player_id = 7}}).kicked, testing::ElementsAre(ada.client_id));
  EXPECT_TRUE(ban({.whom = {.player_id = 7}}).kicked.empty());
}

TEST_F(ASessionServiceWithAccounts, KicksAnAccountByItsId) {
  const Admitted ada = log_in("Ada", "ada");
  log_in("Ada", "bob");
  EXPECT_THAT(core.end(now_us, {.player_id = 7}, SessionState::Kicked).value(),
              testing::ElementsAre(ada.client_id));
}

}  // namespace
}  // namespace perigee::session
