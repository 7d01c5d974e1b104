#include "perigee/host/session_news.hpp"

#include <gtest/gtest.h>

namespace perigee::host {
namespace {

std::uint64_t next_release(SessionNews& news) {
  const auto item = news.take();
  return item && item->index() == 0 ? std::get<SessionRelease>(*item).client_id : 0;
}

TEST(SessionNews, AreTakenInTheOrderInWhichTheyCame) {
  SessionNews news;
  EXPECT_TRUE(news.add(SessionRelease{.client_id = 1}));
  EXPECT_TRUE(news.add(SessionRelease{.client_id = 2}));
  EXPECT_EQ(next_release(news), 1U);
  EXPECT_EQ(next_release(news), 2U);
  EXPECT_FALSE(news.take());
}

TEST(SessionNews, KeepTheNewestOfAClientAndKind) {
  SessionNews news;
  news.add(TechniqueReport{.client_id = 1, .order = 7});
  news.add(SessionRelease{.client_id = 1});
  news.add(TechniqueReport{.client_id = 1, .order = 8});
  EXPECT_TRUE(news.put_back(TechniqueReport{.client_id = 1, .order = 6}));
  const auto first = news.take();
  ASSERT_TRUE(first && std::holds_alternative<TechniqueReport>(*first));
  EXPECT_EQ(std::get<TechniqueReport>(*first).order, 8U);
  EXPECT_EQ(next_release(news), 1U);
  EXPECT_FALSE(news.take());
}

TEST(SessionNews, LetTheOldestGoWhenTooManyWait) {
  SessionNews news;
  for (std::uint64_t id = 1; id <= SessionNews::waiting_max; ++id) {
    ASSERT_TRUE(news.add(SessionRelease{.client_id = id}));
  }
  EXPECT_FALSE(news.add(SessionRelease{.client_id = SessionNews::waiting_max + 1}));
  EXPECT_EQ(next_release(news), 2U);
}

}  // namespace
}  // namespace perigee::host
