#include "perigee/base/technique_order.hpp"

#include <gtest/gtest.h>

#include <array>
#include <vector>

namespace perigee {
namespace {

using Bytes = std::vector<std::byte>;

template <class Write, class Message>
Bytes bytes_of(Write write, const Message& message) {
  Bytes bytes(64);
  ByteWriter writer(bytes);
  EXPECT_TRUE(write(writer, message));
  bytes.resize(writer.size());
  return bytes;
}
Bytes from_hex(std::initializer_list<int> values) {
  Bytes bytes;
  for (const int value : values) bytes.push_back(static_cast<std::byte>(value));
  return bytes;
}

TEST(ATechniqueOrder, ChangesWhatItNamesAndNothingElse) {
  const Techniques before{.smoothing = Smoothing::None, .rollback = false};
  const auto order = read_order("smoothing=exponential view=shared-clock");
  ASSERT_TRUE(order);
  const Techniques expected{
      .smoothing = Smoothing::Exponential, .rollback = false, .view = ViewTick::SharedClock};
  EXPECT_EQ(obeyed(before, *order), expected);
  EXPECT_EQ(obeyed(before, {}), before) << "nothing named, nothing changed";
}

TEST(ATechniqueOrder, CanNameEveryTechnique) {
  const std::string all = to_text(Techniques{}, " ");
  const auto order = read_order(all);
  ASSERT_TRUE(order);
  EXPECT_EQ(order->named, (1U << techniques_count) - 1);
}

// The result of merged orders equals that of applying them one after the other.
TEST(ATechniqueOrder, JoinedWithALaterOneIsBoth) {
  const TechniqueOrder first = *read_order("rollback=off timeline=playout smoothing=none");
  const TechniqueOrder later = *read_order("timeline=lead send-every-ms=20");
  const Techniques one_by_one = obeyed(obeyed(Techniques{}, first), later);
  EXPECT_EQ(obeyed(Techniques{}, joined(first, later)), one_by_one);
  EXPECT_EQ(one_by_one, *with({}, "rollback=off smoothing=none send-every-ms=20"));
}

// The example of proto/WIRE.md
TEST(ATechniqueOrder, HasTheBytesOfItsPage) {
  const OrderFrame frame{7, *read_order("smoothing=exponential rollback=off desync-m=0.5"), 6};
  const Bytes expected = from_hex({3,    7, 0, 0, 0,  0x10, 0x04,           // kind, number, named
                                   0,    0, 0, 0, 0,  0,    0,    0, 0,     // replay, beyond 0 m
                                   3,    1, 1, 0, 30, 0,    0,    0, 0, 1,  // the others
                                   0xf4, 1, 6, 0, 0,  0});  // 500 mm, wanted by order 6
  EXPECT_EQ(bytes_of(write_order_frame, frame), expected);
  EXPECT_EQ(expected.size(), order_frame_bytes);
  const auto read = read_order_frame(expected);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->number, 7U);
  EXPECT_EQ(read->order, frame.order);
  EXPECT_EQ(read->desync_number, 6U);
}

TEST(ATechniqueOrder, MayAskForADesyncAndNothingElse) {
  const TechniqueOrder order = *read_order("desync-m=0.5");
  EXPECT_EQ(order.desync_mm, 500);
  EXPECT_EQ(order.named, 0);
  EXPECT_FALSE(order.empty());
  EXPECT_EQ(read_order("desync-m=10.1").error().message,
            "desync-m=10.1: must be 0.001 to 10, in metres");
  for (const char* none :
       {"desync-m=0", "desync-m=-1", "desync-m=nan", "desync-m=1m", "desync-m="}) {
    EXPECT_FALSE(read_order(none)) << none;
  }
  EXPECT_EQ(joined(order, *read_order("rollback=off")).desync_mm, 500);
  EXPECT_EQ(joined(order, *read_order("desync-m=2")).desync_mm, 2'000);
}

TEST(Techniques, HaveNoDesyncAmongThem) {
  EXPECT_FALSE(with({}, "desync-m=0.5")) << "or every bot of a crowd would get one at its start";
}

TEST(ATechniqueOrder, IsAnsweredWithAllThatIsInUse) {
  const OrderAnswer answer{9, *with({}, "reconcile-beyond-m=0.00001 suggested-ms=100")};
  const Bytes bytes = bytes_of(write_order_answer, answer);
  EXPECT_EQ(bytes.size(), order_answer_bytes);
  const auto read = read_order_answer(bytes);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->number, 9U);
  EXPECT_EQ(read->techniques, answer.techniques);
}

TEST(ATechniqueOrder, IsNothingIfAByteIsWrong) {
  const Bytes order = bytes_of(write_order_frame, OrderFrame{1, *read_order("prediction=off")});
  const Bytes answer = bytes_of(write_order_answer, OrderAnswer{1, {}});
  for (std::size_t size = 0; size < order.size(); ++size) {
    EXPECT_FALSE(read_order_frame(std::span(order).first(size))) << size;
  }
  for (std::size_t size = 0; size < answer.size(); ++size) {
    EXPECT_FALSE(read_order_answer(std::span(answer).first(size))) << size;
  }
  const auto with_byte = [&](Bytes bytes, std::size_t at, int value) {
    bytes.at(at) = static_cast<std::byte>(value);
    return bytes;
  };
  EXPECT_FALSE(read_order_frame(with_byte(order, 0, 4))) << "another kind";
  EXPECT_FALSE(read_order_frame(with_byte(order, 6, 0x10))) << "names what is not there";
  EXPECT_FALSE(read_order_frame(with_byte(order, 7, 2))) << "no such reconciler";
  EXPECT_FALSE(read_order_frame(with_byte(order, 15, 0xff))) << "not a number";
  EXPECT_FALSE(read_order_frame(with_byte(order, 20, 101))) << "suggested-ms over 100";
  EXPECT_FALSE(read_order_frame(with_byte(order, 27, 0x28))) << "a desync of more than 10 m";
  EXPECT_FALSE(read_order_answer(with_byte(answer, 20, 10))) << "send-every-ms of 10";
  EXPECT_FALSE(read_order_answer(with_byte(answer, 23, 2))) << "neither off nor on";
  Bytes longer = answer;
  longer.push_back(std::byte{0});
  EXPECT_FALSE(read_order_answer(longer));
}

}  // namespace
}  // namespace perigee
