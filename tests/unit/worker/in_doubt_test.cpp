// Groups in doubt, as listed for operators, and how they are settled.
#include <gmock/gmock.h>

#include "pair.hpp"

namespace perigee::worker {
namespace {

constexpr HandleBlock incarnation_here{0}, incarnation_there{2};  // see two_worker_map()

bool of_migrations(const Border::Word& word) { return word.bytes.front() == std::byte{0}; }

/// A player walks over the border until its group has been sent.
template <class Workers>
Handle let_go(Workers& both, const std::function<void()>& turn) {
  const Handle avatar = both.here.player().avatar;
  for (int i = 0; i < 600 && both.here.count(metric.groups_out) == 0; ++i) {
    PlayerInput input = walking(to_plus_x);
    input.tick = both.here.core->next_tick() + 2;
    both.here.send(input);
    turn();
  }
  EXPECT_EQ(both.here.count(metric.groups_out), 1U);
  return avatar;
}

/// Two workers; once a group has been sent, all migration messages are lost until mend().
struct Parting : Border {
  bool cut = false;
  explicit Parting(const Settings& settings = {})
      : Border(lanes_at_the_border(), yard_at_the_border({25, person_m, 0}), settings) {
    fate = [this](const Word& word) -> std::optional<int> {
      cut = cut || here.count(metric.groups_out) == 1;
      return cut && of_migrations(word) ? std::nullopt : std::optional(0);
    };
    here.join();
    step(30);
  }
  Handle part() {
    return let_go(*this, [&] { step(); });
  }
  void mend() {
    fate = nullptr;
    step(30);
  }
};

TEST(AGroupInDoubt, IsListedUntilSomebodyHasIt) {
  Parting both;
  EXPECT_THAT(both.here.core->doubts(), testing::IsEmpty());
  const Handle avatar = both.part();
  both.step(30);
  const auto doubts = both.here.core->doubts();
  ASSERT_EQ(doubts.size(), 1U);
  EXPECT_EQ(doubts[0].group, avatar);
  EXPECT_EQ(doubts[0].from, incarnation_here);
  EXPECT_EQ(doubts[0].to, incarnation_there);
  EXPECT_EQ(doubts[0].asked, WorkerSlot{1});
  EXPECT_EQ(doubts[0].players, 1U);
  EXPECT_NEAR(doubts[0].for_ticks, 30, 2);
  EXPECT_EQ(doubts[0].reason, DoubtReason::NoAnswer);
  EXPECT_THAT(both.there.core->doubts(), testing::IsEmpty());
  both.mend();
  EXPECT_THAT(both.here.core->doubts(), testing::IsEmpty());
  EXPECT_NE(both.owner(0), nullptr);
}

TEST(AGroupInDoubt, IsNotOneThatStillPlaysUntilItsTick) {
  Parting both;
  bool left = false;
  const Handle avatar = let_go(both, [&] {
    both.step();
    if (both.here.count(metric.groups_out) == 1) return;
    EXPECT_THAT(both.here.core->doubts(), testing::IsEmpty()) << "somebody plays it";
    left = left || both.here.core->groups_in_doubt() > 0;
  });
  EXPECT_TRUE(left) << "it had said that it leaves";
  ASSERT_EQ(both.here.core->doubts().size(), 1U);
  EXPECT_EQ(both.here.core->doubts()[0].group, avatar);
}

TEST(AGroupInDoubt, WaitsForTheMapWhenItsWorkersStandbyIsLost) {
  Pair both(yard_at_the_border({60, person_m, 0}));
  both.pass(60);
  both.here.join();
  both.pass(30);
  ASSERT_TRUE(both.in_sync(0));
  both.fate = [&](const Border::Word&) {
    return both.here.count(metric.groups_out) == 1 ? std::nullopt : std::optional(0);
  };
  let_go(both, [&] { both.pass(); });
  both.records = false;
  both.pass(70);
  const auto doubts = both.here.core->doubts();
  ASSERT_EQ(doubts.size(), 1U);
  EXPECT_EQ(doubts[0].reason, DoubtReason::StandbyLost);
}

TEST(AGroupInDoubt, WaitsForRoomWhereItCameFrom) {
  Settings one_player = small_settings();
  one_player.players_max = 1;
  Parting both(one_player);
  const Handle avatar = both.part();
  both.here.join(1);
  ASSERT_NE(both.here.core->player_of(101), nullptr);
  both.step(20);
  both.mend();
  const auto doubts = both.here.core->doubts();
  ASSERT_EQ(doubts.size(), 1U);
  EXPECT_EQ(doubts[0].group, avatar);
  EXPECT_EQ(doubts[0].players, 1U);
  EXPECT_EQ(doubts[0].reason, DoubtReason::NoRoom);
  both.here.leave(1);
  both.step(2);
  EXPECT_THAT(both.here.core->doubts(), testing::IsEmpty());
  EXPECT_EQ(both.owner(0), &both.here);
}

// By the map a successor took over from the receiver, but it does not have the group and never
// answers. An operator removes the failover record from the map.
TEST(AGroupInDoubt, IsSettledOnceTheMapHasNobodyToAnswer) {
  Parting both;
  std::vector<Bytes> answers;
  both.fate = [&](const Border::Word& word) -> std::optional<int> {
    if (both.here.count(metric.groups_out) == 0 || word.to == WorkerSlot{1}) return 0;
    if (of_migrations(word)) answers.push_back(word.bytes);
    return std::nullopt;
  };
  const Handle avatar = both.part();
  both.step(3);
  ASSERT_EQ(both.owner(0), &both.there) << "it was received, and the answer was lost";
  ASSERT_FALSE(answers.empty());

  Bench& here = both.here;
  here.core->outputs.to_peer = [](WorkerSlot, std::span<const std::byte>) {};
  ClusterMap& map = here.map;
  map.workers.push_back({WorkerSlot{2}, neighbour_address, HandleBase{300'000}, 100'000, true});
  map.workers[1].alive = false;
  map.regions[1].owner = WorkerSlot{2};
  map.failover_records.push_back(
      {map.workers[1].handle_base, WorkerSlot{2}, HandleBase{300'000}, Epoch{2}});
  ++map.version;
  here.core->on_map(map, Bench::start);
  here.tick(180);
  ASSERT_EQ(here.core->doubts().size(), 1U);
  EXPECT_EQ(here.core->doubts()[0].asked, WorkerSlot{2});
  EXPECT_EQ(here.core->player_of(100), nullptr);

  map.failover_records.clear();
  ++map.version;
  here.core->on_map(map, Bench::start);
  EXPECT_THAT(here.core->doubts(), testing::IsEmpty());
  ASSERT_NE(here.core->player_of(100), nullptr);
  EXPECT_EQ(here.core->player_of(100)->avatar, avatar);

  const std::uint64_t dropped = here.count(metric.drop_unknown_sender);
  for (const WorkerSlot from : {WorkerSlot{1}, WorkerSlot{2}}) {
    here.core->on_peer(from, answers.front());
  }
  EXPECT_EQ(here.count(metric.drop_unknown_sender), dropped + 2) << "too late to be believed";
  here.tick(30);
  EXPECT_NE(here.core->player_of(100), nullptr);
}

TEST(GroupsInDoubt, AreNoMoreThanThereIsMemoryFor) {
  Settings room_for_one = small_settings();
  room_for_one.in_doubt_bytes_max = 1;
  Parting both(room_for_one);
  both.here.join(1);
  both.part();
  for (int i = 0; i < 300; ++i) {
    both.play(1, walking(to_plus_x));
    both.step();
  }
  EXPECT_GT(both.place(1).x, border_x + 34);
  EXPECT_EQ(both.here.core->doubts().size(), 1U);
  EXPECT_EQ(both.here.count(metric.groups_out), 1U);
  both.mend();
  both.step(30);
  EXPECT_EQ(both.owner(1), &both.there);
}

TEST(ASuccessor, SaysForWhomItAnswers) {
  Pair both;
  both.pass(60);
  EXPECT_THAT(both.there.core->incarnations(), testing::ElementsAre(incarnation_there));
  both.kill();
  both.pass(4);
  both.record_failover();
  EXPECT_THAT(both.there.core->incarnations(),
              testing::ElementsAre(incarnation_here, incarnation_there));
}

}  // namespace
}  // namespace perigee::worker
