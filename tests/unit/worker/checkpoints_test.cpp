/// A checkpoint of several workers has each entity once, including what is in flight between them.
#include <gtest/gtest.h>

#include <deque>
#include <set>

#include "durability.hpp"
#include "sanitized.hpp"

namespace perigee::worker {
namespace {

/// A barge with players crosses the border at about the tick of the checkpoint, over bad links,
/// between workers with different current ticks.
struct Crossing {
  struct Word {
    int at_turn;
    Bytes bytes;
  };
  static constexpr std::uint32_t people = 3;
  static constexpr double m_s = 3;
  static constexpr std::size_t group_bytes = 10'000;  ///< larger messages contain a group
  std::vector<std::vector<CheckpointPart>> parts{2};
  Bench here, there;
  std::vector<std::deque<Word>> to{2};
  Random random;
  int turn = 0;
  int skew = 0;      ///< turns by which the second worker is behind; negative: ahead
  int late_max = 0;  ///< maximum delay of a message, in turns
  int lost = 0;      ///< percentage of messages
  int cut_off_at = -1, cut_off_until = -1;

  static test::YardOptions plan(double x) {
    return {.spawn = {x, 20.91, 0},
            .spacing = {1.2, 0, 0.4},
            .barge = true,
            .barge_at = {x, 20, 0},
            .barge_velocity = {m_s, 0, 0}};
  }
  Crossing(double x, std::uint64_t seed)
      : here(plan(x), two_worker_map(), without_claims()),
        there(plan(x), two_worker_map(), without_claims(), WorkerSlot{1}),
        random(seed) {
    const auto connect = [this](Bench& from, std::size_t slot) {
      from.core->outputs.to_peer = [this](WorkerSlot peer, std::span<const std::byte> bytes) {
        if (turn >= cut_off_at && turn < cut_off_until) return;
        if (static_cast<int>(random.below(100)) < lost) return;
        int late = static_cast<int>(random.below(static_cast<std::uint32_t>(late_max + 1)));
        if (bytes.size() > group_bytes) late += static_cast<int>(random.below(14));
        const int in_order = to[peer.index()].empty() ? 0 : to[peer.index()].back().at_turn;
        to[peer.index()].push_back(
            {std::max(in_order, turn + late), Bytes(bytes.begin(), bytes.end())});
      };
      from.core->outputs.to_checkpoint = [this, slot](CheckpointPart part) {
        parts[slot].push_back(std::move(part));
      };
    };
    connect(here, 0);
    connect(there, 1);
    for (std::uint32_t n = 0; n < people; ++n) here.join(n);
  }
  void deliver(std::size_t slot) {
    Core& core = slot == 0 ? *here.core : *there.core;
    while (!to[slot].empty() && to[slot].front().at_turn <= turn) {
      const Word word = to[slot].front();
      to[slot].pop_front();
      core.on_peer(WorkerSlot::at(1 - slot), word.bytes);
    }
  }
  void play() {
    const int turns = ticks_between(Bench::start, at_checkpoint) + 60;
    while (turn < turns) {
      deliver(0);
      if (turn >= -skew) here.tick();
      deliver(1);
      if (turn >= skew) there.tick();
      ++turn;
    }
  }
};

TEST(ACheckpointOfTwoWorkers, HasEachThingOnceWhateverIsBetweenThem) {
  std::uint64_t in_doubt = 0;
  std::uint64_t late = 0;
  const std::uint64_t seeds = seeds_of(60, 30);
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    Random random(seed);
    // A group is offered 32 m beyond the border, and sent six ticks later.
    const double since_s = (static_cast<double>(random.below(50)) - 15) / 60;
    Crossing two(1032 + Crossing::m_s * (since_s - 20), seed);
    two.skew = static_cast<int>(random.below(13)) - 6;
    two.late_max = static_cast<int>(random.below(3));
    two.lost = seed % 3 == 0 ? 3 : 0;
    if (seed % 5 == 0) {
      two.cut_off_at = 1190 + static_cast<int>(random.below(20));
      two.cut_off_until = two.cut_off_at + static_cast<int>(random.below(60));
    }
    two.play();
    ASSERT_EQ(two.parts[0].size(), 1U) << "seed " << seed;
    ASSERT_EQ(two.parts[1].size(), 1U) << "seed " << seed;
    const Parts bytes{two.parts[0][0].bytes, two.parts[1][0].bytes};
    const auto checkpoint = join_parts(at_checkpoint, bytes, two.here.game);
    ASSERT_TRUE(checkpoint.ok()) << checkpoint.error().message;
    std::set<Handle> handles;
    for (const CheckpointEntity& each : checkpoint->content.entities)
      handles.insert(each.entity.handle);
    EXPECT_EQ(checkpoint->content.entities.size(), 3 + Crossing::people) << "seed " << seed;
    EXPECT_EQ(handles.size(), checkpoint->content.entities.size()) << "seed " << seed;
    EXPECT_EQ(checkpoint->content.players.size(), Crossing::people) << "seed " << seed;
    EXPECT_EQ(checkpoint->twice, 0U) << "seed " << seed;
    const auto alone = join_parts(at_checkpoint, Parts{bytes[1]}, two.here.game);
    const auto giver = join_parts(at_checkpoint, Parts{bytes[0]}, two.here.game);
    in_doubt += alone->content.entities.size() + giver->content.entities.size() >
                checkpoint->content.entities.size();
    late += giver->content.entities.size() < 3 + Crossing::people;
    // Both workers are restored, and each player is at exactly one of them.
    ClusterMap map = to_restore(two_worker_map());
    Successor first(two.here.game, map, checkpoint.value(), Tick{90'000});
    Successor second(two.here.game, map, checkpoint.value(), Tick{90'003}, WorkerSlot{1});
    EXPECT_EQ(first.core->world().in_order().size() + second.core->world().in_order().size(),
              checkpoint->content.entities.size());
    EXPECT_EQ(first.core->summary().players + second.core->summary().players, Crossing::people);
    for (std::uint32_t n = 0; n < Crossing::people; ++n) {
      const bool left = first.core->player_of(100 + n) != nullptr;
      Core& core = left ? *first.core : *second.core;
      EXPECT_NE(core.world().find(core.player_of(100 + n)->parent), nullptr) << "with its barge";
    }
  }
  EXPECT_GT(in_doubt, seeds / 20) << "groups of which nobody knew who has them";
  EXPECT_GT(late, seeds / 20) << "groups that were with the second worker";
}

TEST(AClientThatComesBack, FindsItsAvatarAtWhicheverWorkerHasIt) {
  Crossing two(1032 - Crossing::m_s * 15, 1);
  two.play();
  const auto checkpoint =
      join_parts(at_checkpoint, Parts{two.parts[0][0].bytes, two.parts[1][0].bytes}, two.here.game);
  ASSERT_TRUE(checkpoint.ok());
  const ClusterMap map = to_restore(two_worker_map());
  Successor home(two.here.game, map, checkpoint.value(), Tick{90'000});
  Successor away(two.here.game, map, checkpoint.value(), Tick{90'000}, WorkerSlot{1});
  ASSERT_NE(away.core->player_of(101), nullptr);
  const Handle avatar = away.core->player_of(101)->avatar;
  const auto pass = [&](Successor& from, Successor& to, const Address& sender, std::uint8_t slot,
                        const Address& receiver) {
    from.core->tick();
    int passed = 0;
    for (const auto& [address, bytes] : std::exchange(from.sent, {})) {
      if (address != receiver) continue;
      to.core->on_fabric({to.core->next_tick().count << 8}, sender, bytes);
      ++passed;
    }
    EXPECT_GE(passed, 1) << int{slot};
  };
  const JoinRecord join{Bench::later_session_of(1), 101, RegionId{0}};
  home.receive(gateway_address, FabricSender::Gateway, 0, join);
  EXPECT_EQ(home.core->player_of(101), nullptr) << "not a second one";
  pass(home, away, worker_address, 0, neighbour_address);
  EXPECT_EQ(away.core->player_of(101)->session, join.session);
  EXPECT_EQ(away.core->player_of(101)->avatar, avatar);
  // Another player has left for good meanwhile: then home spawns a new avatar for its client.
  away.receive(gateway_address, FabricSender::Gateway, 0,
               LeaveRecord{away.core->player_of(102)->session});
  const JoinRecord late{Bench::later_session_of(2), 102, RegionId{0}};
  home.receive(gateway_address, FabricSender::Gateway, 0, late);
  pass(home, away, worker_address, 0, neighbour_address);
  pass(away, home, neighbour_address, 1, worker_address);
  home.receive(gateway_address, FabricSender::Gateway, 0, late);
  EXPECT_NE(home.core->player_of(102), nullptr);
}

}  // namespace
}  // namespace perigee::worker
