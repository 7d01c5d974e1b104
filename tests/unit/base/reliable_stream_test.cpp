#include "perigee/base/reliable_stream.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "perigee/base/hash.hpp"

namespace perigee {
namespace {

TEST(AckWindow, SlidesOverWhatArrivedEarly) {
  AckWindow window;
  EXPECT_TRUE(window.mark({1}));
  EXPECT_TRUE(window.mark({2}));
  EXPECT_FALSE(window.mark({2}));
  EXPECT_EQ(window.next, Sequence{0});
  EXPECT_TRUE(window.mark({0}));
  EXPECT_EQ(window.next, Sequence{3});
  EXPECT_EQ(window.bits, 0U);
}

TEST(AckWindow, RefusesWhatIsBeyondItsBits) {
  AckWindow window;
  EXPECT_TRUE(window.mark({32}));
  EXPECT_FALSE(window.mark({33}));
}

// Compared with a set, across the wrap-around of the 16-bit ids.
TEST(AckWindow, AgreesWithASetOfNumbers) {
  const std::uint64_t seed = 7;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  AckWindow window;
  window.next = Sequence{65000};
  std::set<std::uint32_t> have;
  std::uint32_t next = 65000;
  for (int i = 0; i < 20000; ++i) {
    const std::uint32_t id = next + random.below(40);
    const bool fresh = !have.contains(id) && id <= next + 32;
    EXPECT_EQ(window.mark({static_cast<std::uint16_t>(id)}), fresh);
    if (fresh) have.insert(id);
    while (have.contains(next)) ++next;
    ASSERT_EQ(window.next.value, static_cast<std::uint16_t>(next));
  }
  EXPECT_GT(next, 66000U);
}

// K2: acknowledged events over a network that drops, duplicates and reorders.
TEST(AReliableStream, DeliversEveryEventOnceAndInOrder) {
  const std::uint64_t seed = 11;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  EventSender<int> sender;
  EventReceiver<int> receiver;
  std::optional<Tick> arrived;
  std::optional<Tick> acknowledged;
  int pushed = 0;
  int taken = 0;
  for (Tick now; now.count < 3000; ++now) {
    if (pushed < 1500 && sender.push(pushed, random.unit() < 0.1)) ++pushed;
    const bool lost = random.unit() < 0.3;
    sender.send_due(now, {acknowledged}, [&](Sequence s, int event) {
      if (!lost) receiver.receive(s, event);
      if (!lost && random.unit() < 0.2) receiver.receive(s, event);
      return random.unit() < 0.9;  // the block is sometimes full
    });
    if (!lost) arrived = now;
    while (const auto event = receiver.take()) EXPECT_EQ(*event, taken++);
    if (random.unit() < 0.5) continue;
    sender.acknowledge(receiver.acknowledgement());
    acknowledged = arrived;
  }
  EXPECT_EQ(taken, 1500);
  EXPECT_EQ(sender.unacknowledged(), 0U);
}

std::vector<int> due(EventSender<int>& sender, Tick now, std::optional<Tick> arrived,
                     bool narrow = false) {
  std::vector<int> out;
  sender.send_due(now, {arrived, narrow}, [&](Sequence, int event) {
    out.push_back(event);
    return true;
  });
  return out;
}

TEST(AReliableStream, RepeatsAnEventThatALaterBlockHasOvertaken) {
  constexpr std::int32_t overtaken = EventSender<int>::overtaken_ticks;
  EventSender<int> sender;
  sender.push(1, false);
  const Tick sent{100};
  EXPECT_EQ(due(sender, sent, std::nullopt, true), std::vector{1});
  EXPECT_TRUE(due(sender, sent + 20, sent - 1, true).empty()) << "the path is longer than 20 ticks";
  EXPECT_TRUE(due(sender, sent + 22, sent + overtaken - 1, true).empty()) << "may be reordered";
  EXPECT_EQ(due(sender, sent + 24, sent + overtaken, true), std::vector{1});
  EXPECT_TRUE(due(sender, sent + 26, sent + overtaken + 2, true).empty()) << "on its way again";
  EXPECT_EQ(due(sender, sent + 50, sent + 24 + overtaken, true), std::vector{1});
  sender.acknowledge({{1}, 0});
  EXPECT_TRUE(due(sender, sent + 80, sent + 60, true).empty());
}

/// Ticks after the first sending at which the event is sent again, without any acknowledgement.
std::vector<int> repetitions(bool urgent, int ticks) {
  EventSender<int> sender;
  sender.push(1, urgent);
  const Tick first{100};
  std::vector<int> out;
  for (int i = 0; i <= ticks; i += 2) {
    if (!due(sender, first + i, first - 2).empty()) out.push_back(i);
  }
  return out;
}

TEST(AReliableStream, RepeatsAnEventOnceAndThenAfterSecondsOfSilence) {
  EXPECT_EQ(repetitions(false, 700), (std::vector{0, 12, 132, 372, 612}));
}

TEST(AReliableStream, RepeatsAnUrgentEventAtOnceAndThenLessAndLessOften) {
  EXPECT_EQ(repetitions(true, 250), (std::vector{0, 2, 4, 12, 28, 60, 124, 188}));
}

TEST(AReliableStream, RepeatsNothingThatIsAcknowledged) {
  EventSender<int> sender;
  sender.push(1, true);
  sender.push(2, false);
  const Tick sent{100};
  EXPECT_EQ(due(sender, sent, std::nullopt), (std::vector{1, 2}));
  sender.acknowledge({{1}, 0});
  EXPECT_TRUE(due(sender, sent + 2, sent).empty());
  EXPECT_EQ(due(sender, sent + 60, sent), std::vector{2});
}

TEST(AReliableStream, RepeatsUrgentEventsOnANarrowPathOnlyWhenTheyAreLost) {
  EventSender<int> sender;
  sender.push(1, true);
  const Tick sent{100};
  EXPECT_EQ(due(sender, sent, std::nullopt, true), std::vector{1});
  EXPECT_TRUE(due(sender, sent + 4, sent, true).empty());
  EXPECT_TRUE(due(sender, sent + 40, sent + 2, true).empty());
  EXPECT_EQ(due(sender, sent + 44, sent + 4, true), std::vector{1});
}

TEST(AReliableStream, SendsUrgentEventsBeforeFormerOnesAreAcknowledged) {
  using Sender = EventSender<int>;
  constexpr int in_window = AckWindow::bits_count + 1;
  for (const bool urgent : {false, true}) {
    Sender sender;
    for (int i = 0; i < 200; ++i) sender.push(i, urgent);
    const std::size_t early = urgent ? Sender::early_per_block : 0;
    EXPECT_EQ(due(sender, Tick{100}, std::nullopt, true).size(), in_window + early);
    EXPECT_EQ(due(sender, Tick{102}, std::nullopt, true).size(), early) << "no copies";
    int newest = AckWindow::bits_count;
    for (int i = 4; i < 100; i += 2) {
      for (const int event : due(sender, Tick{100} + i, Tick{99}, true)) {
        newest = std::max(newest, event);
      }
    }
    EXPECT_EQ(newest, urgent ? Sender::early_ahead_max : AckWindow::bits_count);
  }
}

TEST(AReliableStream, KeepsUrgentEventsBehindOthersThatWait) {
  EventSender<int> sender;
  for (int i = 0; i < 60; ++i) sender.push(i, i != 40);
  std::vector<int> sent;
  for (int i = 0; i < 40; i += 2) {
    for (const int event : due(sender, Tick{100} + i, std::nullopt, true)) sent.push_back(event);
  }
  EXPECT_EQ(sent.back(), 39);
}

// One in three ticks, and acknowledgements that are 130 ticks old: 43 are under way.
TEST(AReliableStream, DeliversUrgentEventsAtTheirRateOverALongPath) {
  constexpr int way_ticks = 65;
  std::deque<std::vector<std::pair<Sequence, int>>> blocks;
  std::deque<AckWindow> acknowledgements;
  EventSender<int> sender;
  EventReceiver<int> receiver;
  int pushed = 0;
  int taken = 0;
  for (Tick now; now.count < 3000; ++now) {
    if (now.count % 3 == 0) sender.push(pushed++, true);
    const bool known = now.count >= 2 * way_ticks;
    auto& block = blocks.emplace_back();
    sender.send_due(now, {known ? std::optional(now - 2 * way_ticks) : std::nullopt, true},
                    [&](Sequence s, int event) {
                      block.emplace_back(s, event);
                      return true;
                    });
    if (now.count < way_ticks) continue;
    for (const auto& [sequence, event] : blocks.front()) receiver.receive(sequence, event);
    blocks.pop_front();
    while (const auto event = receiver.take()) {
      EXPECT_EQ(*event, taken++);
      EXPECT_EQ(now.count, 3U * static_cast<std::uint32_t>(*event) + way_ticks) << "it has waited";
    }
    acknowledgements.push_back(receiver.acknowledgement());
    if (!known) continue;
    sender.acknowledge(acknowledgements.front());
    acknowledgements.pop_front();
  }
  EXPECT_GT(taken, 900);
}

TEST(AReliableStream, IgnoresAnAcknowledgementOfWhatWasNeverSent) {
  EventSender<int> sender;
  sender.push(1, false);
  sender.acknowledge({{500}, 0xffff'ffff});
  EXPECT_EQ(sender.unacknowledged(), 1U);
}

TEST(AReliableStream, SaysWhenItsWindowIsFull) {
  EventSender<int, 64> sender;
  for (int i = 0; i < 64; ++i) EXPECT_TRUE(sender.push(i, false));
  EXPECT_FALSE(sender.push(64, false));
}

}  // namespace
}  // namespace perigee
