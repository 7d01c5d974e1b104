// Input fields of a game's own on the worker: guesses for missing inputs, and invalid values.
#include <gmock/gmock.h>

#include "fixture.hpp"

namespace perigee::worker {
namespace {

using testing::ElementsAre;

struct GunControls {
  std::uint8_t trigger = 0;
  std::uint8_t slot = 1;
  std::uint8_t emote = 0;
  static void fields(auto&& field, auto& controls) {
    field(controls.trigger, "trigger");
    field(controls.slot, "slot", {.low = 1, .high = 5, .missing = WhenMissing::Kept});
    field(controls.emote, "emote", {.high = 6, .missing = WhenMissing::Momentary});
  }
};

const InputLayout gun_layout = input_layout_of<GunControls>();

struct AGun : testing::Test {
  test::YardMischief mischief;
  std::vector<GunControls> stepped;
  std::unique_ptr<Bench> bench;

  AGun() {
    mischief.step = [this](world::ActorContext& context) {
      stepped.push_back(context.own_input<GunControls>());
    };
    bench =
        std::make_unique<Bench>(test::YardOptions{.mischief = &mischief, .inputs = &gun_layout});
    bench->join();
    bench->stand(10);
    stepped.clear();
  }
  Bytes frame(const GunControls& controls) const {
    PlayerInput input{.tick = bench->core->next_tick()};
    input.own.set(controls);
    Bytes bytes(512);
    const auto written = write_control(bench->frame_of({input}), bytes, gun_layout);
    return {written.begin(), written.end()};
  }
  void send(const Bytes& frame) {
    const FineTick now = bench->now_fine();
    bench->core->on_fabric(now, gateway_address,
                           bench->datagram(InputRecord{session_of(0), now, stream_owner, frame}));
  }
};

TEST_F(AGun, IsGuessedAsItsFieldsDeclare) {
  send(frame({.trigger = 90, .slot = 4, .emote = 2}));
  bench->tick(12);
  ASSERT_EQ(stepped.size(), 12U);
  std::vector<int> triggers, slots, emotes;
  for (const GunControls& each : stepped) {
    triggers.push_back(each.trigger);
    slots.push_back(each.slot);
    emotes.push_back(each.emote);
  }
  EXPECT_THAT(triggers, ElementsAre(90, 90, 90, 90, 90, 90, 90, 0, 0, 0, 0, 0));
  EXPECT_EQ(slots, std::vector<int>(12, 4));
  EXPECT_THAT(emotes, ElementsAre(2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0));
}

// The player's session starts over, and its weapon stays in its hand.
TEST_F(AGun, IsStillInTheHandAfterAReset) {
  send(frame({.trigger = 90, .slot = 4}));
  bench->tick(20);
  bench->join_again();
  stepped.clear();
  bench->tick(400);
  ASSERT_EQ(stepped.size(), 400U);
  for (const GunControls& each : stepped) {
    ASSERT_EQ(each.slot, 4);
    ASSERT_EQ(each.trigger, 0);
  }
}

// Bits of a manipulated client: no frame with them reaches the game.
TEST_F(AGun, OutOfItsRangeIsCountedAndNeverPlayed) {
  const std::uint64_t malformed = bench->count(metric.drop_malformed);
  send(frame({.slot = 6}));  // a frame that the client library does not write
  EXPECT_EQ(bench->count(metric.drop_malformed), malformed + 1);
  bench->tick();
  EXPECT_EQ(stepped.back().slot, 1);
  send(frame({.slot = 5}));
  bench->tick();
  EXPECT_EQ(stepped.back().slot, 5);
  EXPECT_EQ(bench->count(metric.drop_malformed), malformed + 1);
}

}  // namespace
}  // namespace perigee::worker
