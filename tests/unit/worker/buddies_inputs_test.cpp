/// No input that was acknowledged dies with a worker, and none is played twice.
#include <gmock/gmock.h>

#include <deque>

#include "pair.hpp"

namespace perigee::worker {
namespace {

// No input that was acknowledged is lost: the same inputs lead to the same place, bit for bit,
// whether the worker dies or not.
TEST(ABuddy, LosesNoInputThatItsOwnerHad) {
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
      input.tick = owner.core->next_tick() + 3;  // three ticks ahead: what is under way is there
      owner.send(input);
      both.pass();
      if (dies && i == 45) {
        both.kill();
        both.bequeath();
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

/// Says in each packet what is not acknowledged, as clients do.
struct Repeater {
  std::deque<PlayerInput> said;  ///< the newest first
  std::optional<Tick> acknowledged;

  void say(Bench& worker, PlayerInput input) {
    const auto news = acknowledged_by(worker);
    if (news && (!acknowledged || before(*acknowledged, *news))) acknowledged = news;
    input.tick = worker.core->next_tick() + 3;
    said.push_front(input);
    std::vector<PlayerInput> packet;
    for (const PlayerInput& each : said) {
      const bool known = acknowledged && !before(*acknowledged, each.tick);
      if (known || packet.size() == ControlFrame::inputs_max) break;
      packet.push_back(each);
    }
    worker.send(worker.frame_of(packet));
  }
};

// Whatever of its owner's last words is lost: what the client does not say again, its buddy has.
TEST(ABuddy, HasEveryInputThatItsOwnerAcknowledged) {
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
      client.say(both.here_lives ? both.here : both.there, input);
      both.pass();
      if (dies && i == dies_at) {
        both.kill();
        both.bequeath();
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

/// How many of its newest ticks the worker has not acknowledged, after so many with an input each.
int unacknowledged_after(int ticks, Pair& both) {
  for (int i = 0; i < ticks; ++i) {
    both.send_here(walking(0));
    both.pass();
  }
  return ticks_between(*acknowledged_by(both.here), both.here.core->next_tick());
}

// Whoever hears neither of its buddy nor of the directory may have been taken for dead, and its
// buddy may be going on with what it had.
TEST(ABuddy, ThatIsLostHoldsBackAcknowledgementsUntilTheMapSaysThatNobodyGoesOn) {
  Pair both;
  both.here.join();
  both.pass(60);
  EXPECT_LE(unacknowledged_after(30, both), 3);
  both.records = false;  // the directory is away: nobody says that there is no buddy
  both.fate = lost_on_the_way_there;
  EXPECT_GT(unacknowledged_after(600, both), 590) << "what nobody else has is not acknowledged";
  both.records = true;
  EXPECT_LE(unacknowledged_after(30, both), 3);
}

// The directory may have heard that it has everything, though no map has said so yet.
TEST(ABuddy, ThatIsLostBeforeTheMapCountsOnItHoldsThemBackAsWell) {
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

/// As its gateway sends it to the first one's buddy.
void copy_to(Bench& buddy, const ControlFrame& frame, SessionId session = session_of(0)) {
  Bytes bytes(512);
  const auto written = write_control(frame, bytes);
  const InputRecord copy{session, buddy.now_fine(), stream_of_worker(0), written};
  buddy.core->on_fabric(buddy.now_fine(), gateway_address, buddy.datagram(copy));
}

// Each input is said once. For however long nobody knew that its owner was dead: it goes on as if
// that one had lived.
TEST(ABuddy, PlaysWhatItsOwnerWasSentAndHadNotSaid) {
  constexpr int dies_at = 45;
  const auto run = [](int silent, bool dies) {
    Pair both;
    both.here.join();
    both.pass(60);
    EXPECT_TRUE(both.in_sync(0));
    const std::uint8_t reset_epoch = both.here.player().reset_epoch;
    for (int i = 0; i < 120; ++i) {
      const bool inherited = dies && i > dies_at + silent;
      PlayerInput input = walking(static_cast<std::uint16_t>(i * 700));
      if (i % 5 == 0) input.samples.push_back({.pressed = button_jump});
      input.tick = both.there.core->next_tick() + 3;
      ControlFrame frame = (both.here_lives ? both.here : both.there).frame_of({input});
      frame.reset_epoch = reset_epoch;
      if (both.here_lives) both.here.send(frame);
      inherited ? both.there.send(frame) : copy_to(both.there, frame);
      both.pass();
      if (dies && i == dies_at) both.kill();
      if (dies && i == dies_at + silent) both.bequeath();
    }
    Bench& owner = dies ? both.there : both.here;
    EXPECT_EQ(owner.count(Count::InputsTooLate), 0U);
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

// Where nothing is rolled back, a press that comes late happens all the same: but not one that the
// dead one had played, and that its client says again because nobody has acknowledged it yet.
TEST(ABuddy, PlaysNoPressASecondTime) {
  constexpr std::size_t unacknowledged = 14;
  const auto run = [](bool dies) {
    Pair both;
    both.here.join();
    both.pass(60);
    std::deque<PlayerInput> said;
    for (int i = 0; i < 90; ++i) {
      Bench& owner = both.here_lives ? both.here : both.there;
      PlayerInput input = walking(static_cast<std::uint16_t>(i * 700));
      if (i % 4 == 0) input.samples.push_back({.pressed = button_jump});
      input.tick = owner.core->next_tick() + 1;
      said.push_front(input);
      if (said.size() > unacknowledged) said.pop_back();
      ControlFrame frame = owner.frame_of({said.begin(), said.end()});
      frame.techniques.rollback = false;
      owner.send(frame);
      both.pass();
      if (dies && i == 45) {
        both.kill();
        both.bequeath();
      }
    }
    Bench& owner = dies ? both.there : both.here;
    EXPECT_EQ(owner.count(Count::InputsEdgesKept), 0U);
    EXPECT_EQ(owner.count(Count::InputsTooLate), 0U);
    return owner.player().state;
  };
  EXPECT_EQ(run(false), run(true));
}

TEST(ABuddy, PlaysNothingThatWasSentBeforeAHardReset) {
  Pair both;
  both.here.join();
  both.pass(60);
  PlayerInput input = walking(0);
  input.tick = both.there.core->next_tick() + 3;
  ControlFrame frame = both.here.frame_of({input});
  ++frame.reset_epoch;
  copy_to(both.there, frame);
  both.kill();
  both.bequeath();
  both.pass(10);
  EXPECT_FALSE(both.there.player().inputs.last_applied());
}

TEST(ABuddy, HearsNoMorePlayersThanThereMayBeAndForgetsTheSilent) {
  Settings settings;
  settings.players_max = 3;
  Pair both(yard_at_the_border({15, person_m, 0}), yard_at_the_border({25, person_m, 0}), settings);
  both.here.join();
  both.pass(60);
  const ControlFrame frame = both.here.frame_of({walking(0)});
  for (std::uint32_t n = 0; n < 10; ++n) copy_to(both.there, frame, session_of(n));
  EXPECT_EQ(both.there.count(Count::DropUnknownSession), 7U);
  both.pass(130);
  for (std::uint32_t n = 5; n < 8; ++n) copy_to(both.there, frame, session_of(n));
  EXPECT_EQ(both.there.count(Count::DropUnknownSession), 7U);
  const Bytes junk(4);
  const InputRecord copy{session_of(5), {}, stream_of_worker(0), junk};
  both.there.core->on_fabric(both.there.now_fine(), gateway_address, both.there.datagram(copy));
  EXPECT_EQ(both.there.count(Count::DropMalformed), 1U);
}

}  // namespace
}  // namespace perigee::worker
