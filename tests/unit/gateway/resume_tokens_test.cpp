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
  std::uint64_t now_s() const {
    return unix_s + clock_ahead_s + static_cast<std::uint64_t>(now_us / 1'000'000);
  }
  void pass(Micros us) {
    now_us += us;
    tokens.advance(now_us, now_s());
  }
  transport::ConnectToken token_until(std::uint64_t expires_s) {
    transport::ConnectTokenSpec spec;
    spec.create_time_s = expires_s - 300;
    spec.expire_time_s = expires_s;
    spec.client_id = 1;
    spec.public_addresses.push_back(public_address);
    spec.server_addresses.push_back(public_address);
    return transport::make_connect_token(spec, settings.private_key, random).value();
  }
  std::uint64_t clock_ahead_s = 0;
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
  tokens.advance(now_us, now_s());
  EXPECT_THAT(out.resumes_wanted, testing::ElementsAre(2));
  pass(ResumeTokens::retry_us);
  EXPECT_THAT(out.resumes_wanted, testing::ElementsAre(2, 2)) << "there was no answer";
}

TEST_F(TokensToResume, AreSentWithoutTrailingZerosUntilAcknowledged) {
  const std::uint32_t slot = play(1);
  tokens.advance(now_us, now_s());
  const transport::ConnectToken token = token_until(now_s() + 300);
  tokens.on_token(now_us, 1, token);
  pass(ResumeTokens::repeat_us);
  const auto received = frames(slot);
  ASSERT_EQ(received.size(), 4U) << "two parts, twice";
  Bytes whole;
  for (const std::size_t part : {2U, 3U}) {
    const auto frame = read_resume(received[part].bytes);
    ASSERT_TRUE(frame);
    whole.insert(whole.end(), frame->bytes.begin(), frame->bytes.end());
  }
  EXPECT_LT(whole.size(), token.size());
  whole.resize(token.size());
  EXPECT_EQ(whole, bytes_of(token));
  tokens.on_acknowledged(slot, 1);
  pass(ResumeTokens::repeat_us);
  EXPECT_TRUE(frames(slot).empty());
}

TEST_F(TokensToResume, AreRenewedAfterAChangeOfTheOtherGateways) {
  const std::uint32_t slot = play(1);
  EXPECT_TRUE(tokens.all_current()) << "there is no other gateway";
  tokens.advance(now_us, now_s());
  tokens.on_token(now_us, 1, token_until(now_s() + 300));
  tokens.on_acknowledged(slot, 1);
  add_gateway(GatewaySlot{4});
  EXPECT_FALSE(tokens.all_current());
  pass(ResumeTokens::settle_us + ResumeTokens::change_spread_us);
  EXPECT_EQ(out.resumes_wanted.size(), 2U);
  tokens.on_token(now_us, 1, token_until(now_s() + 300));
  EXPECT_FALSE(tokens.all_current());
  tokens.on_acknowledged(slot, 2);
  EXPECT_TRUE(tokens.all_current());
}

TEST_F(TokensToResume, AreRefusedIfNoGatewayWouldAcceptThem) {
  const std::uint32_t slot = play(1);
  tokens.advance(now_us, now_s());
  for (const bool too_long : {false, true}) {
    out.resumes_wanted.clear();
    const std::uint64_t wrong_s = now_s() + (too_long ? transport::token_life_s_max + 1 : 139);
    tokens.on_token(now_us, 1, token_until(wrong_s));
    EXPECT_TRUE(frames(slot).empty()) << "it keeps the one that it has";
    pass(ResumeTokens::retry_us);
    EXPECT_TRUE(out.resumes_wanted.empty());
    pass(ResumeTokens::refused_retry_us);
    EXPECT_EQ(out.resumes_wanted.size(), 1U);
  }
  EXPECT_EQ(counts[metric.resume_tokens_refused], 2U);
  tokens.on_token(now_us, 1, token_until(now_s() + transport::token_life_s_max));
  EXPECT_EQ(counts[metric.resume_tokens_refused], 2U);
  EXPECT_EQ(counts[metric.resume_tokens_sent], 1U);
}

TEST_F(TokensToResume, AreRenewedSoonAfterAStepOfTheClock) {
  const std::uint32_t slot = play(1);
  tokens.advance(now_us, now_s());
  tokens.on_token(now_us, 1, token_until(now_s() + 300));
  tokens.on_acknowledged(slot, 1);
  for (const std::uint64_t ahead_s : {3'600U, 0U}) {
    out.resumes_wanted.clear();
    clock_ahead_s = ahead_s;
    pass(1'000);
    pass(ResumeTokens::change_spread_us);
    EXPECT_EQ(out.resumes_wanted.size(), 1U) << ahead_s;
    tokens.on_token(now_us, 1, token_until(now_s() + 300));
    EXPECT_EQ(counts[metric.resume_tokens_refused], 0U);
  }
  out.resumes_wanted.clear();
  clock_ahead_s = static_cast<std::uint64_t>(ResumeTokens::clock_step_s_min - 2);
  pass(1'000);
  pass(ResumeTokens::change_spread_us);
  EXPECT_TRUE(out.resumes_wanted.empty());
}

}  // namespace
}  // namespace perigee::gateway
