// Accounts of players: the game hears of players that join and leave, and clients are told names.
#include <algorithm>
#include <string_view>

#include "fixture.hpp"

namespace perigee::worker {
namespace {

template <std::size_t Capacity>
void set_text(FixedVector<char, Capacity>& out, std::string_view text) {
  out.clear();
  for (const char letter : text) out.push_back(letter);
}

PlayerAccount account(std::uint64_t player_id, std::string_view name) {
  PlayerAccount out{.player_id = player_id};
  set_text(out.name, name);
  set_text(out.claims, R"({"team":2})");
  return out;
}

class AGameWithAccounts : public testing::Test {
 protected:
  void join(std::uint32_t n, const PlayerAccount& of, std::uint64_t issue = 0) {
    const SessionId session = issue == 0 ? session_of(n) : Bench::later_session_of(n);
    const auto others = std::exchange(bench.core->outputs.to_peer, nullptr);
    bench.gateway_says(JoinRecord{session, 100 + n, RegionId{0}, issue, of});
    bench.core->outputs.to_peer = others;
  }
  /// Names that a session was told, in order.
  std::vector<std::string> names_told(SessionId session) {
    std::vector<std::string> out;
    for (const PlayerNameEvent& event : bench.sent<PlayerNameEvent>(session)) {
      out.emplace_back(text_of(event.name));
    }
    return out;
  }

  std::vector<world::Participant> joined, left;
  Bench bench{{.joined = &joined, .left = &left}};
};

TEST_F(AGameWithAccounts, HearsOfEachPlayerOnce) {
  join(0, account(77, "Ada"));
  join(0, account(77, "Ada"));  // the gateway repeats it until it is answered
  bench.tick(5);
  ASSERT_EQ(joined.size(), 1U);
  EXPECT_EQ(joined[0].account, account(77, "Ada"));
  EXPECT_EQ(joined[0].actor, bench.player(0).avatar);
  EXPECT_TRUE(left.empty());
  const Handle actor = bench.player(0).avatar;
  bench.leave(0);
  bench.leave(0);
  bench.tick(2);
  ASSERT_EQ(left.size(), 1U);
  EXPECT_EQ(left[0].account.player_id, 77U);
  EXPECT_EQ(left[0].actor, actor);
}

TEST_F(AGameWithAccounts, HearsOfAPlayerThatStaysAwayOnlyWhenItsActorLeaves) {
  join(0, account(77, "Ada"));
  bench.stand(5);
  bench.gateway_says(LeaveRecord{session_of(0), true});
  bench.tick(60);
  EXPECT_TRUE(left.empty());
  bench.tick(bench.settings.silence_ticks_max + 5);
  EXPECT_EQ(left.size(), 1U);
}

TEST_F(AGameWithAccounts, DoesNotHearOfAReconnectionAndClientsLearnTheNewName) {
  join(0, account(77, "Ada"));
  join(1, account(78, "Zoe"));
  bench.tick(20);
  EXPECT_EQ(names_told(session_of(1)).size(), 2U);
  join(0, account(77, "Ada Lovelace"), 3);
  bench.tick(20);
  EXPECT_EQ(joined.size(), 2U);
  EXPECT_TRUE(left.empty());
  EXPECT_EQ(names_told(session_of(1)).back(), "Ada Lovelace");
  EXPECT_EQ(text_of(bench.player(0).account.name), "Ada Lovelace");
}

TEST_F(AGameWithAccounts, TellsNoNameOfAPlayerWithoutOne) {
  join(0, {});
  join(1, account(78, "Zoe"));
  bench.tick(20);
  EXPECT_EQ(names_told(session_of(1)), std::vector<std::string>{"Zoe"});
}

}  // namespace
}  // namespace perigee::worker
