#include "perigee/console/outgoing.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace perigee::console {
namespace {

OutgoingMessage message(std::string bytes, std::uint32_t kind = 0) {
  return {.bytes = std::make_shared<const std::string>(std::move(bytes)), .kind = kind};
}

TEST(MessagesForABrowser, AreSentInOrder) {
  OutgoingQueue queue;
  EXPECT_TRUE(queue.push(0, message("a")));
  EXPECT_TRUE(queue.push(0, message("b")));
  EXPECT_EQ(queue.waiting_bytes(), 2U);
  EXPECT_EQ(*queue.pop(1)->bytes, "a");
  EXPECT_EQ(*queue.pop(1)->bytes, "b");
  EXPECT_FALSE(queue.pop(1));
  EXPECT_EQ(queue.waiting_bytes(), 0U);
}

TEST(MessagesForABrowser, AreReplacedByNewerOnesOfTheirKind) {
  OutgoingQueue queue;
  queue.push(0, message("older", 7));
  queue.push(0, message("other", 8));
  queue.push(0, message("newer", 7));
  EXPECT_EQ(queue.waiting_bytes(), 10U);
  EXPECT_EQ(*queue.pop(1)->bytes, "other");
  EXPECT_EQ(*queue.pop(1)->bytes, "newer");
  EXPECT_FALSE(queue.pop(1));
}

// A stuck viewer costs memory up to a limit, and then nothing.
TEST(MessagesForABrowser, AreDroppedBeyondTheirLimit) {
  OutgoingQueue queue;
  OutgoingMessage datagram = message(std::string(60, 'd'));
  datagram.waiting_bytes_max = 100;
  EXPECT_TRUE(queue.push(0, datagram));
  EXPECT_FALSE(queue.push(0, datagram));
  EXPECT_EQ(queue.waiting_bytes(), 60U);
  EXPECT_TRUE(queue.push(0, message(std::string(60, 'm')))) << "its limit is 4 MiB";
}

TEST(MessagesForABrowser, ThatWaitTooLongAreThoseOfAStuckBrowser) {
  constexpr Micros second_us = 1'000'000;
  OutgoingQueue queue;
  queue.push(100 * second_us, message("a", 7));
  EXPECT_FALSE(queue.stuck(110 * second_us));
  queue.push(110 * second_us, message("b", 7));
  EXPECT_TRUE(queue.stuck(110 * second_us + 1)) << "a replacement is no progress";
  queue.push(110 * second_us, message("c"));
  queue.pop(111 * second_us);
  EXPECT_FALSE(queue.stuck(121 * second_us));
  queue.pop(112 * second_us);
  EXPECT_FALSE(queue.stuck(200 * second_us)) << "nothing waits";
}

}  // namespace
}  // namespace perigee::console
