#include <set>

#include "without_core.hpp"

namespace perigee::gateway {
namespace {

struct ASessionTable : testing::Test {
  static Sessions started_at(std::uint64_t unix_s) {
    return {{.self = GatewaySlot{3}, .clients_max = 4, .started_at_s = unix_s}, seeded(1)};
  }
  Sessions sessions = started_at(1'800'000'000);
};

TEST_F(ASessionTable, FindsASessionUntilItEnds) {
  sessions.start(2, {.client_id = 5});
  const SessionId id = sessions[2].id;
  EXPECT_EQ(sessions.find(id), 2U);
  EXPECT_TRUE(sessions.is_joining(2));
  sessions.end(2);
  EXPECT_FALSE(sessions.find(id));
  sessions.start(2, {.client_id = 6});
  EXPECT_FALSE(sessions.find(id)) << "the next session of the slot has another id";
  EXPECT_FALSE(sessions.find(make_session(GatewaySlot{3}, 0, 900))) << "a slot beyond the limit";
}

TEST_F(ASessionTable, CountsTheSessionsWithAnAvatar) {
  sessions.start(0, {});
  sessions.start(1, {});
  EXPECT_EQ(sessions.playing(), 0U);
  sessions.set_phase(0, Session::Phase::Playing);
  sessions.set_phase(1, Session::Phase::Playing);
  EXPECT_EQ(sessions.playing(), 2U);
  sessions.set_phase(0, Session::Phase::Joining);
  sessions.end(1);
  EXPECT_EQ(sessions.playing(), 0U);
  EXPECT_FALSE(sessions.is_free(0));
  EXPECT_TRUE(sessions.is_free(1));
}

TEST_F(ASessionTable, NeverRepeatsAnIdAlsoAfterARestart) {
  std::set<SessionId> ids;
  for (const std::uint64_t unix_s : {1'800'000'000U, 1'800'000'001U, 1'800'000'002U}) {
    Sessions table = started_at(unix_s);
    for (int i = 0; i < 64; ++i) {
      table.start(1, {});
      EXPECT_TRUE(ids.insert(table[1].id).second);
      table.end(1);
    }
  }
}

}  // namespace
}  // namespace perigee::gateway
