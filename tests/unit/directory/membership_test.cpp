// Members' slots, heartbeats and silence, without regions or standbys to decide about.
#include "perigee/directory/membership.hpp"

#include "components.hpp"

namespace perigee::directory {
namespace {

using AMembership = Components;
using Received = Membership::Received;

TEST_F(AMembership, GivesTheSlotOfANameThatTimedOutToANewcomerBeforeTheMapGrows) {
  join(0);
  join(1);
  members.end_worker(WorkerSlot{0});
  pass(3'600 * one_second);
  EXPECT_EQ(members.worker_slot(now_us, "sim-9"), 2U) << "its worker may still come back";
  pass(1);
  EXPECT_EQ(members.worker_slot(now_us, "sim-9"), 0U);
  EXPECT_EQ(members.worker_slot(now_us, "sim-1"), 1U) << "a name keeps its slot";
  EXPECT_TRUE(members.given_up(now_us, WorkerSlot{0}));
  EXPECT_EQ(beat(0), Received::Refused);
}

TEST_F(AMembership, RevivesWorkersThatFellSilentTogetherIfNoOtherHasLivedSince) {
  three_owners();
  pass(one_second);
  ASSERT_EQ(beat(2), Received::Alive);
  pass(4 * one_second);
  for (const WorkerSlot i : worker_slots(3)) members.end_worker(i);
  EXPECT_EQ(beat(0), Received::Alive);
  EXPECT_TRUE(map.workers[1].alive);
  EXPECT_TRUE(map.workers[2].alive) << "its last heartbeat was at most two seconds apart";
}

TEST_F(AMembership, RefusesAWorkerThatReturnsWhileAnotherIncarnations) {
  three_owners();
  members.end_worker(WorkerSlot{1});
  EXPECT_EQ(beat(1), Received::Refused);
  EXPECT_FALSE(map.workers[1].alive);
}

TEST_F(AMembership, RefusesAnClusterIdThatHasEnded) {
  three_owners();
  members.end_incarnation(WorkerSlot{1});
  EXPECT_EQ(beat(1), Received::Refused);
  EXPECT_FALSE(members.goes_on(now_us, 1, introduction_of(1)));
  EXPECT_TRUE(members.goes_on(now_us, 2, introduction_of(2)));
  EXPECT_FALSE(members.goes_on(now_us, 2, introduction_of(2, 99))) << "another process";
}

TEST_F(AMembership, SilenceIsCountedFromTheLastHeartbeatWithoutStallsOfTheDirectory) {
  three_owners();
  pass(5 * one_second);
  EXPECT_FALSE(members.silent(now_us, WorkerSlot{0}));
  pass(1);
  EXPECT_TRUE(members.silent(now_us, WorkerSlot{0}));
  members.forgive_stall(now_us, one_second);
  EXPECT_FALSE(members.silent(now_us, WorkerSlot{0}));
}

TEST_F(AMembership, AGatewayThatWasSilentMayReturn) {
  const GatewayIntroduction gateway{"gateway-0", Address::v4(127, 0, 0, 1, 40'030),
                                    Address::v4(203, 0, 113, 7, 40'000), 5};
  ASSERT_TRUE(std::holds_alternative<Grant>(members.admit(now_us, gateway)));
  pass(6 * one_second);
  members.end_silent_gateways(now_us);
  EXPECT_FALSE(map.gateways[0].alive);
  EXPECT_EQ(members.gateway_deaths(), 1U);
  const Membership::Process process{MemberKind::Gateway, 0, "gateway-0", 7, 5};
  EXPECT_EQ(members.heartbeat(now_us, process), Received::Returned);
  EXPECT_TRUE(map.gateways[0].alive);
  EXPECT_EQ(members.heartbeat(now_us, process), Received::Alive);
}

TEST_F(AMembership, AMemberOfAnotherBuildDoesNotReturnBesideTheLivingOnes) {
  GatewayIntroduction gateway{"gateway-0", Address::v4(127, 0, 0, 1, 40'030),
                              Address::v4(203, 0, 113, 7, 40'000), 5};
  ASSERT_TRUE(std::holds_alternative<Grant>(members.admit(now_us, gateway)));
  members.end_gateway(GatewaySlot{0});
  WorkerIntroduction other = introduction_of(0);
  ++other.speaks.fabric;
  const WorkerEntry wanted{.fabric = other.fabric, .incarnation = Incarnation{1}};
  ASSERT_TRUE(std::holds_alternative<std::size_t>(members.admit(now_us, other, wanted)));
  EXPECT_EQ(members.heartbeat(now_us, {MemberKind::Gateway, 0, "gateway-0", 7, 5}),
            Received::Refused);
  EXPECT_EQ(std::get<Refusal>(members.admit(now_us, gateway)), Refusal::OtherFabric);
}

}  // namespace
}  // namespace perigee::directory
