// The client's end of a conversation with the game, against a worker's end made by hand.
#include "perigee/client/messages.hpp"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "perigee/base/wire_client.hpp"

namespace perigee::client {
namespace {

struct AClientsMessages : testing::Test {
  static constexpr std::uint32_t name = 77;
  static constexpr Micros rtt_us = 100'000;
  Messages messages;
  Micros now_us = 0;

  AClientsMessages() { messages.begin(name); }
  /// The worker has answered.
  void confirm() {
    frame();
    ASSERT_TRUE(hear(0, 0, {}));
  }
  static MessageBytes bytes_of_text(std::string_view text) {
    const auto bytes = as_bytes_of(text.data(), text.size());
    return {bytes.begin(), bytes.end()};
  }
  static std::string text_of_bytes(std::span<const std::byte> bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }
  MessageRefusal send(std::string_view text) { return messages.send(bytes_of_text(text)); }
  struct Sent {
    MessageFrame numbers;
    std::vector<std::string> texts;
  };
  /// The frame that is due, if one is.
  std::optional<Sent> frame() {
    if (!messages.due(now_us, rtt_us)) return std::nullopt;
    std::array<std::byte, frames_bytes_max> payload;
    FrameWriter writer(payload);
    EXPECT_TRUE(messages.write(writer, now_us, rtt_us));
    FrameReader reader(writer.payload());
    const auto one = reader.next();
    Sent out;
    EXPECT_EQ(one->stream, stream_owner);
    EXPECT_TRUE(
        read_messages(static_cast<std::uint8_t>(ClientFrame::Message), one->bytes, out.numbers));
    for (const auto& message : out.numbers.messages) out.texts.push_back(text_of_bytes(message));
    return out;
  }
  bool hear(std::uint32_t received, std::uint32_t first, const std::vector<std::string>& texts,
            std::uint32_t conversation = name) {
    MessageFrame sent{conversation, received, first, {}};
    for (const std::string& text : texts) {
      EXPECT_TRUE(add_message(sent, as_bytes_of(text.data(), text.size())));
    }
    std::array<std::byte, MessageFrame::bytes_max> bytes;
    return messages.on_frame(write_messages(worker_message_kind, sent, bytes));
  }
  std::vector<std::string> taken() {
    std::vector<std::string> out;
    while (const auto message = messages.take()) out.push_back(text_of_bytes(*message));
    return out;
  }
};
using Texts = std::vector<std::string>;

TEST_F(AClientsMessages, GreetTheWorkerUntilItAnswersAndNowAndThen) {
  const auto first = frame();
  ASSERT_TRUE(first);
  EXPECT_EQ(first->numbers.conversation, name);
  EXPECT_TRUE(first->texts.empty());
  EXPECT_TRUE(first->numbers.asks);
  now_us = 2 * rtt_us;
  EXPECT_TRUE(frame()->numbers.asks);
  ASSERT_TRUE(hear(0, 0, {}));
  now_us += Messages::greeting_us - 1;
  EXPECT_FALSE(frame());
  now_us += 1;
  EXPECT_TRUE(frame()->numbers.asks);
}

TEST_F(AClientsMessages, WaitForTheAnswerOfANewSession) {
  send("a");
  EXPECT_EQ(frame()->texts, (Texts{})) << "the worker may have forgotten which ones it heard";
  ASSERT_TRUE(hear(0, 0, {}));
  const auto sent = frame();
  EXPECT_EQ(sent->texts, (Texts{"a"}));
  EXPECT_EQ(sent->numbers.sent, 0U);
  messages.greet_again();
  send("b");
  const auto greeting = frame();
  EXPECT_EQ(greeting->texts, (Texts{}));
  EXPECT_EQ(greeting->numbers.first, 0U);
  EXPECT_EQ(greeting->numbers.sent, 1U);
  ASSERT_TRUE(hear(1, 0, {})) << "a is dropped, or was heard";
  EXPECT_EQ(frame()->texts, (Texts{"b"}));
}

TEST_F(AClientsMessages, AreRepeatedUntilTheGameHasThem) {
  confirm();
  send("a");
  EXPECT_EQ(frame()->texts, (Texts{"a"}));
  send("b");
  now_us += MessagePace::spacing_us;
  EXPECT_EQ(frame()->texts, (Texts{"a", "b"}));
  now_us += 2 * rtt_us;
  EXPECT_EQ(frame()->texts, (Texts{"a", "b"}));
  ASSERT_TRUE(hear(1, 0, {}));
  now_us += 4 * rtt_us;
  const auto rest = frame();
  ASSERT_TRUE(rest);
  EXPECT_EQ(rest->texts, (Texts{"b"}));
  EXPECT_EQ(rest->numbers.first, 1U);
  ASSERT_TRUE(hear(2, 0, {}));
  EXPECT_EQ(messages.waiting(), 0U);
  ASSERT_TRUE(hear(1, 0, {})) << "a late acknowledgement";
  EXPECT_EQ(messages.waiting(), 0U);
  now_us += 2 * rtt_us;
  EXPECT_FALSE(frame());
}

TEST_F(AClientsMessages, AreRefusedIfEmptyLongOrTooMany) {
  EXPECT_EQ(send(""), MessageRefusal::Size);
  EXPECT_EQ(send(std::string(message_bytes_max + 1, 'x')), MessageRefusal::Size);
  for (std::size_t i = 0; i < messages_waiting_max; ++i) {
    EXPECT_EQ(send(std::string(message_bytes_max, 'x')), MessageRefusal::None);
  }
  EXPECT_EQ(send("y"), MessageRefusal::Full);
  ASSERT_TRUE(hear(1, 0, {}));
  EXPECT_EQ(send("y"), MessageRefusal::None);
}

TEST_F(AClientsMessages, ComeOnceAndInOrder) {
  frame();
  ASSERT_TRUE(hear(0, 1, {"b"})) << "overtook the frame with a";
  ASSERT_TRUE(hear(0, 0, {"a", "b"}));
  ASSERT_TRUE(hear(0, 0, {"a", "b", "c"}));
  EXPECT_EQ(taken(), (Texts{"a", "b", "c"}));
  EXPECT_EQ(taken(), (Texts{}));
  now_us += MessagePace::spacing_us;
  const auto answer = frame();
  ASSERT_TRUE(answer) << "the worker repeats them until then";
  EXPECT_EQ(answer->numbers.received, 3U);
}

TEST_F(AClientsMessages, WaitAtTheWorkerWhileNobodyTakesThem) {
  for (std::uint32_t i = 0; i < messages_waiting_max; ++i) ASSERT_TRUE(hear(0, i, {"x"}));
  ASSERT_TRUE(hear(0, messages_waiting_max, {"y"}));
  EXPECT_EQ(frame()->numbers.received, messages_waiting_max);
  EXPECT_EQ(taken().size(), messages_waiting_max);
  ASSERT_TRUE(hear(0, messages_waiting_max, {"y"}));
  EXPECT_EQ(taken(), (Texts{"y"}));
}

TEST_F(AClientsMessages, IgnoreAnotherConversationAndRefuseOtherBytes) {
  EXPECT_TRUE(hear(0, 0, {"a"}, name + 1));
  EXPECT_EQ(taken(), (Texts{}));
  EXPECT_FALSE(messages.on_frame(bytes_of_text("nonsense")));
}

TEST_F(AClientsMessages, AreForgottenWithTheirConversation) {
  send("a");
  hear(0, 0, {"b"});
  messages.begin(name + 1);
  EXPECT_EQ(messages.waiting(), 0U);
  EXPECT_EQ(taken(), (Texts{}));
  EXPECT_EQ(frame()->numbers.received, 0U);
}

TEST_F(AClientsMessages, FitTheirNumbersWhenThoseWrap) {
  hear(0, 0, {});
  send("a");
  ASSERT_TRUE(hear(0xffffffff, 0, {}));
  EXPECT_EQ(messages.waiting(), 1U) << "an acknowledgement of nothing that was sent";
}

}  // namespace
}  // namespace perigee::client
