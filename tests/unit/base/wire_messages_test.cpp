// Frames of messages as bytes, and when they are sent.
#include "perigee/base/wire_messages.hpp"

#include <gtest/gtest.h>

#include <array>

#include "perigee/base/message_pace.hpp"
#include "perigee/base/wire_client.hpp"

namespace perigee {
namespace {

constexpr auto from_client = static_cast<std::uint8_t>(ClientFrame::Message);

MessageBytes message_of(std::initializer_list<int> values) {
  MessageBytes out;
  for (const int value : values) out.push_back(static_cast<std::byte>(value));
  return out;
}

TEST(AMessageFrame, HasTheseBytes) {
  const MessageBytes first = message_of({1, 2}), second = message_of({3});
  MessageFrame frame{0x01020304, 7, 0xfffffffe, {}, 0xffffffff, true};
  ASSERT_TRUE(add_message(frame, first));
  ASSERT_TRUE(add_message(frame, second));
  std::array<std::byte, MessageFrame::bytes_max> space;
  const auto bytes = write_messages(from_client, frame, space);
  EXPECT_EQ(MessageBytes(bytes.begin(), bytes.end()),
            message_of({4,    4,    3,    2,    1, 7, 0, 0, 0, 0xfe, 0xff, 0xff, 0xff,
                        0xff, 0xff, 0xff, 0xff, 1, 2, 2, 0, 1, 2,    1,    0,    3}));
  EXPECT_EQ(client_frame_kind(bytes), ClientFrame::Message);
  MessageFrame again;
  ASSERT_TRUE(read_messages(from_client, bytes, again));
  EXPECT_EQ(again.conversation, frame.conversation);
  EXPECT_EQ(again.received, frame.received);
  EXPECT_EQ(again.first, frame.first);
  EXPECT_EQ(again.sent, frame.sent);
  EXPECT_TRUE(again.asks);
  ASSERT_EQ(again.messages.size(), 2U);
  EXPECT_TRUE(std::ranges::equal(again.messages[0], first));
  EXPECT_TRUE(std::ranges::equal(again.messages[1], second));
}

TEST(AMessageFrame, IsRefusedIfAByteIsMissingOrTooMany) {
  const MessageBytes message = message_of({1, 2, 3});
  MessageFrame frame{5, 0, 0, {}};
  ASSERT_TRUE(add_message(frame, message));
  std::array<std::byte, MessageFrame::bytes_max> space{};
  const std::size_t size = write_messages(worker_message_kind, frame, space).size();
  for (std::size_t length = 0; length <= size + 1; ++length) {
    EXPECT_EQ(read_messages(worker_message_kind, std::span(space).first(length), frame),
              length == size)
        << length;
  }
  EXPECT_FALSE(read_messages(from_client, std::span(space).first(size), frame)) << "another kind";
}

TEST(AMessageFrame, HasAConversationAndNoEmptyOrLongMessages) {
  MessageFrame frame;
  EXPECT_FALSE(read_messages(
      from_client, message_of({4, 0, 0, 0, 0, 7, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0}), frame));
  EXPECT_TRUE(read_messages(
      from_client, message_of({4, 1, 0, 0, 0, 7, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0}), frame));
  EXPECT_FALSE(read_messages(
      from_client, message_of({4, 1, 0, 0, 0, 7, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0}),
      frame));
  EXPECT_FALSE(read_messages(
      from_client, message_of({4, 1, 0, 0, 0, 7, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0}), frame))
      << "sent before the first one";
  EXPECT_FALSE(read_messages(
      from_client, message_of({4, 1, 0, 0, 0, 7, 0, 0, 0, 1, 0, 0, 0, 34, 0, 0, 0, 0, 0}), frame))
      << "more than wait";
  EXPECT_FALSE(is_message_size(0));
  EXPECT_TRUE(is_message_size(message_bytes_max));
  EXPECT_FALSE(is_message_size(message_bytes_max + 1));
}

TEST(AMessageFrame, HasRoomForTheLongestMessageAndForNoMoreThanFit) {
  const MessageBytes longest(message_bytes_max), other(60), fits(53);
  MessageFrame frame{5, 0, 0, {}};
  ASSERT_TRUE(add_message(frame, longest));
  EXPECT_FALSE(add_message(frame, other));
  EXPECT_TRUE(add_message(frame, fits));
  std::array<std::byte, MessageFrame::bytes_max> space;
  EXPECT_EQ(write_messages(from_client, frame, space).size(), MessageFrame::bytes_max);
}

struct AMessagePace : testing::Test {
  static constexpr Micros patience_us = 200'000;
  MessagePace pace;
  bool due(Micros now_us, std::uint32_t first, std::uint32_t end) const {
    return pace.due(now_us, first, end, patience_us);
  }
};

TEST_F(AMessagePace, SendsAtOnceAndKeepsADistance) {
  EXPECT_FALSE(due(0, 0, 0));
  EXPECT_TRUE(due(0, 0, 1));
  pace.sent(0, 0, 1);
  EXPECT_FALSE(due(MessagePace::spacing_us - 1, 0, 2));
  EXPECT_TRUE(due(MessagePace::spacing_us, 0, 2));
  EXPECT_FALSE(due(MessagePace::spacing_us, 0, 1)) << "it may be on its way";
}

TEST_F(AMessagePace, RepeatsEverMoreRarelyUntilThereIsProgress) {
  pace.sent(0, 0, 1);
  EXPECT_FALSE(due(patience_us - 1, 0, 1));
  EXPECT_TRUE(due(patience_us, 0, 1));
  pace.sent(patience_us, 0, 1);
  EXPECT_FALSE(due(3 * patience_us - 1, 0, 1));
  EXPECT_TRUE(due(3 * patience_us, 0, 1));
  for (int i = 0; i < 10; ++i) pace.sent(1'000'000, 0, 1);
  EXPECT_TRUE(due(1'000'000 + MessagePace::patience_us_max, 0, 1));
  EXPECT_FALSE(due(1'000'000 + MessagePace::patience_us_max - 1, 0, 1));
  pace.sent(2'000'000, 1, 2);
  EXPECT_TRUE(due(2'000'000 + patience_us, 1, 2));
}

TEST_F(AMessagePace, AnswersWithoutMessages) {
  pace.owe_answer();
  EXPECT_TRUE(due(0, 3, 3));
  pace.sent(0, 3, 3);
  EXPECT_FALSE(due(10'000'000, 3, 3));
}

TEST_F(AMessagePace, SendsAllAgainAfterARestart) {
  pace.sent(0, 5, 7);
  pace.restart(5);
  EXPECT_TRUE(due(1, 5, 7));
}

}  // namespace
}  // namespace perigee
