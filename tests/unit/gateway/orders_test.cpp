// Techniques ordered by an operator, with the session service simulated by the test.
#include "fixture.hpp"

namespace perigee::gateway {
namespace {

struct Ordering : GatewayTest {
  /// The orders that `player` received.
  static std::vector<OrderFrame> sent(const Player& player) {
    std::vector<OrderFrame> frames;
    for (const auto& payload : player.payloads) {
      for (const FromClientSide& frame : payload) {
        if (frame.stream != stream_gateway) continue;
        if (const auto order = read_order_frame(frame.bytes)) frames.push_back(*order);
      }
    }
    return frames;
  }
  void order(std::uint64_t client_id, std::uint64_t id, std::string_view what) {
    core->order_techniques(now_us, client_id, id, *read_order(what));
  }
  void answer(Player& player, std::uint32_t number, const Techniques& techniques = {}) {
    Bytes bytes(order_answer_bytes);
    ByteWriter writer(bytes);
    ASSERT_TRUE(write_order_answer(writer, {number, techniques}));
    send_frames(player, frame(stream_gateway, bytes));
  }
};

TEST_F(Ordering, SendsToAClientUntilItAnswers) {
  const auto player = join(1);
  order(1, 100, "rollback=off");
  pass_time(600'000, {player.get()});
  ASSERT_EQ(sent(*player).size(), 3U) << "at once, and every 250 ms";
  for (const OrderFrame& frame : sent(*player)) {
    EXPECT_EQ(frame.number, 1U);
    EXPECT_EQ(frame.order, *read_order("rollback=off"));
  }
  const Techniques in_use = *with({}, "rollback=off view=shared-clock");
  answer(*player, 1, in_use);
  ASSERT_EQ(out.techniques.size(), 1U);
  EXPECT_EQ(out.techniques[0].client_id, 1U);
  EXPECT_EQ(out.techniques[0].order_id, 100U);
  EXPECT_EQ(out.techniques[0].techniques, in_use);
  pass_time(2'000'000, {player.get()});
  EXPECT_EQ(sent(*player).size(), 3U);
  EXPECT_EQ(counted(metric.orders_answered), 1U);
}

TEST_F(Ordering, SendsBothOrdersInOneIfTheFirstIsNotAnswered) {
  const auto player = join(1);
  order(1, 100, "rollback=off smoothing=none");
  order(1, 101, "smoothing=exponential");
  pass_time(1'000, {player.get()});
  EXPECT_EQ(sent(*player).back().number, 2U);
  EXPECT_EQ(sent(*player).back().order, *read_order("rollback=off smoothing=exponential"));
  answer(*player, 1);
  EXPECT_TRUE(out.techniques.empty()) << "of the first alone";
  answer(*player, 2);
  ASSERT_EQ(out.techniques.size(), 1U);
  EXPECT_EQ(out.techniques[0].order_id, 101U);
  order(1, 102, "view=shared-clock");
  pass_time(1'000, {player.get()});
  EXPECT_EQ(sent(*player).back().order, *read_order("view=shared-clock")) << "the others are done";
}

TEST_F(Ordering, NamesTheSessionThatItIsFor) {
  const auto first = join(1);
  const auto second = join(2);
  order(2, 100, "prediction=off");
  order(7, 101, "prediction=off");
  pass_time(1'000, {first.get(), second.get()});
  EXPECT_TRUE(sent(*first).empty());
  EXPECT_EQ(sent(*second).size(), 1U);
  order(0, 102, "rollback=off");  // for all players
  pass_time(1'000, {first.get(), second.get()});
  EXPECT_EQ(sent(*first).size(), 1U);
  EXPECT_EQ(sent(*second).size(), 2U);
}

TEST_F(Ordering, GivesUpOnClientsThatNeverAnswer) {
  const auto player = join(1);
  order(1, 100, "prediction=off");
  pass_time(15'000'000, {player.get()});
  EXPECT_EQ(sent(*player).size(), TechniqueOrders::repeats_max);
  EXPECT_EQ(counted(metric.orders_unanswered), 1U);
  answer(*player, 1);
  EXPECT_TRUE(out.techniques.empty());
}

TEST_F(Ordering, ForgetsTheOrderWithItsSession) {
  const auto player = join(1);
  order(1, 100, "prediction=off");
  player->client.disconnect(now_us);
  send_up(*player);
  const auto next = join(2);
  pass_time(1'000'000, {next.get()});
  EXPECT_TRUE(sent(*next).empty());
}

// A client may answer only its own orders, and only once.
TEST_F(Ordering, DropsAndCountsWhatNobodyAsked) {
  const auto asked = join(1);
  const auto liar = join(2);
  order(1, 100, "rollback=off");
  answer(*liar, 1);
  answer(*asked, 2);
  EXPECT_TRUE(out.techniques.empty());
  EXPECT_EQ(dropped(Drop::AnswerUnasked), 2U);
  answer(*asked, 1);
  answer(*asked, 1);
  EXPECT_EQ(out.techniques.size(), 1U);
  EXPECT_EQ(dropped(Drop::AnswerUnasked), 3U);
}

TEST_F(Ordering, DropsAndCountsAnswersAndOrdersThatAreNone) {
  const auto player = join(1);
  order(1, 100, "rollback=off");
  for (const std::size_t size : {std::size_t{1}, order_answer_bytes - 1, order_answer_bytes,
                                 order_answer_bytes + 1, order_frame_bytes}) {
    Bytes bytes = filled(size, 0xff);
    bytes[0] = std::byte{order_answer_kind};
    send_frames(*player, frame(stream_gateway, bytes));
  }
  EXPECT_EQ(dropped(Drop::FrameMalformed), 5U) << "an order from a client is a malformed answer";
  EXPECT_TRUE(out.techniques.empty());
}

}  // namespace
}  // namespace perigee::gateway
