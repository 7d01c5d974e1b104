// Which builds may join the living members, and how a refusal names both builds.
#include "perigee/directory/build_rules.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace perigee::directory {
namespace {

using testing::HasSubstr;

/// A worker and a gateway of one build.
struct ABuild : testing::Test {
  ABuild() {
    workers = {{.slot = WorkerSlot{0}, .alive = true}};
    gateways = {{.slot = GatewaySlot{0}, .alive = true}};
    worker_members = {{.name = "sim-0", .build = "old"}};
    gateway_members = {{.name = "gateway-0", .build = "old"}};
  }
  std::optional<Refusal> refusal(MemberKind kind, const Speaks& speaks) const {
    return rules.refusal(kind, speaks);
  }
  std::vector<WorkerEntry> workers;
  std::vector<GatewayEntry> gateways;
  std::vector<Member> worker_members, gateway_members;
  BuildRules rules{{.workers = workers,
                    .gateways = gateways,
                    .worker_members = worker_members,
                    .gateway_members = gateway_members}};
};

TEST_F(ABuild, WithAnotherFabricIsRefusedByAnyMemberThatItWouldSpeakWith) {
  Speaks other;
  ++other.fabric;
  EXPECT_EQ(refusal(MemberKind::Worker, Speaks{}), std::nullopt);
  EXPECT_EQ(refusal(MemberKind::Worker, other), Refusal::OtherFabric);
  EXPECT_EQ(refusal(MemberKind::Gateway, other), Refusal::OtherFabric);
  workers[0].alive = false;
  EXPECT_EQ(refusal(MemberKind::Worker, other), Refusal::OtherFabric) << "the gateway's";
  EXPECT_EQ(refusal(MemberKind::Gateway, other), std::nullopt) << "gateways do not speak together";
  gateways[0].alive = false;
  EXPECT_EQ(refusal(MemberKind::Worker, other), std::nullopt);
}

TEST_F(ABuild, WithAnotherProtocolBetweenWorkersConcernsWorkersAlone) {
  Speaks other;
  ++other.workers;
  EXPECT_EQ(refusal(MemberKind::Worker, other), Refusal::OtherWorkers);
  EXPECT_EQ(refusal(MemberKind::Gateway, other), std::nullopt);
}

TEST_F(ABuild, ThatIsRefusedIsExplainedWithBothBuilds) {
  Speaks other;
  ++other.workers;
  const std::string why = rules.explain(Refusal::OtherWorkers, "sim-1", other, "new");
  EXPECT_THAT(why, HasSubstr("sim-1 of build new"));
  EXPECT_THAT(why, HasSubstr("sim-0 of build old"));
  workers[0].alive = false;
  EXPECT_EQ(rules.explain(Refusal::OtherWorkers, "sim-1", other, "new"),
            describe(Refusal::OtherWorkers))
      << "the other member is gone by now";
}

}  // namespace
}  // namespace perigee::directory
