#include "perigee/rooms/fleet_member.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace perigee::rooms {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;
using Call = FleetCall;

constexpr Micros second_us = 1'000'000;

TEST(FleetStates, AreThoseThatMakeADifference) {
  EXPECT_EQ(fleet_state("Ready"), FleetState::Ready);
  EXPECT_EQ(fleet_state("Allocated"), FleetState::Allocated);
  EXPECT_EQ(fleet_state("Shutdown"), FleetState::Ending);
  EXPECT_EQ(fleet_state("RequestReady"), FleetState::Starting);
  for (const char* other : {"", "ready", "Unhealthy", "Error", "Nonsense"}) {
    EXPECT_EQ(fleet_state(other), std::nullopt) << other;
  }
}

class AFleetMember : public testing::Test {
 protected:
  /// All calls that are due, answered at once.
  std::vector<Call> calls(FleetAnswer answer = FleetAnswer::Done) {
    std::vector<Call> out;
    while (const auto call = member.next(now_us, figures)) {
      member.on_answer(now_us, *call, answer);
      out.push_back(*call);
    }
    return out;
  }
  std::vector<Call> calls_after(Micros us, FleetAnswer answer = FleetAnswer::Done) {
    now_us += us;
    return calls(answer);
  }

  FleetMember member;
  FleetFigures figures;
  Micros now_us = 100 * second_us;
};

TEST_F(AFleetMember, IsReadyOnceAndSaysWhatItHas) {
  EXPECT_THAT(calls(),
              ElementsAre(Call::Ready, Call::LabelSchema, Call::CountRooms, Call::CountPlayers));
  for (int i = 0; i < 100; ++i) EXPECT_THAT(calls_after(second_us), IsEmpty());
}

TEST_F(AFleetMember, IsAllocatedWhileItHasRooms) {
  calls();
  figures.rooms = 1;
  EXPECT_THAT(calls_after(3 * second_us), ElementsAre(Call::Allocate, Call::CountRooms));
  figures.rooms = 2;
  EXPECT_THAT(calls_after(3 * second_us), ElementsAre(Call::CountRooms));
  figures.rooms = 0;
  EXPECT_THAT(calls_after(3 * second_us), ElementsAre(Call::CountRooms));
  EXPECT_THAT(calls_after(FleetMember::idle_us - 3 * second_us - 1), IsEmpty());
  EXPECT_THAT(calls_after(1), ElementsAre(Call::Ready));
}

TEST_F(AFleetMember, LeavesAMatchmakerTimeToBeginARoom) {
  calls();
  member.on_state(now_us, FleetState::Allocated);
  EXPECT_THAT(calls_after(FleetMember::idle_us - 1), IsEmpty());
  figures.rooms = 1;
  EXPECT_THAT(calls(), ElementsAre(Call::CountRooms));
  EXPECT_THAT(calls_after(FleetMember::idle_us), IsEmpty());
}

TEST_F(AFleetMember, IsReadyAgainIfItWasTakenForNothing) {
  calls();
  member.on_state(now_us, FleetState::Allocated);
  EXPECT_THAT(calls_after(FleetMember::idle_us), ElementsAre(Call::Ready));
}

TEST_F(AFleetMember, InsistsOnBeingAllocated) {
  calls();
  figures.rooms = 1;
  calls();
  member.on_state(now_us, FleetState::Ready);  // an old message, or an operator
  EXPECT_THAT(calls(), ElementsAre(Call::Allocate));
}

TEST_F(AFleetMember, RepeatsWhatFailedLessAndLessOften) {
  int attempts = 0;
  for (int tenth = 0; tenth < 600; ++tenth) {
    attempts += static_cast<int>(
        std::ranges::count(calls_after(second_us / 10, FleetAnswer::Failed), Call::Ready));
  }
  EXPECT_GE(attempts, 5);
  EXPECT_LE(attempts, 8);
  now_us += FleetMember::pause_us_max;
  EXPECT_THAT(calls(), Contains(Call::Ready));
}

TEST_F(AFleetMember, HasOneCallOfAKindUnderWay) {
  std::vector<Call> begun;
  while (const auto call = member.next(now_us, figures)) begun.push_back(*call);
  now_us += 3'600 * second_us;
  EXPECT_EQ(member.next(now_us, figures), std::nullopt);
  EXPECT_THAT(begun,
              ElementsAre(Call::Ready, Call::LabelSchema, Call::CountRooms, Call::CountPlayers));
}

TEST_F(AFleetMember, CountsAtMostOnceInTwoSeconds) {
  calls();
  int counted = 0;
  for (int tenth = 0; tenth < 100; ++tenth) {
    figures.players = static_cast<std::uint32_t>(tenth);
    counted += static_cast<int>(calls_after(second_us / 10).size());
  }
  EXPECT_EQ(counted, 5);
}

TEST_F(AFleetMember, TellsTheNewestCountAfterAFailure) {
  calls();
  figures.players = 3;
  EXPECT_THAT(calls_after(3 * second_us, FleetAnswer::Failed), ElementsAre(Call::CountPlayers));
  figures.players = 0;
  EXPECT_THAT(calls_after(3 * second_us), IsEmpty());  // the manager still has 0
}

TEST_F(AFleetMember, ForgetsACounterThatTheFleetDoesNotHave) {
  calls(FleetAnswer::NoSuchThing);
  figures.players = figures.rooms = 1;
  const auto later = calls_after(3'600 * second_us);
  EXPECT_THAT(later, Not(Contains(Call::CountPlayers)));
  EXPECT_THAT(later, Contains(Call::Allocate));
}

TEST_F(AFleetMember, DrainsWithoutBeingReadyAgain) {
  calls();
  figures.rooms = 1;
  calls_after(3 * second_us);
  figures.leaving = true;
  figures.rooms = 0;
  EXPECT_THAT(calls_after(10 * FleetMember::idle_us), ElementsAre(Call::CountRooms));
  figures.ended = true;
  EXPECT_FALSE(member.shut_down());
  EXPECT_THAT(calls(), ElementsAre(Call::Shutdown));
  EXPECT_TRUE(member.shut_down());
  EXPECT_THAT(calls_after(3'600 * second_us), IsEmpty());
}

TEST_F(AFleetMember, LeavesWhenTheManagerSaysSo) {
  calls();
  EXPECT_FALSE(member.told_to_leave());
  member.on_state(now_us, FleetState::Ending);
  EXPECT_TRUE(member.told_to_leave());
  figures.rooms = 1;
  EXPECT_THAT(calls_after(3 * second_us), ElementsAre(Call::CountRooms));
}

}  // namespace
}  // namespace perigee::rooms
