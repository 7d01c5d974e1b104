// The store's contract with a real PostgreSQL server, and faults of a server.
#include <libpq-fe.h>

#include "postgres_server/postgres_server.hpp"
#include "process/slowness.hpp"
#include "unit/world_store/contract.hpp"
#include "unit/world_store/lasting_contract.hpp"

namespace perigee::world_store {
namespace {

using postgres_server::Server;

/// For tests that are not about timeouts: on a busy machine, server and test may stand still for
/// seconds.
constexpr int patience_ms = 1'000 * static_cast<int>(process_test::patience.count());
constexpr PostgresTimeouts patient{.connect_ms = patience_ms,
                                   .lock_ms = patience_ms,
                                   .statement_ms = patience_ms,
                                   .idle_transaction_ms = patience_ms,
                                   .silence_ms = patience_ms};

/// One server for all tests of this process, created by the first test.
Server& server() {
  static const auto made = [] {
    auto result = Server::make();
    if (!result) std::fprintf(stderr, "%s\n", result.error().message.c_str());
    return std::move(result).value();
  }();
  return *made;
}

/// A second connection to the database.
class Hand {
 public:
  explicit Hand(const std::string& connection) : connection_(PQconnectdb(connection.c_str())) {}
  ~Hand() { PQfinish(connection_); }
  Hand(const Hand&) = delete;
  Hand& operator=(const Hand&) = delete;

  void execute(const std::string& sql) {
    PGresult* result = PQexec(connection_, sql.c_str());
    EXPECT_EQ(PQresultStatus(result), PGRES_COMMAND_OK) << PQerrorMessage(connection_);
    PQclear(result);
  }
  int number(const std::string& sql) {
    PGresult* result = PQexec(connection_, sql.c_str());
    EXPECT_EQ(PQresultStatus(result), PGRES_TUPLES_OK) << PQerrorMessage(connection_);
    const int value = PQntuples(result) == 1 ? std::atoi(PQgetvalue(result, 0, 0)) : -1;
    PQclear(result);
    return value;
  }

 private:
  PGconn* connection_;
};

class OnAServer final : public Place {
 public:
  PostgresTimeouts timeouts = patient;

  OnAServer() {
    static int count = 0;
    name_ = "world_" + std::to_string(++count);
    EXPECT_TRUE(server().create_schema(name_).ok());
  }
  std::string connection(const std::string& options = {}) const {
    return server().database("postgres") + " options='-csearch_path=" + name_ + options + "'";
  }

  Result<std::unique_ptr<Store>> open() override { return open_postgres(connection(), timeouts); }
  void execute(const std::string& sql) override { Hand(connection()).execute(sql); }
  void crash(pid_t writer) override {
    server().kill_hard();
    kill(writer, SIGKILL);
    const auto started = server().start();
    EXPECT_TRUE(started.ok()) << started.error().message;
  }

 private:
  std::string name_;
};

std::unique_ptr<OnAServer> make_place() {
  return postgres_server::programs().empty() ? nullptr : std::make_unique<OnAServer>();
}

INSTANTIATE_TEST_SUITE_P(OnAServer, AWorldStore,
                         testing::Values(Engine{
                             "Postgres", []() -> std::unique_ptr<Place> { return make_place(); }}),
                         name_of);
INSTANTIATE_TEST_SUITE_P(OnAServer, ALastingStore,
                         testing::Values(Engine{
                             "Postgres", []() -> std::unique_ptr<Place> { return make_place(); }}),
                         name_of);

class AServer : public testing::Test {
 protected:
  static constexpr ClusterId world = 4;
  void SetUp() override {
    place = make_place();
    if (!place) GTEST_SKIP() << "no server on this machine: ./perigee doctor";
    place->timeouts = {};
    auto opened = place->open();
    ASSERT_TRUE(opened.ok()) << opened.error().message;
    store = std::move(opened).value();
    ASSERT_TRUE(store->adopt(world).ok());
  }
  Result<std::vector<Write>> append(std::uint32_t target) {
    const std::vector<JournalRow> rows{{.id = {.target = target, .tick = Tick{7}},
                                        .slot = WorkerSlot{1},
                                        .incarnation = Incarnation{1}}};
    return store->append(world, rows);
  }
  static std::string refusal(const std::string& connection) {
    const auto refused = open_postgres(connection);
    return refused ? "it was opened" : refused.error().message;
  }
  std::unique_ptr<OnAServer> place;
  std::unique_ptr<Store> store;
};

TEST_F(AServer, ThatWasRestartedMeanwhileIsNotNoticed) {
  place->timeouts = patient;
  store = std::move(place->open()).value();
  ASSERT_TRUE(append(1).ok());
  server().stop();
  ASSERT_TRUE(server().start().ok());
  const auto became = append(2);
  ASSERT_TRUE(became.ok()) << became.error().message;
  EXPECT_EQ(store->read_journal({.after = Tick{0}})->size(), 2U);
}

TEST_F(AServer, ThatIsDownIsAnErrorUntilItIsBack) {
  server().stop();
  for (int i = 0; i < 3; ++i) {
    const auto refused = append(1);
    ASSERT_FALSE(refused.ok());
    EXPECT_THAT(refused.error().message,
                HasSubstr("start the server, or repair the network to it"));
  }
  EXPECT_EQ(store->faults()[StoreFault::Unreachable], 3U);
  EXPECT_THAT(refusal(place->connection()), HasSubstr("start the server"));
  ASSERT_TRUE(server().start().ok());
  EXPECT_EQ(append(1).value(), std::vector{Write::Written});
}

TEST_F(AServer, ThatFallsSilentIsAnErrorUntilItAnswers) {
  server().signal_all(SIGSTOP);
  const auto silent = append(1);
  const auto still = append(1);
  server().signal_all(SIGCONT);
  ASSERT_FALSE(silent.ok());
  EXPECT_THAT(silent.error().message, HasSubstr("no answer for 4 s; start the server"));
  ASSERT_FALSE(still.ok());
  EXPECT_THAT(still.error().message, HasSubstr("no connection within 3 s; start the server"));
  EXPECT_EQ(append(1).value(), std::vector{Write::Written}) << "nothing of the silent one was done";
}

TEST_F(AServer, WithALockedRegionSaysWhereToLook) {
  ASSERT_TRUE(append(1).ok());
  auto other = std::make_unique<Hand>(place->connection());
  EXPECT_EQ(other->number("BEGIN; SELECT region FROM regions FOR UPDATE"), 1);
  const auto refused = append(2);
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(refused.error().message, HasSubstr("look for it in pg_stat_activity"));
  EXPECT_EQ(store->faults()[StoreFault::Locked], 1U);
  other.reset();
  EXPECT_EQ(append(2).value(), std::vector{Write::Written});
}

TEST_F(AServer, TakesARegionFromAnOwnerThatWasStoppedInTheMiddle) {
  Hand hand(place->connection());
  hand.execute("BEGIN; INSERT INTO journal VALUES (1, 7, 0, 0, 1, 1, 0, '')");
  store.reset();
  const pid_t owner = fork();
  if (owner == 0) {
    store = std::move(place->open()).value();
    // has its slot's lock, and waits for the transaction of `hand`
    _exit(append(1).ok() ? 0 : 1);
  }
  const char* waiting = "SELECT count(*) FROM pg_locks WHERE NOT granted";
  for (int i = 0; i < 20'000 && hand.number(waiting) == 0; ++i) usleep(1'000);
  kill(owner, SIGSTOP);
  EXPECT_EQ(hand.number(waiting), 1);
  store = std::move(place->open()).value();
  hand.execute("ROLLBACK");  // from now on the owner's transaction is idle, for 3 s at most
  auto raised = store->fence_older({world, WorkerSlot{1}, Incarnation{2}});
  EXPECT_FALSE(raised.ok()) << "the owner's lock is held";
  for (int i = 0; i < 2 && !raised; ++i)
    raised = store->fence_older({world, WorkerSlot{1}, Incarnation{2}});
  kill(owner, SIGKILL);
  waitpid(owner, nullptr, 0);
  ASSERT_TRUE(raised.ok()) << raised.error().message;
  EXPECT_THAT(store->read_journal({.after = Tick{0}}).value(), IsEmpty());
}

TEST_F(AServer, SaysWhatIsWrongWithAConnectionString) {
  const std::string guest = " user=guest ";
  EXPECT_THAT(
      refusal(place->connection() + guest + "password=wrong"),
      HasSubstr("password authentication failed for user \"guest\"; correct user and password"));
  EXPECT_THAT(refusal(place->connection() + guest), HasSubstr("set one in the connection string"));
  EXPECT_THAT(refusal(server().database("postgres") + guest + "password=secret"),
              HasSubstr("permission denied for schema public; connect as the database's owner"));
  EXPECT_THAT(refusal(server().database("postgres") + " options=-csearch_path=none"),
              HasSubstr("create that schema, or set search_path to another one"));
  EXPECT_THAT(refusal(server().database("nowhere")),
              HasSubstr("database \"nowhere\" does not exist; create it (createdb)"));
  EXPECT_THAT(refusal("host=/nowhere"), HasSubstr("start the server, or repair the network to it"));
  EXPECT_THAT(refusal("hots=here"), HasSubstr("invalid connection option \"hots\""));
}

TEST_F(AServer, WithAnotherProgramsTablesIsLeftAlone) {
  OnAServer elsewhere;
  elsewhere.execute("CREATE TABLE regions (name TEXT)");
  EXPECT_THAT(refusal(elsewhere.connection()), HasSubstr("use a separate database for this world"));
}

TEST_F(AServer, ThatOnlyReadsSaysSo) {
  store =
      std::move(open_postgres(place->connection(" -cdefault_transaction_read_only=on"))).value();
  const auto refused = append(1);
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(refused.error().message, HasSubstr("connect to the primary"));
}

}  // namespace
}  // namespace perigee::world_store
