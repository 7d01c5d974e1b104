/// No acknowledged input is lost with a worker, and none is applied twice.
#include <gmock/gmock.h>

#include <deque>

#include "pair.hpp"

namespace perigee::worker {
namespace {

// No acknowledged input is lost: the same inputs lead to the same place, bit for bit, whether the
// worker dies or not.
TEST(AStandby, LosesNoInputThatItsOwnerHad) {
  const auto run = [](bool dies) {
    Pair both;
    both.here.join();
    both.pass(60);
    PlayerInput input;
    for (int i = 0; i < 90; ++i) {
      Bench& owner =
          both.here.core->player_of(100) != nullptr && both.here_lives ? both.here : both.there;
      input = walking(static_cast<std::uint16_t>(i * 700));
      if (i % 20 == 0) input.samples.push_back({.pressed = button_jump});
      // three ticks ahead, so inputs in flight arrive in time
      input.tick = owner.core->next_tick() + 3;
      owner.send(input);
      both.pass();
      if (dies && i == 45) {
        both.kill();
        both.record_failover();
      }
    }
    Bench& owner = dies ? both.there : both.here;
    return std::pair(owner.player().state, owner.player().inputs.last_applied());
  };
  const auto [lived, last] = run(false);
  const auto [died, last_too] = run(true);
  EXPECT_EQ(last, last_too);
  EXPECT_EQ(lived, died);
}

std::optional<Tick> acknowledged_by(const Bench& bench) {
  for (auto it = bench.blocks.rbegin(); it != bench.blocks.rend(); ++it) {
    if (it->own && it->own->has_echo) return it->own->echo;
  }
  return std::nullopt;
}

/// Repeats all unacknowledged inputs in each packet, as clients do.
struct Repeater {
  std::deque<PlayerInput> sent;  ///< the newest first
  std::optional<Tick> acknowledged;

  void send(Bench& worker, PlayerInput input) {
    const auto news = acknowledged_by(worker);
    if (news && (!acknowledged || before(*acknowledged, *news))) acknowledged = news;
    input.tick = worker.core->next_tick() + 3;
    sent.push_front(input);
    std::vector<PlayerInput> packet;
    for (const PlayerInput& each : sent) {
      const bool known = acknowledged && !before(*acknowledged, each.tick);
      if (known || packet.size() == ControlFrame::inputs_max) break;
      packet.push_back(each);
    }
    worker.send(worker.frame_of(packet));
  }
};

// Any of the owner's last messages may be lost: the standby has every input that the client does
// not send again.
TEST(AStandby, HasEveryInputThatItsOwnerAcknowledged) {
  constexpr int dies_at = 45;
  const auto run = [](int unheard, bool dies) {
    Pair both;
    both.here.join();
    both.pass(60);
    EXPECT_TRUE(both.in_sync(0));
    Repeater client;
    for (int i = 0; i < 90; ++i) {
      if (dies && i == dies_at - unheard + 1) {
        both.fate = lost_on_the_way_there;
      }
      PlayerInput input = walking(static_cast<std::uint16_t>(i * 700));
      if (i % 3 == 0) input.samples.push_back({.pressed = button_jump});
      client.send(both.here_lives ? both.here : both.there, input);
      both.pass();
      if (dies && i == dies_at) {
        both.kill();
        both.record_failover();
      }
    }
    Bench& owner = dies ? both.there : both.here;
    return std::pair(owner.player().state, owner.player().inputs.last_applied());
  };
  const auto [lived, last] = run(0, false);
  for (int unheard = 0; unheard <= 10; ++unheard) {
    SCOPED_TRACE(unheard);
    const auto [died, last_too] = run(unheard, true);
    EXPECT_EQ(last, last_too);
    EXPECT_EQ(lived, died);
  }
}

/// The number of newest ticks that are not acknowledged, after this many ticks with an input each.
int unacknowledged_after(int ticks, Pair& both) {
  for (int i = 0; i < ticks; ++i) {
    both.send_here(walking(0));
    both.pass();
  }
  return ticks_between(*acknowledged_by(both.here), both.here.core->next_tick());
}

// A worker that is cut off from its standby and from the directory may have been declared dead, and
// its standby may have been promoted.
TEST(AStandby, ThatIsLostHoldsBackAcknowledgementsUntilTheMapSaysThatNobodyGoesOn) {
  Pair both;
  both.here.join();
  both.pass(60);
  EXPECT_LE(unacknowledged_after(30, both), 3);
  both.records = false;  // the directory is away: the map cannot say that there is no standby
  both.fate = lost_on_the_way_there;
  EXPECT_GT(unacknowledged_after(600, both), 590) << "what nobody else has is not acknowledged";
  both.records = true;
  EXPECT_LE(unacknowledged_after(30, both), 3);
}

// The directory may know that the standby is complete, though no map has said so yet.
TEST(AStandby, ThatIsLostBeforeTheMapCountsOnItHoldsThemBackAsWell) {
  Pair both;
  both.records = false;
  both.here.join();
  both.pass(60);
  ASSERT_TRUE(both.here.core->report(std::nullopt).in_sync_with);
  ASSERT_FALSE(both.in_sync(0));
  EXPECT_LE(unacknowledged_after(30, both), 3);
  both.fate = lost_on_the_way_there;
  EXPECT_GT(unacknowledged_after(600, both), 590);
  both.records = true;
  EXPECT_LE(unacknowledged_after(30, both), 3);
}

/// As its gateway sends it to the first worker's standby.
void copy_to(Bench& standby, const ControlFrame& frame, SessionId session = session_of(0)) {
  Bytes bytes(512);
  const auto written = write_control(frame, bytes);
  const InputRecord copy{session, standby.now_fine(), stream_of_worker(WorkerSlot{0}), written};
  standby.core->on_fabric(standby.now_fine(), gateway_address, standby.datagram(copy));
}

// Each input is sent once. For any delay until the owner's death is known, the standby continues as
// if the owner had lived.
TEST(AStandby, PlaysWhatItsOwnerWasSentAndHadNotReplicated) {
  constexpr int dies_at = 45;
  const auto run = [](int silent, bool dies) {
    Pair both;
    both.here.join();
    both.pass(60);
    EXPECT_TRUE(both.in_sync(0));
    const std::uint8_t reset_epoch = both.here.player().reset_epoch;
    for (int i = 0; i < 120; ++i) {
      const bool taken_over = dies && i > dies_at + silent;
      PlayerInput input = walking(static_cast<std::uint16_t>(i * 700));
      if (i % 5 == 0) input.samples.push_back({.pressed = button_jump});
      input.tick = both.there.core->next_tick() + 3;
      ControlFrame frame = (both.here_lives ? both.here : both.there).frame_of({input});
      frame.reset_epoch = reset_epoch;
      if (both.here_lives) both.here.send(frame);
      taken_over ? both.there.send(frame) : copy_to(both.there, frame);
      both.pass();
      if (dies && i == dies_at) both.kill();
      if (dies && i == dies_at + silent) both.record_failover();
    }
    Bench& owner = dies ? both.there : both.here;
    EXPECT_EQ(owner.count(metric.inputs_too_late), 0U);
    return std::pair(owner.player().state, owner.player().inputs.last_applied());
  };
  const auto [lived, last] = run(0, false);
  for (const int silent : {0, 1, 6, 15, 20, 30, 40}) {
    SCOPED_TRACE(silent);
    const auto [died, last_too] = run(silent, true);
    EXPECT_EQ(last, last_too);
    EXPECT_EQ(lived, died);
  }
}

// Without rollback, a late press is still applied: but not one that the dead worker had applied,
// and that the client sends again because it is not acknowledged yet.
TEST(AStandby, PlaysNoPressASecondTime) {
  constexpr std::size_t unacknowledged = 14;
  const auto run = [](bool dies) {
    Pair both;
    both.here.join();
    both.pass(60);
    std::deque<PlayerInput> sent;
    for (int i = 0; i < 90; ++i) {
      Bench& owner = both.here_lives ? both.here : both.there;
      PlayerInput input = walking(static_cast<std::uint16_t>(i * 700));
      if (i % 4 == 0) input.samples.push_back({.pressed = button_jump});
      input.tick = owner.core->next_tick() + 1;
      sent.push_front(input);
      if (sent.size() > unacknowledged) sent.pop_back();
      ControlFrame frame = owner.frame_of({sent.begin(), sent.end()});
      frame.techniques.rollback = false;
      owner.send(frame);
      both.pass();
      if (dies && i == 45) {
        both.kill();
        both.record_failover();
      }
    }
    Bench& owner = dies ? both.there : both.here;
    EXPECT_EQ(owner.count(metric.inputs_edges_kept), 0U);
    EXPECT_EQ(owner.count(metric.inputs_too_late), 0U);
    return owner.player().state;
  };
  EXPECT_EQ(run(false), run(true));
}

TEST(AStandby, PlaysNothingThatWasSentBeforeAHardReset) {
  Pair both;
  both.here.join();
  both.pass(60);
  PlayerInput input = walking(0);
  input.tick = both.there.core->next_tick() + 3;
  ControlFrame frame = both.here.frame_of({input});
  ++frame.reset_epoch;
  copy_to(both.there, frame);
  both.kill();
  both.record_failover();
  both.pass(10);
  EXPECT_FALSE(both.there.player().inputs.last_applied());
}

// A queue has drained, and the client's lead has shrunk by more than a second before the reset.
TEST(AStandby, PlaysInputsForEarlierTicksThanThoseBeforeAHardReset) {
  for (const bool overtaken : {false, true}) {
    SCOPED_TRACE(overtaken);
    Pair both;
    both.here.join();
    both.pass(60);
    PlayerInput before = walking(0), after = walking(700);
    before.tick = both.there.core->next_tick() + 85;
    after.tick = both.there.core->next_tick() + 3;
    ControlFrame of_former_epoch = both.here.frame_of({before});
    --of_former_epoch.reset_epoch;
    copy_to(both.there, of_former_epoch);
    copy_to(both.there, both.here.frame_of({after}));
    ++of_former_epoch.inputs[0].tick;
    if (overtaken) copy_to(both.there, of_former_epoch);
    both.kill();
    both.record_failover();
    both.pass(10);
    const auto applied = both.there.player().inputs.last_applied();
    ASSERT_TRUE(applied);
    EXPECT_EQ(*applied, after.tick);
  }
}

TEST(AStandby, ReceivesNoMorePlayersThanThereMayBeAndForgetsTheSilent) {
  Settings settings = small_settings();
  settings.players_max = 3;
  Pair both(yard_at_the_border({15, person_m, 0}), yard_at_the_border({25, person_m, 0}), settings);
  both.here.join();
  both.pass(60);
  const ControlFrame frame = both.here.frame_of({walking(0)});
  for (std::uint32_t n = 0; n < 10; ++n) copy_to(both.there, frame, session_of(n));
  EXPECT_EQ(both.there.count(metric.drop_unknown_session), 7U);
  both.pass(130);
  for (std::uint32_t n = 5; n < 8; ++n) copy_to(both.there, frame, session_of(n));
  EXPECT_EQ(both.there.count(metric.drop_unknown_session), 7U);
  const Bytes junk(4);
  const InputRecord copy{session_of(5), {}, stream_of_worker(WorkerSlot{0}), junk};
  both.there.core->on_fabric(both.there.now_fine(), gateway_address, both.there.datagram(copy));
  EXPECT_EQ(both.there.count(metric.drop_malformed), 1U);
}

}  // namespace
}  // namespace perigee::worker
