// Control frames, without a client.
#include "perigee/client/input_sender.hpp"

#include "parts.hpp"
#include "perigee/base/fabric.hpp"

namespace perigee::client {
namespace {

struct AnInputSender : testing::Test, Parts {
  Micros rtt_now_us = rtt_us;

  AnInputSender() { start(); }

  /// Predicts that many ticks, and sends what is due.
  std::optional<ControlFrame> send(int ticks) {
    for (int i = 0; i < ticks; ++i) {
      const PlayerInput input = predict();
      latency.on_sampled(input.tick, now_us);
      inputs.add(input);
    }
    std::array<std::byte, 1200> payload;
    FrameWriter writer(payload);
    inputs.write(writer, {prediction.parent(), prediction.state().position}, now_us);
    FrameReader reader(writer.payload());
    const auto frame = reader.next();
    if (!frame) return std::nullopt;
    EXPECT_EQ(frame->stream, stream_owner);
    ControlFrame control;
    EXPECT_TRUE(read_control(frame->bytes, control));
    return control;
  }
  /// An own section: the newest input that was applied, and the first tick that is not final.
  void hear(std::optional<Tick> applied, Tick final_tick) {
    OwnSection own;
    own.has_echo = applied.has_value();
    if (applied) own.echo = *applied;
    own.final_tick = final_tick;
    inputs.heard(own, now_us);
  }
};

TEST_F(AnInputSender, SendsNothingWithoutANewTick) {
  EXPECT_FALSE(send(0));
  EXPECT_TRUE(send(1));
  EXPECT_FALSE(send(0));
}

TEST_F(AnInputSender, RepeatsInputsUntilTheyAreAcknowledged) {
  const Tick first = inputs.first_tick();
  EXPECT_EQ(send(2)->inputs.size(), 2U);
  EXPECT_EQ(send(1)->inputs.size(), 3U);
  hear(first, first + 1);
  const auto frame = send(1);
  ASSERT_EQ(frame->inputs.size(), 3U);
  EXPECT_EQ(frame->inputs[0].tick, first + 3) << "newest first";
  EXPECT_EQ(frame->inputs[2].tick, first + 1);
  EXPECT_EQ(inputs.inputs_sent(), 4U) << "without repetitions";
}

TEST_F(AnInputSender, SendsFewerPacketsWithFewerInputsWhileAQueueStandsOnThePath) {
  const auto packets_of_a_second = [&] {
    int packets = 0;
    for (int i = 0; i < 60; ++i) {
      pass(tick_us);
      telemetry.on_rtt(rtt_now_us);
      telemetry.report(now_us);
      if (inputs.take_turn(now_us)) ++packets;
    }
    return packets;
  };
  EXPECT_EQ(packets_of_a_second(), 60);
  EXPECT_EQ(send(20)->inputs.size(), 20U) << "all are new";
  EXPECT_EQ(send(1)->inputs.size(), 16U);
  rtt_now_us = rtt_us + 2 * PathQueue::standing_us;
  packets_of_a_second();
  packets_of_a_second();
  EXPECT_NEAR(packets_of_a_second(), 30, 1);
  EXPECT_EQ(send(2)->inputs.size(), 8U);
  EXPECT_EQ(send(12)->inputs.size(), 12U) << "new ones always leave";
  rtt_now_us = rtt_us;
  for (int i = 0; i < 64; ++i) packets_of_a_second();
  EXPECT_EQ(packets_of_a_second(), 60);
}

TEST_F(AnInputSender, SendsAllNewInputsOfAHitchAtOnce) {
  hear(inputs.first_tick() - 1, inputs.first_tick());
  EXPECT_EQ(send(40)->inputs.size(), 40U);
  EXPECT_EQ(send(1)->inputs.size(), 16U);
}

// What the path lost while it carried nothing is sent at once when it carries packets again, and
// until the worker has it.
TEST_F(AnInputSender, AfterAnOutageSendsAllThatTheWorkerLacks) {
  const Tick first = inputs.first_tick();
  send(1);
  hear(first, first + 1);
  for (int i = 0; i < 90; ++i) {
    now_us += tick_us;
    send(1);
  }
  hear(first, first + 1);
  const auto whole = send(1);
  ASSERT_EQ(whole->inputs.size(), 91U);
  EXPECT_EQ(whole->inputs[90].tick, first + 1);
  now_us += 10'000;
  EXPECT_EQ(send(1)->inputs.size(), 16U) << "not in each packet";
  now_us += 100'000;
  hear(first + 92, first + 1);
  EXPECT_EQ(send(1)->inputs.size(), 93U) << "a newer one arrived, and left a gap";
  now_us += 150'000;
  hear(first + 93, first + 94);
  EXPECT_EQ(send(1)->inputs.size(), 1U) << "the gap is filled";
}

TEST_F(AnInputSender, SendsLessOftenWhileNothingIsAcknowledged) {
  const Tick first = inputs.first_tick();
  send(1);
  const auto packets_in_a_second = [&] {
    int packets = 0;
    for (int ms = 0; ms < 1'000; ++ms) packets += inputs.take_turn(now_us += 1'000);
    return packets;
  };
  hear(first, first + 1);
  EXPECT_NEAR(packets_in_a_second(), 100 + 900 / 33, 2) << "after 100 ms with every other tick";
}

TEST_F(AnInputSender, SendsEachInputOnceIfTheTechniquesSaySo) {
  techniques.redundancy = Redundancy::None;
  EXPECT_EQ(send(2)->inputs.size(), 2U);
  EXPECT_EQ(send(1)->inputs.size(), 1U);
}

// Of large inputs a packet has the newest that fit. The others are not counted as sent.
TEST_F(AnInputSender, CountsTheInputsThatFitIntoAPacket) {
  for (int i = 0; i < 40; ++i) {
    PlayerInput input = predict();
    while (!input.samples.full()) input.samples.push_back({.pressed = button_jump});
    inputs.add(input);
  }
  const auto frame = send(0);
  ASSERT_TRUE(frame);
  EXPECT_LT(frame->inputs.size(), 20U);
  EXPECT_EQ(inputs.inputs_sent(), frame->inputs.size());
}

TEST_F(AnInputSender, ClaimsThePredictedPosition) {
  const auto frame = send(3);
  EXPECT_EQ(frame->claimed_parent, prediction.parent());
  EXPECT_EQ(frame->claimed_position, to_float(prediction.state().position));
  EXPECT_EQ(frame->techniques, techniques.shared());
}

// V8: inputs of the old epoch are void
TEST_F(AnInputSender, AfterARestartSendsOnlyNewerInputs) {
  send(3);
  inputs.restart(prediction.next(), {{.reset_epoch = 7}});
  EXPECT_FALSE(send(0));
  const auto frame = send(1);
  EXPECT_EQ(frame->reset_epoch, 7);
  EXPECT_EQ(frame->inputs.size(), 1U);
}

TEST_F(AnInputSender, KeepsTheIntervalOfTheTechniques) {
  techniques.send_every_ms = 20;
  const auto packets_in_a_second = [&] {
    int packets = 0;
    for (int ms = 0; ms < 1'000; ++ms) packets += inputs.take_turn(now_us += 1'000);
    return packets;
  };
  EXPECT_NEAR(packets_in_a_second(), 50, 1);
  techniques.send_every_ms = 0;
  EXPECT_EQ(packets_in_a_second(), 1'000) << "with every frame";
}

}  // namespace
}  // namespace perigee::client
