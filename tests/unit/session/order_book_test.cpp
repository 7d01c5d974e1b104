#include "perigee/session/order_book.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace perigee::session {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Session playing(std::uint64_t client_id, const std::string& name = "Ada") {
  return {.client_id = client_id, .player_name = name, .state = SessionState::Playing};
}
Session in_state(SessionState state) {
  return {.client_id = 9, .player_name = "Ada", .state = state};
}

struct AnOrderBook : testing::Test {
  std::uint64_t opened(const std::vector<Session>& sessions) {
    const auto order = book.open(now_us, sessions);
    EXPECT_TRUE(std::holds_alternative<std::uint64_t>(order));
    return std::get<std::uint64_t>(order);
  }
  OrderRefused refused(const std::vector<Session>& sessions) {
    return std::get<OrderRefused>(book.open(now_us, sessions));
  }
  OrderBook book;
  Micros now_us = 1'000;
};

TEST_F(AnOrderBook, IsCompleteOnceEverybodyHasAnswered) {
  const std::uint64_t order = opened({playing(1), playing(2)});
  EXPECT_THAT(book.clients(order), ElementsAre(1, 2));
  book.answered(order, 1, "prediction=on");
  book.answered(order, 1, "prediction=off");
  EXPECT_FALSE(book.complete(order)) << "the same client twice";
  book.answered(order, 7, "prediction=on");
  EXPECT_FALSE(book.complete(order)) << "who was not asked";
  book.answered(order, 2, "prediction=off");
  EXPECT_TRUE(book.complete(order));
  const auto players = book.close(order);
  ASSERT_EQ(players.size(), 2U);
  EXPECT_EQ(players[0].techniques, "prediction=on");
  EXPECT_EQ(players[1].techniques, "prediction=off");
}

// The gateway merges two orders into one, and the client answers that.
TEST_F(AnOrderBook, TakesAnAnswerForAllOrdersBeforeIt) {
  const std::uint64_t first = opened({playing(1)});
  const std::uint64_t second = opened({playing(1)});
  const std::uint64_t third = opened({playing(1)});
  book.answered(second, 1, "prediction=on");
  EXPECT_TRUE(book.complete(first));
  EXPECT_TRUE(book.complete(second));
  EXPECT_FALSE(book.complete(third));
}

TEST_F(AnOrderBook, CountsOnFromWhereAnEarlierIncarnationMayHaveBeen) {
  const std::uint64_t before = opened({playing(1)});
  OrderBook next_incarnation;
  const auto after = next_incarnation.open(now_us + 1'000'000, {playing(1)});
  EXPECT_GT(std::get<std::uint64_t>(after), before);
  next_incarnation.answered(before, 1, "prediction=on");
  EXPECT_FALSE(next_incarnation.complete(std::get<std::uint64_t>(after)));
  EXPECT_GT(opened({playing(1)}), before) << "also within a microsecond";
}

TEST_F(AnOrderBook, RefusesInASentence) {
  EXPECT_EQ(refused({}).reason, OrderRefusal::NoSession);
  EXPECT_EQ(refused({in_state(SessionState::Left)}).reason, OrderRefusal::NoSession);
  for (const SessionState state : {SessionState::Lost, SessionState::Waiting}) {
    const OrderRefused away = refused({in_state(state)});
    EXPECT_EQ(away.reason, OrderRefusal::NotConnected);
    EXPECT_THAT(away.sentence, HasSubstr("Ada is in a session, but not connected now"));
  }
  EXPECT_THAT(book.clients(opened({in_state(SessionState::Lost), playing(3)})), ElementsAre(3));
}

TEST_F(AnOrderBook, HoldsSoManyOrdersAndNoMore) {
  std::vector<std::uint64_t> orders;
  while (orders.size() < OrderBook::open_max) orders.push_back(opened({playing(1)}));
  EXPECT_EQ(refused({playing(1)}).reason, OrderRefusal::TooMany);
  book.close(orders[3]);
  opened({playing(1)});
}

TEST_F(AnOrderBook, IgnoresAnswersOfNoSize) {
  const std::uint64_t order = opened({playing(1)});
  book.answered(order, 1, "");
  book.answered(order, 1, std::string(OrderBook::text_bytes_max + 1, 'x'));
  EXPECT_FALSE(book.complete(order));
}

TEST(SettingsOfAnOrder, AreRefusedBeforeTheyTravel) {
  EXPECT_FALSE(refuse_settings("smoothing=exponential rollback=off"));
  EXPECT_FALSE(refuse_settings("")) << "a question";
  EXPECT_THAT(refuse_settings("smothing=none")->sentence, HasSubstr("no technique 'smothing'"));
  EXPECT_EQ(refuse_settings("rollback=maybe")->reason, OrderRefusal::BadSettings);
  EXPECT_TRUE(refuse_settings(std::string(2'000, ' ')));
}

}  // namespace
}  // namespace perigee::session
