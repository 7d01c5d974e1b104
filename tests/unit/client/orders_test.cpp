// Techniques ordered by an operator: applied once, answered as often as the order is sent.
#include "a_client.hpp"
#include "perigee/base/technique_order.hpp"

namespace perigee::client {
namespace {

struct AnOrderedClient : AClient {
  void order(std::uint32_t number, std::string_view what, std::uint32_t desync_number = 0) {
    std::array<std::byte, order_frame_bytes> bytes;
    ByteWriter writer(bytes);
    ASSERT_TRUE(write_order_frame(writer, {number, *read_order(what), desync_number}));
    send_frame(stream_gateway, bytes);
  }
};

TEST_F(AnOrderedClient, UsesThemFromTheNextTickOnAndSaysSo) {
  play(30);
  controls.clear();
  order(1, "smoothing=exponential rollback=off");
  EXPECT_EQ(client.techniques(), *with({}, "smoothing=exponential rollback=off"));
  EXPECT_EQ(client.orders_obeyed(), 1U);
  frame();
  ASSERT_EQ(answers.size(), 1U);
  EXPECT_EQ(answers[0].number, 1U);
  EXPECT_EQ(answers[0].techniques, client.techniques());
  ASSERT_FALSE(controls.empty());
  EXPECT_FALSE(controls.front().techniques.rollback) << "the worker receives it with the next tick";
}

TEST_F(AnOrderedClient, ObeysOnceAndAnswersEachRepetition) {
  play(30);
  order(1, "smoothing=none");
  client.use(Techniques{});  // the game has changed it back since
  order(1, "smoothing=none");
  frame();
  order(1, "smoothing=none");
  frame();
  EXPECT_EQ(client.orders_obeyed(), 1U);
  EXPECT_EQ(client.techniques(), Techniques{});
  EXPECT_EQ(answers.size(), 2U);
}

TEST_F(AnOrderedClient, IgnoresAnOrderThatANewerOneOvertook) {
  play(30);
  order(2, "smoothing=none rollback=off");
  order(1, "smoothing=exponential");
  frame();
  EXPECT_EQ(client.techniques().smoothing, Smoothing::None);
  ASSERT_EQ(answers.size(), 1U);
  EXPECT_EQ(answers[0].number, 2U);
}

// The answer to order 1 may be lost: then order 2 contains its desync, too.
TEST_F(AnOrderedClient, IsDesyncedOnceHoweverOftenItIsTold) {
  play(30);
  const Vec3 before = client.prediction().state().position;
  const auto moved_m = [&] { return distance(client.prediction().state().position, before); };
  order(1, "desync-m=0.5", 1);
  EXPECT_NEAR(moved_m(), 0.5, 1e-9);
  order(1, "desync-m=0.5", 1);
  order(2, "desync-m=0.5 smoothing=none", 1);
  EXPECT_NEAR(moved_m(), 0.5, 1e-9);
  EXPECT_EQ(client.techniques().smoothing, Smoothing::None);
  order(3, "desync-m=2", 3);
  EXPECT_NEAR(moved_m(), 2.5, 1e-9);
}

TEST_F(AnOrderedClient, OnlyAnswersAQuestion) {
  play(30);
  order(1, "");
  frame();
  EXPECT_EQ(client.orders_obeyed(), 0U);
  ASSERT_EQ(answers.size(), 1U);
  EXPECT_EQ(answers[0].techniques, client.techniques());
}

// If an order was applied before the avatar is known, the game's own choice for that avatar would
// be lost.
TEST_F(AnOrderedClient, WaitsUntilItKnowsWhatItsAvatarIs) {
  order(1, "smoothing=none");
  frame();
  EXPECT_TRUE(answers.empty());
  play(30);
  order(1, "smoothing=none");
  frame();
  EXPECT_EQ(client.techniques().smoothing, Smoothing::None);
  EXPECT_EQ(answers.size(), 1U);
}

TEST_F(AnOrderedClient, CountsWhatIsNoOrder) {
  play(30);
  const Bytes nonsense(order_frame_bytes, std::byte{3});
  send_frame(stream_gateway, nonsense);
  frame();
  EXPECT_EQ(client.telemetry().malformed(), 1U);
  EXPECT_TRUE(answers.empty());
  EXPECT_EQ(client.techniques(), Techniques{});
}

}  // namespace
}  // namespace perigee::client
