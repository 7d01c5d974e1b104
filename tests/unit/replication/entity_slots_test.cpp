#include "perigee/replication/entity_slots.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <vector>

namespace perigee::replication {
namespace {

TEST(ASlot, StaysWhileOthersComeAndGo) {
  EntitySlots slots(8);
  for (const Handle h : std::initializer_list<Handle>{2, 4, 6}) slots.add(h, h);
  const std::uint32_t four = slots.find(4);
  for (const Handle h : std::initializer_list<Handle>{2, 6}) slots.declare_dead(slots.find(h));
  for (const Handle h : std::initializer_list<Handle>{1, 3, 5}) slots.add(h, h);
  slots.reclaim();
  EXPECT_EQ(slots.find(4), four);
  EXPECT_EQ(slots.handle(four), 4U);
  EXPECT_TRUE(slots.alive(four));
  EXPECT_EQ(slots.find(2), EntitySlots::none);
}

TEST(ASlot, IsNotGrantedAnewWhileSomebodyKnowsTheFormerOwner) {
  EntitySlots slots(2);
  const std::uint32_t one = slots.add(1, 1);
  slots.add_subscriber(one);
  slots.declare_dead(one);
  const auto come_and_go = [&](Handle h) {
    slots.reclaim();
    const std::uint32_t slot = slots.add(h, h);
    slots.declare_dead(slot);
    return slot;
  };
  for (Handle h = 10; h < 30; ++h) {
    EXPECT_NE(come_and_go(h), one);
    EXPECT_EQ(slots.handle(one), 1U);
  }
  slots.remove_subscriber(one);
  std::set<std::uint32_t> granted;
  for (Handle h = 200; h < 210; ++h) granted.insert(come_and_go(h));
  EXPECT_TRUE(granted.contains(one));
}

TEST(Slots, LeaveOutWhatDoesNotFit) {
  EntitySlots slots(2);
  for (const Handle h : std::initializer_list<Handle>{1, 2}) slots.add(h, h);
  EXPECT_EQ(slots.add(3, 3), EntitySlots::none);
  slots.declare_dead(slots.find(1));
  EXPECT_NE(slots.add(3, 3), EntitySlots::none);
}

TEST(Slots, OfAPhaseClassShareTheirPages) {
  constexpr Handle count = 480;
  EntitySlots slots(count);
  std::map<std::uint32_t, std::set<std::uint32_t>> classes_of_page;
  for (Handle h = 1; h <= count; ++h) {
    classes_of_page[slots.add(h, h) / slots_per_page].insert(phase_class(h));
  }
  for (const auto& [page, classes] : classes_of_page) EXPECT_EQ(classes.size(), 1U) << page;
  EXPECT_LE(classes_of_page.size(), count / slots_per_page + phase_classes);
}

TEST(Slots, OfOtherPhaseClassesAreTakenWhenTheOwnOnesAreInUse) {
  constexpr Handle count = 2 * slots_per_page;
  EntitySlots slots(count);
  std::vector<Handle> of_one_class;
  for (Handle h = 1; of_one_class.size() < count; ++h) {
    if (phase_class(h) == 3) of_one_class.push_back(h);
  }
  std::set<std::uint32_t> granted;
  for (Handle turn = 0; turn < 3; ++turn) {
    for (Handle h = 1; h <= count; ++h) granted.insert(slots.add(100 * turn + h, h));
    for (Handle h = 1; h <= count; ++h) slots.declare_dead(slots.find(h));
    slots.reclaim();
  }
  EXPECT_EQ(granted.size(), slots.capacity());
  EXPECT_FALSE(granted.contains(EntitySlots::none));
  granted.clear();
  for (const Handle h : of_one_class) granted.insert(slots.add(h, h));
  EXPECT_EQ(granted.size(), count);
  EXPECT_FALSE(granted.contains(EntitySlots::none));
}

// Stale references to a slot's former entity may still exist, so slots are not reused at once.
TEST(Slots, AreGrantedInTurn) {
  EntitySlots slots(8);
  std::uint32_t before = slots.add(1, 1);
  for (Handle h = 2; h < 12; ++h) {
    slots.declare_dead(slots.find(h - 1));
    slots.reclaim();
    const std::uint32_t slot = slots.add(h, h);
    EXPECT_EQ(slot, (before + 1) % slots.capacity());
    before = slot;
  }
}

}  // namespace
}  // namespace perigee::replication
