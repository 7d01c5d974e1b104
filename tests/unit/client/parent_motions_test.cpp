// Motions of bodies for prediction, apart from the entities.
#include "perigee/client/parent_motions.hpp"

#include <gtest/gtest.h>

#include <array>

namespace perigee::client {
namespace {

ParentMotion motion_of(Handle body, Tick tick, double x) {
  ParentMotion out{body, tick, {}};
  out.motion.pose.position.x = x;
  out.motion.velocity.x = 60;
  return out;
}

TEST(ParentMotions, ExtrapolateTheNewestMotion) {
  ParentMotions motions;
  EXPECT_FALSE(motions.motion_at(5, Tick{100}, 100));
  motions.store(motion_of(5, Tick{100}, 10), Tick{104});
  motions.store(motion_of(5, Tick{102}, 99), Tick{103});  // its block was overtaken
  EXPECT_EQ(motions.tick_of(5), Tick{100});
  EXPECT_NEAR(motions.motion_at(5, Tick{103}, 100)->pose.position.x, 13, 1e-9);
  EXPECT_NEAR(motions.motion_at(5, Tick{98}, 100)->pose.position.x, 8, 1e-9);
  motions.store(motion_of(5, Tick{110}, 50), Tick{110});
  EXPECT_NEAR(motions.motion_at(5, Tick{110}, 100)->pose.position.x, 50, 1e-9);
}

// The next worker announced the body before the former one did.
TEST(ParentMotions, AreThoseOfTheWorkerThatSpokeLast) {
  ParentMotions motions;
  motions.store(motion_of(5, Tick{100}, 10), Tick{100});
  motions.store(motion_of(5, Tick{90}, 0), Tick{102});
  EXPECT_EQ(motions.tick_of(5), Tick{90});
  motions.store(motion_of(5, Tick{101}, 11), Tick{101});  // late, of the former worker
  EXPECT_EQ(motions.tick_of(5), Tick{90});
}

TEST(ParentMotions, KnowWhenABodyWasHeardOf) {
  ParentMotions motions;
  motions.store(motion_of(5, Tick{100}, 0), Tick{104});
  motions.heard(std::array<Handle, 2>{4, 5}, Tick{120});
  EXPECT_EQ(motions.heard_of(5), Tick{120});
  EXPECT_FALSE(motions.heard_of(4));
  motions.heard(std::array<Handle, 1>{4}, Tick{140});
  EXPECT_EQ(motions.heard_of(5), Tick{120});
  motions.store(motion_of(5, Tick{110}, 0), Tick{110});
  EXPECT_EQ(motions.tick_of(5), Tick{110});
  EXPECT_EQ(motions.heard_of(5), Tick{120}) << "the announcement was overtaken";
}

TEST(ParentMotions, ReplaceTheBodyThatWasNotHeardOfForLongest) {
  ParentMotions motions;
  for (Handle h = 1; h <= 16; ++h) {
    motions.store(motion_of(h, Tick{100}, 0), Tick{100} + static_cast<std::int32_t>(h));
  }
  motions.heard(std::array<Handle, 1>{1}, Tick{200});
  motions.store(motion_of(17, Tick{201}, 0), Tick{201});
  EXPECT_TRUE(motions.tick_of(1));
  EXPECT_FALSE(motions.tick_of(2));
  EXPECT_TRUE(motions.tick_of(3));
  EXPECT_TRUE(motions.tick_of(17));
}

}  // namespace
}  // namespace perigee::client
