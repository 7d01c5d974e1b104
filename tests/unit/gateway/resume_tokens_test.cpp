#include "without_core.hpp"

namespace perigee::gateway {
namespace {

struct TokensToResume : WithoutCore {
  ResumeTokens tokens{{.self = GatewaySlot{3},
                       .map = map,
                       .sessions = sessions,
                       .payloads = payloads,
                       .outputs = out,
                       .counts = counts}};
  void add_gateway(GatewaySlot slot) {
    map.gateways.push_back(
        {.slot = slot,
         .public_udp = Address::v4(203, 0, 113, static_cast<std::uint8_t>(slot.number), 40000),
         .alive = true});
    tokens.on_map(now_us);
  }
};

TEST_F(TokensToResume, AreRequestedForPlayersOnly) {
  connect(1);
  play(2);
  tokens.advance(now_us);
  EXPECT_THAT(out.resumes_wanted, testing::ElementsAre(2));
  tokens.advance(now_us += ResumeTokens::retry_us);
  EXPECT_THAT(out.resumes_wanted, testing::ElementsAre(2, 2)) << "there was no answer";
}

TEST_F(TokensToResume, AreSentWithoutTrailingZerosUntilAcknowledged) {
  const std::uint32_t slot = play(1);
  tokens.advance(now_us);
  Bytes token = filled(100, 5);
  token.resize(transport::connect_token_bytes);
  tokens.on_token(now_us, 1, token);
  tokens.advance(now_us += ResumeTokens::repeat_us);
  const auto received = frames(slot);
  ASSERT_EQ(received.size(), 2U);
  const auto frame = read_resume(received[1].bytes);
  ASSERT_TRUE(frame);
  EXPECT_EQ(bytes_of(frame->bytes), filled(100, 5));
  tokens.on_acknowledged(slot, frame->number);
  tokens.advance(now_us += ResumeTokens::repeat_us);
  EXPECT_TRUE(frames(slot).empty());
}

TEST_F(TokensToResume, AreRenewedAfterAChangeOfTheOtherGateways) {
  const std::uint32_t slot = play(1);
  EXPECT_TRUE(tokens.all_current()) << "there is no other gateway";
  tokens.advance(now_us);
  tokens.on_token(now_us, 1, filled(100, 5));
  tokens.on_acknowledged(slot, 1);
  add_gateway(GatewaySlot{4});
  EXPECT_FALSE(tokens.all_current());
  now_us += ResumeTokens::settle_us + ResumeTokens::change_spread_us;
  tokens.advance(now_us);
  EXPECT_EQ(out.resumes_wanted.size(), 2U);
  tokens.on_token(now_us, 1, filled(100, 6));
  EXPECT_FALSE(tokens.all_current());
  tokens.on_acknowledged(slot, 2);
  EXPECT_TRUE(tokens.all_current());
}

}  // namespace
}  // namespace perigee::gateway
