// The store's contract, and faults of the machine below its engine.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <tuple>

#include "perigee/session/sqlite_store.hpp"

namespace perigee::session {
namespace {

using testing::HasSubstr;
namespace fs = std::filesystem;

class AStore : public testing::Test {
 protected:
  AStore() {
    std::string name = (fs::temp_directory_path() / "perigee-test-XXXXXX").string();
    folder = mkdtemp(name.data());
    open();
  }
  ~AStore() override {
    store.reset();
    fs::remove_all(folder);
  }
  fs::path file() const { return folder / "sessions.sqlite"; }
  void open() {
    store.reset();
    store = std::move(SqliteStore::open(file())).value();
  }
  static Session session(std::uint64_t client_id, std::uint64_t at_s = 1'000) {
    return {.client_id = client_id,
            .player_name = "player",
            .gateway = Address::v4(10, 0, 0, 1, 40'000),
            .region = RegionId{3},
            .schema_hash = ~std::uint64_t{0},
            .logged_in_s = at_s,
            .seen_s = at_s};
  }
  static Claim claim_of(std::uint64_t client_id, int token, std::uint64_t issue = 1) {
    Claim claim{.client_id = client_id,
                .issue = issue,
                .expires_s = 1'030,
                .gateway_instance = ~std::uint64_t{7},
                .handshake = 1,
                .gateway = Address::v4(10, 0, 0, 2, 40'000)};
    claim.tag.fill(static_cast<std::byte>(token));
    return claim;
  }
  void add(const Session& s) { ASSERT_TRUE(store->add(s).value()); }

  fs::path folder;
  std::unique_ptr<SqliteStore> store;
};

TEST_F(AStore, MakesChangesDurableTogether) {
  add(session(1));
  std::vector<std::function<void()>> changes;
  std::optional<ClaimOutcome> first, second, unknown;
  changes.emplace_back([&] { first = store->claim(claim_of(1, 1), 1'001).value(); });
  changes.emplace_back([&] { second = store->claim(claim_of(1, 1, 1), 1'001).value(); });
  changes.emplace_back([&] { unknown = store->claim(claim_of(9, 3), 1'001).value(); });
  changes.emplace_back([&] { EXPECT_TRUE(store->add(session(2)).value()); });
  ASSERT_TRUE(store->together(changes).ok());
  EXPECT_EQ(first, ClaimOutcome::Granted);
  EXPECT_EQ(second, ClaimOutcome::Granted) << "the same handshake";
  EXPECT_EQ(unknown, ClaimOutcome::Unknown);
  open();
  EXPECT_EQ(store->find(1).value()->state, SessionState::Playing);
  EXPECT_TRUE(store->find(2).value());
}

// A full disk in the middle of a group: no change of it remains, and the store works again later.
TEST_F(AStore, MakesNoChangeOfAGroupThatFails) {
  add(session(1));
  store->set_pages_max(1);  // no page more than there are
  std::vector<std::function<void()>> changes;
  changes.emplace_back([&] { std::ignore = store->claim(claim_of(1, 1), 1'001); });
  for (std::uint64_t id = 100; id < 400; ++id) {
    changes.emplace_back([&, id] { std::ignore = store->add(session(id)); });
  }
  EXPECT_FALSE(store->together(changes).ok());
  store->set_pages_max(1 << 20);
  EXPECT_FALSE(store->find(100).value());
  EXPECT_EQ(store->find(1).value()->state, SessionState::Waiting);
  EXPECT_EQ(store->claim(claim_of(1, 1), 1'001).value(), ClaimOutcome::Granted);
}

TEST_F(AStore, KeepsSessionsAndClaimsAcrossARestart) {
  add(session(~std::uint64_t{5}));
  EXPECT_FALSE(store->add(session(~std::uint64_t{5})).value()) << "ids are unique";
  EXPECT_EQ(store->claim(claim_of(~std::uint64_t{5}, 9), 1'001).value(), ClaimOutcome::Granted);
  open();
  const auto found = store->find(~std::uint64_t{5}).value();
  ASSERT_TRUE(found);
  Session expected = session(~std::uint64_t{5});
  expected.state = SessionState::Playing;
  expected.gateway = claim_of(1, 1).gateway;
  expected.seen_s = 1'001;
  expected.holder = ~std::uint64_t{7};
  expected.granted_issue = 1;
  EXPECT_EQ(*found, expected);
  Claim other = claim_of(~std::uint64_t{5}, 9);
  other.handshake = 2;
  EXPECT_EQ(store->claim(other, 1'002).value(), ClaimOutcome::Used);
  EXPECT_EQ(store->claim(claim_of(~std::uint64_t{5}, 9), 1'002).value(), ClaimOutcome::Granted);
  EXPECT_EQ(store->claim(claim_of(6, 9), 1'002).value(), ClaimOutcome::Unknown);
  EXPECT_FALSE(store->find(6).value());
  EXPECT_EQ(fs::status(file()).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(AStore, KeepsAccountsAndBansAcrossARestart) {
  Session ada = session(1);
  ada.player_id = ~std::uint64_t{3};
  ada.claims = R"({"team":"red"})";
  add(ada);
  add(session(2));
  const Ban for_ever{{~std::uint64_t{3}, ""}, 1'000, 0, "cheating"};
  const Ban of_name{{0, "Eve"}, 1'000, 2'000, ""};
  ASSERT_TRUE(store->ban(for_ever).ok());
  ASSERT_TRUE(store->ban({of_name.whom, 900, 1'500, "replaced"}).ok());
  ASSERT_TRUE(store->ban(of_name).ok());
  open();
  EXPECT_EQ(*store->find(1).value(), ada);
  EXPECT_THAT(store->of_player(ada.player_id).value(), testing::ElementsAre(ada));
  EXPECT_EQ(store->find_ban(ada.player_id, "Ada", 1'000).value(), for_ever);
  EXPECT_EQ(store->find_ban(ada.player_id, "Eve", 1'000).value(), for_ever) << "the longer one";
  EXPECT_EQ(store->find_ban(5, "Eve", 1'999).value(), of_name);
  EXPECT_FALSE(store->find_ban(5, "Eve", 2'000).value());
  EXPECT_FALSE(store->find_ban(5, "Ada", 1'000).value());
  EXPECT_FALSE(store->find_ban(0, "", 1'000).value());
}

TEST_F(AStore, ListsBansPageByPageAndForgetsThoseThatEnded) {
  std::vector<BanName> expected;
  for (const std::uint64_t id : {std::uint64_t{5}, ~std::uint64_t{0}, std::uint64_t{1}}) {
    ASSERT_TRUE(store->ban({{id, ""}, 1'000, 0, "id"}).ok());
    expected.push_back({id, ""});
  }
  ASSERT_TRUE(store->ban({{0, "Eve"}, 1'000, 3'000, "name"}).ok());
  ASSERT_TRUE(store->ban({{0, "Old"}, 1'000, 1'001, "over"}).ok());
  expected.push_back({0, "Eve"});
  std::vector<BanName> seen;
  for (std::optional<BanName> after;;) {
    const auto page = store->bans(after, 2'000, 2).value();
    for (const Ban& ban : page) seen.push_back(ban.whom);
    if (page.size() < 2) break;
    after = page.back().whom;
  }
  EXPECT_THAT(seen, testing::UnorderedElementsAreArray(expected));
  EXPECT_EQ(store->forget(2'000, {}).value(), 1U) << "the one that is over";
  EXPECT_EQ(store->bans({}, 0, 100).value().size(), 4U);
}

TEST_F(AStore, ListsNewestFirstAndPageByPage) {
  for (std::uint64_t id = 1; id <= 7; ++id) add(session(id, 1'000 + id / 2));
  Session over = session(8, 2'000);
  over.state = SessionState::Left;
  add(over);
  Session other = session(9, 500);
  other.player_name = "other";
  add(other);
  std::vector<std::uint64_t> seen;
  ListQuery query{.rows_max = 3};
  for (int page = 0; page < 5; ++page) {
    const auto rows = store->list(query).value();
    for (const Session& row : rows) seen.push_back(row.client_id);
    if (rows.size() < 3) break;
    query.before = {rows.back().logged_in_s, rows.back().client_id};
  }
  EXPECT_THAT(seen, testing::ElementsAre(7, 6, 5, 4, 3, 2, 1, 9));
  EXPECT_THAT(store->list({.player_name = "other"}).value(), testing::SizeIs(1));
  EXPECT_EQ(store->list({.over_too = true}).value().front().client_id, 8U);
  EXPECT_EQ(store->totals().value()[SessionState::Waiting], 8U);
}

TEST_F(AStore, ForgetsWhatNobodyNeedsAnyMore) {
  const Retention kept;
  for (std::uint64_t state = 0; state < enum_count<SessionState>; ++state) {
    Session s = session(state + 1);
    s.state = static_cast<SessionState>(state);
    add(s);
  }
  add(session(50));
  ASSERT_EQ(store->claim(claim_of(50, 3), 1'000).value(), ClaimOutcome::Granted);
  EXPECT_EQ(store->forget(1'000 + kept.waiting_s, kept).value(), 0U);
  EXPECT_EQ(store->forget(1'001 + kept.waiting_s, kept).value(), 1U) << "one that never came";
  EXPECT_EQ(store->forget(1'001 + kept.silent_s, kept).value(), 4U)
      << "three without a gateway, and a claim";
  EXPECT_EQ(store->forget(1'001 + kept.over_s, kept).value(), 3U);
  EXPECT_TRUE(store->list({.over_too = true}).value().empty());
}

TEST_F(AStore, IsAsBeforeAfterItWasProbed) {
  add(session(1));
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(store->probe().ok());
  EXPECT_EQ(store->list({.over_too = true}).value().size(), 1U);
  EXPECT_EQ(store->faults().sum(), 0U);
}

TEST_F(AStore, ForgetsAFewAtATime) {
  for (std::uint64_t id = 1; id <= 10; ++id) add(session(id));
  EXPECT_EQ(store->forget(5'000, {.rows_max = 4}).value(), 4U);
  EXPECT_EQ(store->forget(5'000, {.rows_max = 40}).value(), 6U);
}

TEST_F(AStore, FailsAndSaysSoWhileAnotherProgramHoldsItLocked) {
  add(session(1));
  sqlite3* other = nullptr;
  ASSERT_EQ(sqlite3_open(file().c_str(), &other), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(other, "BEGIN IMMEDIATE", nullptr, nullptr, nullptr), SQLITE_OK);
  const auto refused = store->add(session(2));
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(refused.error().message, HasSubstr("another program has it open"));
  EXPECT_FALSE(store->claim(claim_of(1, 1), 1'000).ok());
  EXPECT_FALSE(store->probe().ok());
  EXPECT_EQ(store->faults()[StoreFault::Locked], 3U);
  EXPECT_TRUE(store->find(1).value()) << "reading goes on";
  sqlite3_close(other);
  EXPECT_TRUE(store->add(session(2)).value()) << "as soon as the lock is gone";
  EXPECT_EQ(store->claim(claim_of(1, 1), 1'000).value(), ClaimOutcome::Granted);
}

TEST_F(AStore, FailsAndSaysSoWhenTheDiskIsFullAndGoesOnAfterwards) {
  // A store with a size limit fails like one on a full disk: SQLITE_FULL.
  sqlite3* shell = nullptr;
  add(session(1));
  ASSERT_EQ(sqlite3_open(file().c_str(), &shell), SQLITE_OK);
  sqlite3_close(shell);
  store->set_pages_max(1);
  Result<bool> added = true;
  std::uint64_t id = 2;
  while (added.ok() && id < 5'000) added = store->add(session(id++));
  ASSERT_FALSE(added.ok());
  EXPECT_THAT(added.error().message, HasSubstr("make room on that disk"));
  EXPECT_GE(store->faults()[StoreFault::DiskFull], 1U);
  EXPECT_TRUE(store->find(1).value());
  EXPECT_FALSE(store->probe().ok());
  store->set_pages_max(100'000);
  EXPECT_TRUE(store->probe().ok());
  EXPECT_TRUE(store->add(session(id)).value());
}

// A program that does not know the column can still use the file, so an upgrade can be rolled back.
TEST_F(AStore, GoesOnWithAFileFromBeforeItKnewWhatClientsSpeak) {
  Session first = session(1);
  first.wire_version = 7;
  add(first);
  open();
  EXPECT_EQ(store->find(1).value()->wire_version, 7U);
  store.reset();
  sqlite3* other = nullptr;
  ASSERT_EQ(sqlite3_open(file().c_str(), &other), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(other, "ALTER TABLE sessions DROP COLUMN wire_version", nullptr, nullptr,
                         nullptr),
            SQLITE_OK);
  sqlite3_close(other);
  open();
  EXPECT_EQ(store->find(1).value()->wire_version, 1U) << "all of them spoke that";
  sqlite3* older = nullptr;
  ASSERT_EQ(sqlite3_open(file().c_str(), &older), SQLITE_OK);
  EXPECT_EQ(sqlite3_exec(older,
                         "INSERT INTO sessions (client_id, player_name, state, gateway, region, "
                         "schema_hash, logged_in_s, seen_s, holder, granted_issue) VALUES "
                         "(2, 'Ada', 0, '10.0.0.1:40000', 3, 4, 5, 6, 7, 8)",
                         nullptr, nullptr, nullptr),
            SQLITE_OK)
      << sqlite3_errmsg(older);
  sqlite3_close(older);
  EXPECT_EQ(store->find(2).value()->wire_version, 1U);
}

// If the folder is not writable, the sessions in it are still intact.
TEST_F(AStore, SaysHowToMendAFolderThatCannotBeWrittenWithoutLosingSessions) {
  const auto nowhere = SqliteStore::open("/proc/no-such-folder/sessions.sqlite");
  ASSERT_FALSE(nowhere.ok());
  EXPECT_THAT(nowhere.error().message, HasSubstr("let this process write"));
  EXPECT_THAT(nowhere.error().message, testing::Not(HasSubstr("move the file away")));
}

TEST_F(AStore, RefusesAFileThatIsNoneOfItsFormat) {
  store.reset();
  std::ofstream(file()) << "this is no database, whatever its name says; long enough to be sure. "
                        << std::string(1'000, 'x');
  const auto garbage = SqliteStore::open(file());
  ASSERT_FALSE(garbage.ok());
  EXPECT_THAT(garbage.error().message, HasSubstr("move the file away"));
  fs::remove(file());
  sqlite3* other = nullptr;
  ASSERT_EQ(sqlite3_open(file().c_str(), &other), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(other, "PRAGMA user_version = 99", nullptr, nullptr, nullptr), SQLITE_OK);
  sqlite3_close(other);
  const auto newer = SqliteStore::open(file());
  ASSERT_FALSE(newer.ok());
  EXPECT_THAT(newer.error().message, HasSubstr("has format 99, this program reads 1"));
}

}  // namespace
}  // namespace perigee::session
