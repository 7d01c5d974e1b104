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
  EXPECT_EQ(of(2).hold_us, 1'000U);
  EXPECT_EQ(of(2).client_index, 2);
}

TEST_F(AnEcho, SaysThatNothingWasReceivedInThisSession) {
  EXPECT_EQ(of(1).hold_us, EchoFrame::nothing_received);
  echoes.on_payload(1, 7, 9'000);
  echoes.start(1);
  EXPECT_EQ(of(1).hold_us, EchoFrame::nothing_received);
  echoes.on_payload(1, 0, 9'000);
  EXPECT_EQ(of(1).hold_us, 1'000U) << "sequence 0 is one";
}

TEST_F(AnEcho, IsNeverHeldForLessThanNothing) {
  echoes.on_payload(3, 1, now_us + 50);
  EXPECT_EQ(of(3).hold_us, 0U);
}

}  // namespace
}  // namespace perigee::gateway
