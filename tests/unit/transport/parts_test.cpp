#include <unordered_map>
#include <unordered_set>

#include "fixture.hpp"
#include "perigee/transport/fixed_table.hpp"
#include "perigee/transport/nonce_check.hpp"
#include "perigee/transport/session_numbers.hpp"
#include "perigee/transport/token_bucket.hpp"
#include "perigee/transport/user_data.hpp"

namespace perigee::transport {
namespace {

using Verdict = ReplayWindow::Verdict;

TEST(AReplayWindow, TakesEachSequenceOnce) {
  ReplayWindow window;
  EXPECT_EQ(window.judge(0), Verdict::Fresh);
  window.mark(0);
  EXPECT_EQ(window.judge(0), Verdict::Seen);
  window.mark(5);
  EXPECT_EQ(window.judge(3), Verdict::Fresh);
  window.mark(3);
  EXPECT_EQ(window.judge(3), Verdict::Seen);
  EXPECT_EQ(window.judge(5), Verdict::Seen);
}

TEST(AReplayWindow, RefusesWhatIs256OrMoreBehind) {
  ReplayWindow window;
  window.mark(1000);
  EXPECT_EQ(window.judge(1000 - 255), Verdict::Fresh);
  EXPECT_EQ(window.judge(1000 - 256), Verdict::TooOld);
  EXPECT_EQ(window.judge(1000 - 257), Verdict::TooOld);
}

TEST(AReplayWindow, HoldsBeforeTheFirst256) {
  ReplayWindow window;
  window.mark(255);
  EXPECT_EQ(window.judge(0), Verdict::Fresh);
  window.mark(256);
  EXPECT_EQ(window.judge(0), Verdict::TooOld);
  EXPECT_EQ(window.judge(1), Verdict::Fresh);
}

TEST(AReplayWindow, HoldsNearTheEndOfTheNumbers) {
  constexpr std::uint64_t last = ~0ULL;
  ReplayWindow window;
  EXPECT_EQ(window.judge(last), Verdict::Fresh);
  window.mark(last);
  EXPECT_EQ(window.judge(last), Verdict::Seen);
  EXPECT_EQ(window.judge(last - 255), Verdict::Fresh);
  EXPECT_EQ(window.judge(last - 256), Verdict::TooOld);
  EXPECT_EQ(window.judge(0), Verdict::TooOld);
  window.mark(last - 1);
  EXPECT_EQ(window.judge(last - 1), Verdict::Seen);
}

TEST(AFixedTable, AgreesWithTheStandardMapUnderRandomUse) {
  const std::uint64_t seed = 42;
  SCOPED_TRACE("seed " + std::to_string(seed));
  Random random(seed);
  FixedTable<std::uint64_t> table(64, random.next());
  std::unordered_map<std::uint64_t, std::uint32_t> model;
  for (int step = 0; step < 20'000; ++step) {
    const std::uint64_t key = random.below(100);
    if (model.contains(key)) {
      ASSERT_NE(table.find(key), nullptr);
      ASSERT_EQ(*table.find(key), model[key]);
      ASSERT_TRUE(table.erase(key));
      model.erase(key);
    } else if (model.size() < 64) {
      ASSERT_EQ(table.find(key), nullptr);
      const auto value = static_cast<std::uint32_t>(random.next());
      table.insert(key, value);
      model[key] = value;
    }
    ASSERT_EQ(table.size(), model.size());
  }
}

TEST(ATokenHistory, NeverEvictsUnexpiredTokens) {
  TokenHistory history(2, 0);
  const auto tag = [](std::uint8_t n) { return Tag{std::byte{n}}; };
  ASSERT_TRUE(history.remember(tag(1), 100));
  history.remember(tag(2), 200)->consumed = true;
  EXPECT_FALSE(history.remember(tag(3), 300));
  history.forget_expired(99);
  EXPECT_FALSE(history.remember(tag(3), 300));
  history.forget_expired(100);
  EXPECT_TRUE(history.remember(tag(3), 300));
  EXPECT_TRUE(history.find(tag(2))->consumed);
}

TEST(ATokenBucket, AllowsTheBurstAndThenTheRate) {
  TokenBucket bucket(240, 60, 0);
  int allowed = 0;
  for (int i = 0; i < 100; ++i) allowed += bucket.take(0);
  EXPECT_EQ(allowed, 60);
  for (Micros now = 0; now < 10'000'000; now += 1'000) allowed += bucket.take(now);
  EXPECT_NEAR(allowed, 60 + 2400, 1);
  EXPECT_TRUE(bucket.take(20'000'000));
}

TEST(SessionNumbers, NeverRepeatAndKeepTheirRange) {
  SessionNumbers numbers(random_sip_key(seeded(3)));
  std::unordered_set<std::uint32_t> seen;
  for (int i = 0; i < 100'000; ++i) {
    const std::uint32_t number = numbers.next();
    ASSERT_GE(number, session_number_min);
    ASSERT_LT(number, 1U << 31);
    ASSERT_TRUE(seen.insert(number).second);
  }
}

TEST(SessionNumbers, LookRandom) {
  SessionNumbers numbers(random_sip_key(seeded(3)));
  std::array<int, 16> buckets{};
  for (int i = 0; i < 16'000; ++i) ++buckets[(numbers.next() - session_number_min) >> 26];
  for (const int count : buckets) EXPECT_NEAR(count, 1000, 160);  // 5 sigma
}

TEST(SessionNumbers, StandOnTopOfASequenceOrNot) {
  EXPECT_EQ(session_number_of(0), 0u);
  EXPECT_EQ(session_number_of(0x00ff'ffff'ffff'ffff), 0u);
  EXPECT_EQ(session_number_of(0x0100'0000'0000'0007), session_number_min);
  EXPECT_EQ(session_number_of(0x7fff'ffff'0000'0000), 0x7fff'ffffu);
  EXPECT_EQ(session_number_of(0x8000'0000'0000'0000), 0u);  // the server's own number
}

TEST(ANonceCheck, TellsOurNoncesFromOthers) {
  const Key key = random_key(seeded(1));
  const SipKey sip = nonce_key(key);
  TokenSealing sealing{7, 1'800'000'000, {}};
  seeded(2)(sealing.nonce);
  EXPECT_FALSE(nonce_fits(sealing, sip));
  stamp_nonce(sealing, sip);
  EXPECT_TRUE(nonce_fits(sealing, sip));
  EXPECT_FALSE(nonce_fits(sealing, nonce_key(random_key(seeded(3)))));
  for (std::size_t bit = 0; bit < 24 * 8; ++bit) {
    TokenSealing bad = sealing;
    bad.nonce[bit / 8] ^= static_cast<std::byte>(1 << bit % 8);
    ASSERT_FALSE(nonce_fits(bad, sip)) << bit;
  }
  TokenSealing later = sealing;
  later.expire_time_s += 1;
  EXPECT_FALSE(nonce_fits(later, sip));
  TokenSealing other = sealing;
  other.protocol_id += 1;
  EXPECT_FALSE(nonce_fits(other, sip));
}

TEST(UserDataOfAToken, HasTheBytesOfTheWireDocument) {
  PlayerPass pass{.wire_version = 1, .schema_hash = 0x8877665544332211, .home_region = RegionId{2}};
  pass.set_name("Ada");
  pass.issue = 5;
  pass.player_id = 0x0102030405060708;
  pass.set_claims(R"({"a":1})");
  UserData expected{};
  const std::array<std::uint8_t, 46> start{
      0x50, 0x47, 0x55, 0x44, 1,    0,    0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88, 2, 0,
      0,    0,    3,    0x41, 0x64, 0x61, 5,    0,    0,    0,    0,    0,    0,    0,    8, 7,
      6,    5,    4,    3,    2,    1,    7,    0x7b, 0x22, 0x61, 0x22, 0x3a, 0x31, 0x7d};
  for (std::size_t i = 0; i < start.size(); ++i) expected[i] = std::byte{start[i]};
  EXPECT_EQ(write_user_data(pass), expected);
}

TEST(UserDataOfAToken, RoundTripsAndRefusesStrangers) {
  PlayerPass pass{
      .wire_version = 3, .schema_hash = 0xabcdef0123456789, .home_region = RegionId{17}};
  pass.set_name("Ada of the carousel, and a very long title");
  pass.issue = 0x123456789abcdef0;
  pass.player_id = ~std::uint64_t{1};
  pass.set_claims(std::string(player_claims_bytes_max, 'x'));
  pass.alone = true;
  const UserData bytes = write_user_data(pass);
  const auto read = read_user_data(bytes);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->wire_version, 3);
  EXPECT_EQ(read->schema_hash, 0xabcdef0123456789u);
  EXPECT_EQ(read->home_region, RegionId{17});
  EXPECT_EQ(read->name(), "Ada of the carousel, and a very ");
  EXPECT_EQ(read->issue, 0x123456789abcdef0u);
  EXPECT_EQ(read->player_id, ~std::uint64_t{1});
  EXPECT_EQ(read->claims(), std::string(player_claims_bytes_max, 'x'));
  EXPECT_TRUE(read->alone);
  EXPECT_EQ(issue_of(bytes), 0x123456789abcdef0u);
  UserData bad = bytes;
  bad[0] ^= std::byte{1};
  EXPECT_FALSE(read_user_data(bad));
  EXPECT_EQ(issue_of(bad), 0u);
  bad = bytes;
  bad[18] = std::byte{33};  // length of the name
  EXPECT_FALSE(read_user_data(bad));
  bad = bytes;
  bad[18 + 1 + 32 + 8 + 8] = std::byte{129};  // length of the claims
  EXPECT_FALSE(read_user_data(bad));
}

TEST(UserDataOfAToken, OfAnOlderIssuerHasNoIdAndNoClaims) {
  PlayerPass pass{.wire_version = 1, .schema_hash = 2, .home_region = RegionId{3}};
  pass.set_name("Ada");
  pass.issue = 5;
  UserData bytes = write_user_data(pass);
  std::fill(bytes.begin() + 18 + 1 + 3 + 8, bytes.end(), std::byte{0});
  const auto read = read_user_data(bytes);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->issue, 5u);
  EXPECT_EQ(read->player_id, 0u);
  EXPECT_EQ(read->claims(), "");
}

}  // namespace
}  // namespace perigee::transport
