#include "perigee/replication/entity_slots.hpp"

#include <gtest/gtest.h>

#include <set>

#include "sky.hpp"

namespace perigee::replication {
namespace {

Publication of(std::initializer_list<Handle> handles) {
  Publication out;
  for (const Handle h : handles) {
    out.push_back(thing(h, {}));
    out.back().identity = h;
  }
  return out;
}

TEST(ASlot, StaysWhileOthersComeAndGo) {
  EntitySlots slots(8);
  slots.update(of({2, 4, 6}));
  const std::uint32_t four = slots.find(4);
  slots.update(of({1, 3, 4, 5}));
  EXPECT_EQ(slots.find(4), four);
  EXPECT_EQ(slots.published_at(four), 2U);
  EXPECT_EQ(slots.born().size(), 3U);
  EXPECT_EQ(slots.dying().size(), 2U);
  EXPECT_EQ(slots.find(2), EntitySlots::none);
}

TEST(ASlot, IsNotGrantedAnewWhileSomebodyKnowsTheFormerOwner) {
  EntitySlots slots(2);
  slots.update(of({1, 2}));
  const std::uint32_t one = slots.find(1);
  slots.add_knower(one);
  for (Handle h = 10; h < 30; ++h) {
    slots.update(of({h, h + 100}));
    EXPECT_NE(slots.find(h), one);
    EXPECT_EQ(slots.handle(one), 1U);
  }
  slots.remove_knower(one);
  std::set<std::uint32_t> granted;
  for (Handle h = 200; h < 210; ++h) {
    slots.update(of({h, h + 100}));
    granted.insert(slots.find(h));
  }
  EXPECT_TRUE(granted.contains(one));
}

TEST(Slots, LeaveOutWhatDoesNotFit) {
  EntitySlots slots(2);
  slots.update(of({1, 2, 3}));
  EXPECT_EQ(slots.find(3), EntitySlots::none);
  slots.update(of({2, 3}));
  EXPECT_NE(slots.find(3), EntitySlots::none);
}

TEST(Slots, TellAnIdentityUnderAnotherHandleFromTheFormer) {
  EntitySlots slots(4);
  slots.update(of({1, 2}));
  const std::uint32_t old = slots.find(2);
  Publication again = of({1, 9});
  again[1].identity = 2;
  slots.update(again);
  EXPECT_EQ(slots.find(2), EntitySlots::none);
  EXPECT_NE(slots.find(9), old);
  EXPECT_EQ(slots.dying().size(), 1U);
}

}  // namespace
}  // namespace perigee::replication
