#include <gtest/gtest.h>

#include "perigee/transport/server_events.hpp"

namespace perigee::transport {
namespace {

TEST(TheEventsOfAServer, AreTakenInOrderAndMakeRoomAgain) {
  ServerEvents events(1);
  for (std::uint32_t round = 0; round < 3; ++round) {
    for (std::uint32_t slot = 0; slot < 4; ++slot) events.push({.slot = slot});
    for (std::uint32_t slot = 0; slot < 4; ++slot) EXPECT_EQ(events.take()->slot, slot);
    EXPECT_FALSE(events.take());
  }
}

TEST(TheEventsOfAServer, MayGrowWhileTheyAreTaken) {
  ServerEvents events(1);
  events.push({.slot = 1});
  EXPECT_EQ(events.take()->slot, 1U);
  events.push({.slot = 2});
  EXPECT_EQ(events.take()->slot, 2U);
  EXPECT_FALSE(events.take());
}

TEST(TheEventsOfAServerDeathTest, AreBounded) {
  ServerEvents events(1);
  for (int i = 0; i < 4; ++i) events.push({});
  EXPECT_DEATH(events.push({}), "take_event");
}

}  // namespace
}  // namespace perigee::transport
