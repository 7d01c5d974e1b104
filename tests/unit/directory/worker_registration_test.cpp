// Registration of workers: which incarnation a process has, and with which handles.
#include "perigee/directory/worker_registration.hpp"

#include "components.hpp"

namespace perigee::directory {
namespace {

struct ARegistration : FailoverComponents {
  Admission admit(const WorkerIntroduction& introduction) {
    return registration.admit(now_us, introduction);
  }
  Grant granted(const WorkerIntroduction& introduction) {
    return std::get<Grant>(admit(introduction));
  }
  HandleBlocks blocks{0, now_us};
  WorkerRegistration registration{{.map = map,
                                   .schema_hash = map.schema_hash,
                                   .version = map.version,
                                   .members = members,
                                   .blocks = blocks,
                                   .reports = reports,
                                   .losses = losses,
                                   .uncopied = uncopied,
                                   .standbys = standbys,
                                   .failover = failover}};
};

TEST_F(ARegistration, OfTheSameProcessChangesNothing) {
  const Grant first = granted(introduction_of(0));
  EXPECT_EQ(first.handle_base, HandleBase{handles_per_worker});
  EXPECT_EQ(map.workers[0].incarnation, Incarnation{1});
  members.set_draining(WorkerSlot{0}, true);
  const ClusterMap before = map;
  const Grant again = granted(introduction_of(0));
  EXPECT_EQ(again.handle_base, first.handle_base);
  EXPECT_EQ(map, before);
  EXPECT_EQ(blocks.granted(), 1U);
}

TEST_F(ARegistration, OfAnotherProcessBeginsAnClusterIdWithOtherHandles) {
  granted(introduction_of(0));
  regions.assign(RegionId{0}, WorkerSlot{0});
  report(0, {.entities = 5});
  members.set_draining(WorkerSlot{0}, true);
  const Grant second = granted(introduction_of(0, 99));
  EXPECT_EQ(second.slot, 0);
  EXPECT_EQ(second.handle_base, HandleBase{2 * handles_per_worker});
  EXPECT_EQ(map.workers[0].incarnation, Incarnation{2});
  EXPECT_FALSE(map.workers[0].draining);
  EXPECT_EQ(region(0).owner, std::nullopt) << "the content of the first is lost";
  EXPECT_EQ(reports.of(WorkerSlot{0}), nullptr);
}

TEST_F(ARegistration, UnderTheNameOfALivingWorkerElsewhereEndsNothing) {
  granted(introduction_of(0));
  regions.assign(RegionId{0}, WorkerSlot{0});
  WorkerIntroduction other = introduction_of(0, 99);
  other.fabric.port += 500;
  const ClusterMap before = map;
  EXPECT_EQ(std::get<Refusal>(admit(other)), Refusal::NameTaken);
  EXPECT_EQ(map, before);
}

TEST_F(ARegistration, OfAnotherGameIsRefusedWhileAWorkerIncarnations) {
  granted(introduction_of(0));
  WorkerIntroduction other = introduction_of(1);
  other.schema_hash = 8;
  EXPECT_EQ(std::get<Refusal>(admit(other)), Refusal::OtherGame);
  members.end_worker(WorkerSlot{0});
  granted(other);
  EXPECT_EQ(map.schema_hash, 8U);
}

TEST_F(ARegistration, IsRefusedIfEveryBlockOfHandlesMayBeInUse) {
  granted(introduction_of(0));
  for (std::uint32_t block = 2; block <= handle_blocks_max; ++block)
    blocks.grant(HandleBlock{block}, now_us);
  const ClusterMap before = map;
  EXPECT_EQ(std::get<Refusal>(admit(introduction_of(1))), Refusal::NoHandles);
  EXPECT_EQ(map, before);
  EXPECT_EQ(granted(introduction_of(0)).handle_base, HandleBase{handles_per_worker})
      << "it needs no other";
}

TEST_F(ARegistration, OfAStandbyAnewLeavesItWithoutReplicas) {
  granted(introduction_of(0));
  granted(introduction_of(1));
  standbys.choose();
  ASSERT_EQ(standby_of(0), WorkerSlot{1});
  granted(introduction_of(1, 99));
  EXPECT_EQ(map.workers[0].standby, std::nullopt);
}

}  // namespace
}  // namespace perigee::directory
