// The size of replication messages, and the amount sent per tick.
#include <gtest/gtest.h>

#include "pair.hpp"

namespace perigee::worker {
namespace {

/// The largest message from the first worker to its standby, and the size of one player in it.
constexpr std::size_t small_frame_bytes = 1000, small_player_bytes = 800;
/// So many are sent at once.
constexpr std::size_t frames_at_once = 16;

struct Words {
  std::size_t largest_bytes = 0, of_tick_bytes = 0;
  void note(const Border::Word& word) {
    const bool says = word.bytes.front() == replica_part || word.bytes.front() == replica;
    if (word.to != WorkerSlot{1} || !says) return;
    largest_bytes = std::max(largest_bytes, word.bytes.size());
    of_tick_bytes += word.bytes.size();
  }
};

// The state of groups that arrived and left in one tick may be too large for one message.
TEST(AStandby, ReceivesInManyFramesWhatNoneCarries) {
  Settings settings = small_settings();
  settings.replica_frame_bytes = small_frame_bytes;
  Pair both(yard_at_the_border({15, person_m, 0}), yard_at_the_border({60, person_m, 0}), settings);
  Words words;
  both.fate = [&](const Border::Word& word) {
    words.note(word);
    return std::optional(0);
  };
  both.pass(60);
  for (std::uint32_t n = 0; n < 2; ++n) both.there.join(n, 1);
  both.pass(30);
  ASSERT_TRUE(both.in_sync(0));
  std::size_t most_of_a_tick = 0;
  for (int i = 0; i < 900 && both.here.count(metric.groups_in) < 2; ++i) {
    for (std::uint32_t n = 0; n < 2; ++n) both.play(n, walking(to_minus_x));
    words.of_tick_bytes = 0;
    both.pass();
    most_of_a_tick = std::max(most_of_a_tick, words.of_tick_bytes);
  }
  ASSERT_EQ(both.here.count(metric.groups_in), 2U);
  EXPECT_GT(most_of_a_tick, small_frame_bytes + small_player_bytes) << "more than a frame carries";
  EXPECT_LE(words.largest_bytes, small_frame_bytes + small_player_bytes);
  both.pass(20);
  EXPECT_TRUE(both.in_sync(0));
  EXPECT_EQ(both.there.count(metric.drop_malformed), 0U);
  both.kill();
  both.record_failover();
  for (std::uint32_t n = 0; n < 2; ++n) EXPECT_NE(both.there.core->player_of(100 + n), nullptr);
}

// Logs and groups in doubt are spread over several ticks: otherwise the link would be lost, and
// replication start over, each time.
TEST(AStandby, IsFilledBitByBit) {
  constexpr std::uint32_t people = 12;
  Settings settings = small_settings();
  settings.replica_frame_bytes = small_frame_bytes;
  Pair both(lanes_at_the_border(), yard_at_the_border({25, person_m, 0}), settings);
  both.pass(60);
  for (std::uint32_t n = 0; n < people; ++n) both.here.join(n);
  bool cut = false;
  Words words;
  both.fate = [&](const Border::Word& word) -> std::optional<int> {
    words.note(word);
    if (cut && word.bytes.front() != std::byte{0}) return std::nullopt;
    const bool final =
        word.to == WorkerSlot{1} && word.bytes.front() == std::byte{0} && word.bytes.size() > 200;
    return final ? std::nullopt : std::optional(0);
  };
  both.pass(30);
  for (int i = 0; i < 900 && both.here.count(metric.groups_out) < people; ++i) {
    for (std::uint32_t n = 0; n < people; ++n) {
      if (both.here.core->player_of(100 + n) != nullptr) both.send_here(walking(to_plus_x), n);
    }
    both.pass();
  }
  ASSERT_EQ(both.here.count(metric.groups_out), people);
  std::size_t all = 0, most = 0;
  const auto pass = [&](int ticks) {
    for (int i = 0; i < ticks; ++i) {
      words.of_tick_bytes = 0;
      both.pass();
      all += words.of_tick_bytes;
      most = std::max(most, words.of_tick_bytes);
    }
  };
  cut = true;
  pass(63);
  EXPECT_FALSE(both.in_sync(0)) << "it is given up, and filled anew";
  cut = false;
  all = 0;
  pass(300);
  EXPECT_TRUE(both.in_sync(0));
  EXPECT_GT(all, 60 * small_frame_bytes) << "for longer than a silent standby is waited for";
  EXPECT_LE(most, (frames_at_once + 2) * small_frame_bytes);
}

}  // namespace
}  // namespace perigee::worker
