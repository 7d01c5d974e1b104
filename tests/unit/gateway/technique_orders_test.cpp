#include "without_core.hpp"

namespace perigee::gateway {
namespace {

struct OrdersOfTechniques : WithoutCore {
  TechniqueOrders orders{{.sessions = sessions,
                          .payloads = payloads,
                          .outputs = out,
                          .counts = counts,
                          .drops = drops}};
  void order(std::uint64_t client_id, std::uint64_t id) {
    orders.order(now_us, client_id, id, *read_order("rollback=off"));
  }
  void answer(std::uint32_t slot, std::uint32_t number) {
    Bytes bytes(order_answer_bytes);
    ByteWriter writer(bytes);
    ASSERT_TRUE(write_order_answer(writer, {number, {}}));
    orders.on_answer(slot, bytes);
  }
};

TEST_F(OrdersOfTechniques, AreRepeatedUntilTheClientAnswers) {
  const std::uint32_t slot = connect(1);
  order(1, 100);
  EXPECT_EQ(frames(slot).size(), 1U);
  orders.advance(now_us += TechniqueOrders::repeat_us - 1);
  EXPECT_EQ(frames(slot).size(), 0U);
  orders.advance(now_us += 1);
  const auto repeated = frames(slot);
  ASSERT_EQ(repeated.size(), 1U);
  EXPECT_EQ(read_order_frame(repeated[0].bytes)->order, *read_order("rollback=off"));
  answer(slot, 1);
  ASSERT_EQ(out.techniques.size(), 1U);
  EXPECT_EQ(out.techniques[0].order_id, 100U);
  orders.advance(now_us += 1'000'000);
  EXPECT_TRUE(frames(slot).empty());
}

TEST_F(OrdersOfTechniques, GoToOneClientOrToAll) {
  const std::uint32_t first = connect(1), second = connect(2);
  order(2, 100);
  EXPECT_TRUE(frames(first).empty());
  EXPECT_EQ(frames(second).size(), 1U);
  order(0, 101);
  EXPECT_EQ(frames(first).size(), 1U);
  EXPECT_EQ(frames(second).size(), 1U);
}

TEST_F(OrdersOfTechniques, EndWithTheirSession) {
  const std::uint32_t slot = connect(1);
  order(1, 100);
  orders.start(slot);
  answer(slot, 1);
  EXPECT_EQ(drops[Drop::AnswerUnasked], 1U);
  EXPECT_TRUE(out.techniques.empty());
}

}  // namespace
}  // namespace perigee::gateway
