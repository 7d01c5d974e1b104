// Cues of one observer: their order, their copies, and their budget.
#include "perigee/replication/cue_queue.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "sky.hpp"

namespace perigee::replication {
namespace {

constexpr std::uint32_t budget_bytes_per_s = 2048;

/// A queue with a block in every second tick.
class ACueQueue : public testing::Test {
 protected:
  struct Cue {
    Tick at;
    CueEvent cue;
  };
  /// Blocks of the next ticks. `arrives`: the client acknowledges that tick's block, ten ticks
  /// later.
  template <class Arrives>
  void run(int ticks, Arrives arrives) {
    for (int i = 0; i < ticks; ++i, ++now) {
      if (now.count % 2 != 0) continue;
      std::array<std::byte, 600> out;
      BlockWriter writer(std::span<std::byte>(out).first(block_bytes), {.tick = now});
      bytes += queue.write({now, sent, budget_bytes_per_s, narrow}, writer, counts);
      sent.note_block(now);
      Received received;
      ASSERT_TRUE(read_block(writer.bytes(), received));
      for (const auto& one : received.cues) got.push_back({now, one.cue});
      constexpr std::int32_t back_ticks = 10;
      const Tick then = now - back_ticks;
      if (before(then, began) || !arrives(then)) continue;
      sent.acknowledge(then, {1});
    }
  }
  void run(int ticks) {
    run(ticks, [](Tick) { return true; });
  }
  void add(Handle entity, float faintness = 0.5F) {
    queue.add({entity, now, 1}, faintness, now, counts);
  }
  std::ptrdiff_t copies_of(Handle entity) const {
    return std::ranges::count(got, entity, [](const Cue& each) { return each.cue.entity; });
  }

  const Tick began{1'000};
  Tick now = began;
  CueQueue queue;
  SentTracks sent;
  CueCounts counts;
  std::vector<Cue> got;
  std::size_t bytes = 0;
  std::size_t block_bytes = 600;
  bool narrow = false;
};

TEST_F(ACueQueue, SendsACueInTwoBlocks) {
  add(7);
  run(60);
  ASSERT_EQ(got.size(), 2U);
  EXPECT_EQ(got[0].at, began);
  EXPECT_EQ(got[1].at, began + 2);
  EXPECT_EQ(got[1].cue.tick, began);
  EXPECT_EQ(counts.sent, 1U);
  EXPECT_EQ(counts.repeated, 1U);
  EXPECT_TRUE(queue.empty());
}

TEST_F(ACueQueue, SendsItOnceOnANarrowPath) {
  narrow = true;
  add(7);
  run(60);
  EXPECT_EQ(got.size(), 1U);
}

TEST_F(ACueQueue, RepeatsItWhenBothCopiesWereLost) {
  add(7);
  run(70, [&](Tick tick) { return !before(tick, began + 4); });
  ASSERT_EQ(got.size(), 3U);
  EXPECT_LE(ticks_between(began, got[2].at), 20) << "a round trip of 10 ticks, and 4 to be sure";
  EXPECT_TRUE(queue.empty());
}

TEST_F(ACueQueue, IsNotSentAfterASecondAndNotForEver) {
  add(7);
  run(300, [](Tick) { return false; });
  ASSERT_FALSE(got.empty());
  EXPECT_LE(got.size(), static_cast<std::size_t>(CueQueue::sends_max));
  EXPECT_LE(ticks_between(began, got.back().at), cue_age_ticks_max);
  EXPECT_TRUE(queue.empty());
}

// A late input's cue: half a second old when the worker learns of it.
TEST_F(ACueQueue, HasTimeForACueOfALateInput) {
  queue.add({7, now - 50, 1}, 0, now, counts);
  queue.add({8, now - cue_age_ticks_max - 1, 1}, 0, now, counts);
  run(4);
  EXPECT_EQ(copies_of(7), 2);
  EXPECT_EQ(copies_of(8), 0);
  EXPECT_EQ(counts.crowded_out, 1U);
}

TEST_F(ACueQueue, SendsTheLoudestFirst) {
  block_bytes = 9 + 2 + 2 * 6;  // header, section and two cues
  for (Handle entity = 1; entity <= 6; ++entity) add(entity, 1.0F / static_cast<float>(entity));
  run(2);
  ASSERT_EQ(got.size(), 2U);
  EXPECT_EQ(got[0].cue.entity, 6U);
  EXPECT_EQ(got[1].cue.entity, 5U);
}

TEST_F(ACueQueue, DropsWhatFindsNoRoomInTime) {
  block_bytes = 10;  // nothing but a header
  for (Handle entity = 1; entity <= 6; ++entity) add(entity);
  run(CueQueue::unsent_ticks_max);
  EXPECT_EQ(counts.crowded_out, 0U);
  run(4);
  EXPECT_EQ(counts.crowded_out, 6U);
  EXPECT_TRUE(queue.empty());
  EXPECT_TRUE(got.empty());
}

TEST_F(ACueQueue, KeepsItsBudgetAndItsMemory) {
  Random random(5);
  constexpr int seconds = 10;
  std::uint64_t asked = 0;
  for (int i = 0; i < seconds * 60; ++i) {
    for (int k = 0; k < 40; ++k, ++asked) {
      queue.add({1 + static_cast<Handle>(asked), now, 1}, static_cast<float>(random.unit()), now,
                counts);
    }
    ASSERT_LE(queue.size(), CueQueue::pending_max);
    run(1);
  }
  const std::size_t most = seconds * budget_bytes_per_s + CueQueue::burst_bytes;
  EXPECT_LE(bytes, most + 32) << "the last cue may exceed it";
  EXPECT_GE(bytes, most * 9 / 10) << "the budget is used";
  run(60);
  EXPECT_EQ(counts.sent + counts.crowded_out, asked) << "each was sent, or counted";
}

// An explosion beside a crowd.
TEST_F(ACueQueue, TakesALoudCueIntoAFullQueue) {
  block_bytes = 10;
  for (Handle entity = 1; entity <= CueQueue::pending_max; ++entity) add(entity, 0.5F);
  add(9'000, 0.01F);
  add(9'001, 0.99F);
  EXPECT_EQ(counts.crowded_out, 2U);
  block_bytes = 600;
  run(2);
  EXPECT_EQ(copies_of(9'000), 1);
  EXPECT_EQ(copies_of(9'001), 0);
}

// 300 entities that turn about in each tick, most of them within a few metres: more records than
// the blocks of a slot hold. Each of them steps four times a second.
TEST(Cues, TakeNothingFromRecords) {
  const auto records_with = [](bool cues) {
    Sky sky;
    for (Handle handle = 1; handle <= 300; ++handle) sky.add(handle, {handle * 0.1, 0, 0});
    Observer observer;
    Received received;
    for (int i = 0; i < 600; ++i) {
      for (const Published& entity : sky.publication) {
        if (!cues || (sky.now.count + entity.handle) % 15 != 0) continue;
        sky.publisher.cue(observer, {entity.handle, sky.now, 1}, entity.position, 100);
      }
      sky.tick(observer, received);
    }
    if (cues) {
      EXPECT_GT(received.cues.size(), 1'000U);
      EXPECT_GT(sky.publisher.counters().cues.crowded_out, 1'000U);
    }
    EXPECT_EQ(received.malformed, 0U);
    EXPECT_LE(sky.publisher.counters().bytes_cues,
              10 * sky.settings.cue_budget_bytes_per_s + CueQueue::burst_bytes + 32);
    return received.records.size();
  };
  const std::size_t quiet = records_with(false);
  EXPECT_EQ(records_with(true), quiet);
  EXPECT_GT(quiet, 30'000U);
}

TEST(Cues, AreForObserversWithinTheirReachThatKnowTheEntity) {
  Sky sky;
  sky.add(1, {50, 0, 0}).resting = true;
  Observer observer;
  Received received;
  sky.publisher.cue(observer, {1, sky.now, 1}, {50, 0, 0}, 100);
  sky.run(20, observer, received);
  EXPECT_TRUE(received.cues.empty()) << "the observer did not know the entity yet";
  const auto cue = [&](const CueEvent& what, double reach_m) {
    sky.publisher.cue(observer, what, {50, 0, 0}, reach_m);
    received.cues.clear();
    sky.run(20, observer, received);
    return !received.cues.empty();
  };
  EXPECT_TRUE(cue({1, sky.now, 1}, 51));
  EXPECT_FALSE(cue({1, sky.now, 1}, 49));
  EXPECT_FALSE(cue({1, sky.now, 1}, std::numeric_limits<double>::quiet_NaN()));
  EXPECT_FALSE(cue({2, sky.now, 1}, 51)) << "an unknown entity";
  EXPECT_TRUE(cue({2, sky.now, 1, 0, no_entity, Vec3f{50, 0, 0}}, 51)) << "at a place";
  EXPECT_TRUE(cue({1, sky.now, 1}, std::numeric_limits<double>::infinity()));
}

}  // namespace
}  // namespace perigee::replication
