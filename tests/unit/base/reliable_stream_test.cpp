#include "perigee/base/reliable_stream.hpp"

#include <gtest/gtest.h>

#include <set>

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
  int pushed = 0;
  int taken = 0;
  for (Tick now; now.count < 3000; ++now) {
    if (pushed < 1500 && sender.push(pushed, random.unit() < 0.1)) ++pushed;
    sender.send_due(now, 10, [&](Sequence s, int event) {
      if (random.unit() < 0.3) return true;  // lost
      receiver.receive(s, event);
      if (random.unit() < 0.2) receiver.receive(s, event);
      return random.unit() < 0.9;  // the block is sometimes full
    });
    while (const auto event = receiver.take()) EXPECT_EQ(*event, taken++);
    if (random.unit() < 0.5) sender.acknowledge(receiver.acknowledgement());
  }
  EXPECT_EQ(taken, 1500);
  EXPECT_EQ(sender.unacknowledged(), 0U);
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
