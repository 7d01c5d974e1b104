// The last successor of a crash chain skips pending inputs, and writes them into a crash report
// first.
#include <gmock/gmock.h>

#include <deque>

#include "pair.hpp"

namespace perigee::worker {
namespace {

constexpr std::uint16_t poison = button_alternate;

bool poisoned(const PlayerInput& input) { return (pressed_mask(input) & poison) != 0; }

/// Whether the player's recorded ticks contain it.
bool has_played_poison(const Player& player, Tick next) {
  for (std::uint32_t ago = 1; ago <= Player::records_ticks; ++ago) {
    const world::StepRecord* record = player.records.find(next - static_cast<std::int32_t>(ago));
    if (record != nullptr && poisoned(record->input)) return true;
  }
  return false;
}

/// A player with a client that repeats its last 16 inputs in each packet, to its worker and through
/// the gateway to the standby; it has just sent an input that crashed its worker.
struct Victim {
  Pair both;
  std::deque<PlayerInput> sent;  ///< the newest first
  std::vector<replay::CrashReport> reports;
  bool played_before_report = false;

  Victim() {
    both.here.join();
    both.pass(60);
    EXPECT_TRUE(both.in_sync(0));
    both.there.core->outputs.on_crash_report = [this](replay::CrashReport last) {
      played_before_report |= both.there.core->player_of(100) != nullptr;
      reports.push_back(std::move(last));
    };
    for (int i = 0; i < 40; ++i) send(false);
    send(true);
    both.pass(2);
    both.kill();
  }
  void send(bool with_poison) {
    Bench& owner = both.here_lives ? both.here : both.there;
    PlayerInput input = walking(0);
    input.tick = owner.core->next_tick() + 3;  // applied after the worker's last message
    if (with_poison) input.samples.push_back({.pressed = poison});
    sent.push_front(input);
    if (sent.size() > ControlFrame::inputs_max) sent.pop_back();
    const ControlFrame frame = owner.frame_of({sent.begin(), sent.end()});
    owner.send(frame);
    if (both.here_lives) copy(frame);
    both.pass();
  }
  void copy(const ControlFrame& frame) {
    Bytes bytes(512);
    const auto written = write_control(frame, bytes);
    Bench& standby = both.there;
    const InputRecord record{session_of(0), standby.now_fine(), stream_of_worker(WorkerSlot{0}),
                             written};
    standby.core->on_fabric(standby.now_fine(), gateway_address, standby.datagram(record));
  }
};

TEST(ASuccessor, PlaysWhatWaitedWhereOneWorkerHasDied) {
  Victim victim;
  victim.both.record_failover(1);
  victim.both.pass(2);
  EXPECT_TRUE(has_played_poison(victim.both.there.player(), victim.both.there.core->next_tick()));
}

TEST(ASuccessor, PlaysNothingThatWaitedWhereTwoHaveDiedInARow) {
  Victim victim;
  const Vec3 at = victim.both.here.player().state.position;
  const std::uint8_t reset_epoch = victim.both.here.player().reset_epoch;
  victim.both.record_failover(2);
  Bench& successor = victim.both.there;
  ASSERT_NE(successor.core->player_of(100), nullptr);
  EXPECT_EQ(successor.player().reset_epoch, reset_epoch) << "nobody begins anew";
  EXPECT_LT(distance(successor.player().state.position, at), 1);
  for (int i = 0; i < 40; ++i) {
    ASSERT_FALSE(has_played_poison(successor.player(), successor.core->next_tick())) << i;
    victim.send(false);
  }
  EXPECT_GT(successor.count(metric.inputs_refused), 0U) << "its client said it again";
  EXPECT_EQ(successor.count(metric.inputs_edges_kept), 0U);
  const world::StepRecord* last = successor.player().records.find(successor.core->next_tick() - 1);
  ASSERT_NE(last, nullptr);
  EXPECT_FALSE(last->guessed) << "what it says now counts";
}

// Also without rollback, when late inputs are skipped but their presses are applied.
TEST(ASuccessor, KeepsNoPressOfAnInputThatItRefuses) {
  Victim victim;
  victim.both.record_failover(2);
  Bench& successor = victim.both.there;
  for (int i = 0; i < 40; ++i) {
    PlayerInput input = walking(0);
    input.tick = successor.core->next_tick() + 1;
    victim.sent.push_front(input);
    victim.sent.resize(ControlFrame::inputs_max);
    ControlFrame frame = successor.frame_of({victim.sent.begin(), victim.sent.end()});
    frame.techniques.rollback = false;
    successor.send(frame);
    victim.both.pass();
    ASSERT_FALSE(has_played_poison(successor.player(), successor.core->next_tick())) << i;
  }
}

TEST(ASuccessor, WritesDownWhatItGoesOnWithBeforeItPlaysIt) {
  for (const std::uint32_t crashes : {1U, 2U}) {
    SCOPED_TRACE(crashes);
    Victim victim;
    const std::uint64_t client = victim.both.here.player().client_id;
    victim.both.record_failover(crashes);
    ASSERT_EQ(victim.reports.size(), 1U);
    EXPECT_FALSE(victim.played_before_report);
    const replay::CrashReport& report = victim.reports[0];
    EXPECT_EQ(report.fate, crashes == 1 ? replay::Fate::PlayedOn : replay::Fate::PlayedOnWithout);
    EXPECT_EQ(report.slot, WorkerSlot{0});
    ASSERT_EQ(report.players.size(), 1U);
    const replay::CrashReport::Player& player = report.players[0];
    EXPECT_EQ(player.client_id, client);
    EXPECT_GT(player.inputs.size(), 16U) << "also such as had been played";
    EXPECT_TRUE(std::is_sorted(
        player.inputs.begin(), player.inputs.end(),
        [](const PlayerInput& a, const PlayerInput& b) { return before(a.tick, b.tick); }));
    EXPECT_EQ(std::count_if(player.inputs.begin(), player.inputs.end(), poisoned), 1);
  }
}

TEST(AStandby, WritesDownWhatNobodyGoesOnWith) {
  Victim victim;
  victim.both.declare_dead();
  victim.both.pass(5);
  EXPECT_EQ(victim.both.there.core->player_of(100), nullptr);
  ASSERT_EQ(victim.reports.size(), 1U);
  EXPECT_EQ(victim.reports[0].fate, replay::Fate::LeftBehind);
  ASSERT_EQ(victim.reports[0].players.size(), 1U);
  EXPECT_EQ(std::count_if(victim.reports[0].players[0].inputs.begin(),
                          victim.reports[0].players[0].inputs.end(), poisoned),
            1);
}

TEST(AStandby, WritesDownNothingOfWhoFindsAnotherOne) {
  Victim victim;
  victim.both.change([](ClusterMap& map) { map.workers[0].standby.reset(); });
  EXPECT_TRUE(victim.reports.empty());
}

}  // namespace
}  // namespace perigee::worker
