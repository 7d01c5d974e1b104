#include "perigee/bots/activity.hpp"

#include <gtest/gtest.h>

#include <string>

namespace perigee::bots {
namespace {

TEST(AnActivity, IsOverAtFirstAndAfterItsTime) {
  Tick now{0xffffffffU};
  Activity activity(now);
  EXPECT_TRUE(activity.over());
  EXPECT_EQ(activity.mode(), Mode::Walk);
  activity.begin(Mode::Fly, 0.5);
  EXPECT_FALSE(activity.over());
  now = now + 29;
  EXPECT_FALSE(activity.over());
  now = now + 1;
  EXPECT_TRUE(activity.over());
  EXPECT_EQ(activity.mode(), Mode::Fly) << "until another one begins";
}

TEST(AnActivity, HasAName) {
  const Tick now{5};
  Activity activity(now);
  activity.begin(Mode::Voyage, 1);
  EXPECT_EQ(std::string(activity.name()), "voyage");
}

}  // namespace
}  // namespace perigee::bots
