#include <gtest/gtest.h>

#include <array>

#include "perigee/base/fabric.hpp"
#include "perigee/base/gateway_frame.hpp"
#include "perigee/gateway/echoes.hpp"

namespace perigee::gateway {
namespace {

struct AnEcho : testing::Test {
  EchoFrame of(std::uint32_t slot) const {
    std::array<std::byte, 64> buffer;
    FrameWriter writer(buffer);
    echoes.add(now_us, slot, writer);
    FrameReader reader(writer.payload());
    const auto frame = reader.next();
    EXPECT_EQ(frame->stream, stream_gateway);
    return read_echo(frame->bytes).value();
  }
  Micros now_us = 10'000;
  Echoes echoes{4};
};

TEST_F(AnEcho, NamesTheNewestPayloadAndItsHold) {
  echoes.on_payload(2, 7, 9'000);
  echoes.on_payload(2, 6, 9'500);  // overtaken by the one before
  EXPECT_EQ(of(2).newest_sequence, 7U);
  EXPECT_EQ(of(2).hold_steps, 1'000U / EchoFrame::hold_step_us);
}

TEST_F(AnEcho, SaysThatNothingWasReceivedInThisSession) {
  EXPECT_EQ(of(1).hold_steps, EchoFrame::no_hold);
  echoes.on_payload(1, 7, 9'000);
  echoes.start(1);
  EXPECT_EQ(of(1).hold_steps, EchoFrame::no_hold);
  echoes.on_payload(1, 0, 9'000);
  EXPECT_EQ(of(1).hold_steps, 1'000U / EchoFrame::hold_step_us) << "sequence 0 is one";
}

TEST_F(AnEcho, IsNeverHeldForLessThanNothing) {
  echoes.on_payload(3, 1, now_us + 50);
  EXPECT_EQ(of(3).hold_steps, 0U);
}

TEST_F(AnEcho, SaysNothingOfAHoldThatItCannotTell) {
  constexpr Micros longest_us = (EchoFrame::no_hold - 1) * EchoFrame::hold_step_us;
  echoes.on_payload(3, 70'000, now_us);
  now_us += longest_us + EchoFrame::hold_step_us - 1;
  EXPECT_EQ(of(3).hold_steps, EchoFrame::no_hold - 1);
  EXPECT_EQ(of(3).newest_sequence, 70'000U - 65'536U);
  now_us += 1;
  EXPECT_EQ(of(3).hold_steps, EchoFrame::no_hold);
  now_us += 3'600'000'000;
  EXPECT_EQ(of(3).hold_steps, EchoFrame::no_hold);
}

}  // namespace
}  // namespace perigee::gateway
