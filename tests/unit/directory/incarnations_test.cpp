// Members that are alive or presumed dead, and the grant to the next incarnation of a name.
#include <set>

#include "a_directory.hpp"

namespace perigee::directory {
namespace {

TEST_F(ADirectory, BuriesTheSilentAndPassesTheirRegionsOn) {
  join(worker(0));
  join(worker(1));
  pass(5, {0});
  EXPECT_TRUE(core.map().worker(WorkerSlot{1})->alive) << "five seconds are just forgiven";
  const std::uint64_t before = version();
  pass(1, {0});
  EXPECT_FALSE(core.map().worker(WorkerSlot{1})->alive);
  EXPECT_EQ(region(1).owner, WorkerSlot{0});
  EXPECT_EQ(region(1).epoch, Epoch{3}) << "one for the loss, one for the new owner";
  EXPECT_EQ(region(1).created_epoch, Epoch{3}) << "what was in it died with its owner";
  EXPECT_EQ(region(0).epoch, Epoch{1});
  EXPECT_EQ(region(0).created_epoch, Epoch{1});
  EXPECT_GT(version(), before);
  EXPECT_EQ(core.deaths(), 1U);
}

TEST_F(ADirectory, CountsTheIncarnationsOfAWorkerByItsInstances) {
  WorkerIntroduction introduction = worker(0);
  introduction.instance = 11;
  join(introduction);
  join(worker(1));
  EXPECT_EQ(core.map().worker(WorkerSlot{0})->incarnation, Incarnation{1});
  const ClusterMap before = core.map();
  join(introduction);
  EXPECT_EQ(core.map(), before) << "the same instance is the same incarnation";

  introduction.instance = 12;
  EXPECT_EQ(join(introduction).slot, 0);
  EXPECT_EQ(core.map().worker(WorkerSlot{0})->incarnation, Incarnation{2});
  EXPECT_FALSE(region(0).owner) << "the other one may have died, too";
  pass(1, {0, 1});
  EXPECT_EQ(region(0).owner, WorkerSlot{0});
  EXPECT_EQ(region(0).epoch, Epoch{before.regions[0].epoch.number + 2});
  EXPECT_FALSE(region(0).from_checkpoint);
  EXPECT_EQ(region(0).created_epoch, region(0).epoch) << "its content is lost";
  EXPECT_GT(version(), before.version);
  EXPECT_EQ(*core.map().worker(WorkerSlot{1}), before.workers[1]);
  EXPECT_EQ(region(1), before.regions[1]) << "nobody else is concerned";

  pass(6, {1});
  introduction.instance = 13;
  join(introduction);
  EXPECT_EQ(core.map().worker(WorkerSlot{0})->incarnation, Incarnation{3})
      << "after a noticed death, too";
}

TEST_F(ADirectory, SaysWhatWasLostTogetherWithEverythingElse) {
  WorkerIntroduction first = worker(0);
  WorkerIntroduction other = worker(1);
  first.instance = other.instance = 1;
  join(first);
  join(other);
  EXPECT_FALSE(region(0).from_checkpoint || region(1).from_checkpoint)
      << "a new world has no checkpoint";
  pass(3, {0, 1});
  first.instance = other.instance = 2;
  join(first);
  EXPECT_FALSE(region(0).owner) << "it is not clear yet";
  join(other);
  for (const std::uint32_t id : {0U, 1U}) {
    EXPECT_TRUE(region(id).owner);
    EXPECT_TRUE(region(id).from_checkpoint) << id;
    EXPECT_EQ(region(id).created_epoch, region(id).epoch);
  }
  pass(3, {0, 1});
  other.instance = 3;
  join(other);
  pass(1, {0, 1});
  EXPECT_TRUE(region(1).owner);
  EXPECT_FALSE(region(1).from_checkpoint) << "alone";
}

TEST_F(ADirectory, WaitsForTheSilenceOfWhoDoesNotComeBack) {
  WorkerIntroduction first = worker(0);
  first.instance = 1;
  join(first);
  join(worker(1));
  pass(3, {0, 1});
  first.instance = 2;
  join(first);
  pass(4, {0});
  EXPECT_FALSE(region(0).owner);
  pass(2, {0});
  EXPECT_TRUE(region(0).from_checkpoint && region(1).from_checkpoint);
  EXPECT_EQ(region(1).owner, WorkerSlot{0});
}

TEST_F(ADirectory, KnowsAfterItsOwnRestartThatAllWasLost) {
  WorkerIntroduction first = worker(0);
  WorkerIntroduction other = worker(1);
  first.instance = other.instance = 1;
  join(first);
  join(other);
  pass(3, {0, 1});
  core = Core(CoreSettings{}, core.saved(), now_us);
  first.instance = other.instance = 2;
  join(other);
  pass(1, {1});
  join(first);
  EXPECT_TRUE(region(0).from_checkpoint && region(1).from_checkpoint);
  // A restart of the directory alone does not restore regions from a checkpoint.
  pass(3, {0, 1});
  const Epoch epoch = region(0).epoch;
  core = Core(CoreSettings{}, core.saved(), now_us);
  pass(6, {0, 1});
  EXPECT_EQ(region(0).epoch, epoch);
}

TEST_F(ADirectory, GrantsNoHandleToTwoIncarnations) {
  std::set<HandleBase> blocks;
  WorkerIntroduction again = worker(0);
  for (again.instance = 1; again.instance <= 5; ++again.instance) {
    const Grant grant = join(again);
    EXPECT_EQ(grant.slot, 0);
    EXPECT_TRUE(blocks.insert(grant.handle_base).second) << "given before";
    EXPECT_EQ(grant.handle_base.number % handles_per_worker, 0U);
    EXPECT_EQ(core.map().worker(WorkerSlot{0})->handle_base, grant.handle_base);
    EXPECT_EQ(join(again).handle_base, grant.handle_base) << "the same incarnation";
    blocks.insert(join(worker(1)).handle_base);
    core = Core(CoreSettings{}, core.saved(), now_us);
  }
  EXPECT_EQ(blocks.size(), 5U + 1);
}

// A file in the former format lacks the number of granted blocks: then it is one per slot.
TEST_F(ADirectory, GrantsNoHandleAgainAfterAnUpgrade) {
  WorkerIntroduction again = worker(0);
  again.instance = 11;
  join(again);
  join(worker(1));
  Saved saved = core.saved();
  saved.handle_blocks = 0;
  core = Core(CoreSettings{}, saved, now_us);
  again.instance = 12;
  EXPECT_EQ(join(again).handle_base, HandleBase{3U << 20});
}

TEST_F(ADirectory, RefusesNewIncarnationsOnceAllHandlesAreGranted) {
  WorkerIntroduction again = worker(0);
  for (again.instance = 1; again.instance <= handle_blocks_max; ++again.instance) {
    join(again);
  }
  EXPECT_EQ(core.handle_blocks_left(now_us), 0U);
  EXPECT_EQ(core.map().worker(WorkerSlot{0})->handle_base, HandleBase{0xfff0'0000U});
  const ClusterMap before = core.map();
  EXPECT_EQ(refused(again), Refusal::NoHandles);
  EXPECT_EQ(refused(worker(1)), Refusal::NoHandles);
  EXPECT_EQ(core.map(), before);
  --again.instance;
  EXPECT_EQ(join(again).handle_base, HandleBase{0xfff0'0000U}) << "who lives goes on";
  EXPECT_NE(describe(Refusal::NoHandles).find("--new-world"), std::string_view::npos);
}

TEST_F(ADirectory, GivesNoNewIncarnationToATwinThatItRefuses) {
  join(worker(0));
  const ClusterMap before = core.map();
  WorkerIntroduction twin = worker(0);
  twin.fabric.port = 41'000;
  twin.instance = 12;
  EXPECT_EQ(refused(twin), Refusal::NameTaken);
  EXPECT_EQ(core.map(), before);
  EXPECT_EQ(core.saved().handle_blocks, 1U);
  EXPECT_NE(describe(Refusal::NameTaken).find("--sim-name or --gateway-name"),
            std::string_view::npos);
}

// Two members at one address: senders would seal for the first and the second would refuse it all.
TEST_F(ADirectory, RefusesAMemberAtTheAddressOfAnother) {
  join(worker(0));
  WorkerIntroduction squatter = worker(1);
  squatter.fabric = worker(0).fabric;
  EXPECT_EQ(refused(squatter), Refusal::AddressTaken);
  GatewayIntroduction intruder = gateway(0);
  intruder.fabric = worker(0).fabric;
  EXPECT_EQ(std::get<Refusal>(core.register_gateway(now_us, intruder)), Refusal::AddressTaken);
  pass(7, {});
  EXPECT_TRUE(std::holds_alternative<Grant>(core.register_gateway(now_us, intruder)))
      << "the worker is dead";
  EXPECT_EQ(refused(worker(0)), Refusal::AddressTaken);
}

TEST_F(ADirectory, GivesAnotherIncarnationToAWorkerThatWasDeclaredDeadAndReportsAgain) {
  join(worker(0));
  const Grant before = join(worker(1));
  pass(7, {0});
  EXPECT_EQ(region(1).owner, WorkerSlot{0}) << "what it owned is owned by another now";
  EXPECT_FALSE(beats(1));
  EXPECT_FALSE(core.map().worker(WorkerSlot{1})->alive);
  const Grant after = join(worker(1));
  EXPECT_EQ(after.slot, before.slot);
  EXPECT_NE(after.handle_base, before.handle_base) << "the same process, and nothing of its world";
  EXPECT_EQ(core.map().worker(WorkerSlot{1})->incarnation, Incarnation{2});
  EXPECT_TRUE(beats(1));
  EXPECT_EQ(region(1).owner, WorkerSlot{0});
}

TEST_F(ADirectory, LetsAWorkerGoOnThatNobodyCouldTakeTheRegionsOf) {
  join(worker(0));
  now_us += 6 * second;
  core.advance(now_us);  // no other worker has registered for a while
  pass(1, {0});
  join(gateway(0));
  const Epoch epoch = region(1).epoch;
  for (int i = 0; i < 60; ++i) {
    now_us += second;
    EXPECT_TRUE(core.heartbeat(now_us, MemberKind::Gateway, 0, "gateway-0", cluster_id, 0));
    core.advance(now_us);
  }
  EXPECT_FALSE(core.map().worker(WorkerSlot{0})->alive);
  EXPECT_TRUE(beats(0));
  EXPECT_TRUE(core.map().worker(WorkerSlot{0})->alive);
  EXPECT_EQ(core.map().worker(WorkerSlot{0})->incarnation, Incarnation{1});
  EXPECT_EQ(region(1).owner, WorkerSlot{0});
  EXPECT_EQ(region(1).epoch, epoch);
}

TEST_F(ADirectory, TakesNobodyForDeadWhoFellSilentTogetherWithAllOthers) {
  join(worker(0));
  join(worker(1));
  pass(3, {0, 1});
  const std::vector<RegionEntry> before = core.map().regions;
  now_us += second / 2;
  EXPECT_TRUE(beats(1));
  pass(30, {});
  EXPECT_EQ(core.deaths(), 2U);
  EXPECT_TRUE(beats(1));
  core.advance(now_us);
  now_us += second / 2;
  EXPECT_TRUE(beats(0)) << "it was the directory that received nothing";
  pass(10, {0, 1});
  EXPECT_EQ(core.map().regions, before);
  EXPECT_EQ(core.map().worker(WorkerSlot{0})->incarnation, Incarnation{1});
  EXPECT_EQ(core.map().worker(WorkerSlot{1})->incarnation, Incarnation{1});
  pass(30, {});
  pass(8, {1});
  EXPECT_EQ(region(0).owner, WorkerSlot{1}) << "who does not come back is dead";
  EXPECT_EQ(region(1), before[1]);
}

TEST_F(ADirectory, RevivesAGatewayThatReportsAgain) {
  join(gateway(0));
  pass(7, {});
  EXPECT_FALSE(core.map().gateway(GatewaySlot{0})->alive);
  EXPECT_TRUE(core.heartbeat(now_us, MemberKind::Gateway, 0, "gateway-0", cluster_id, 0));
  EXPECT_TRUE(core.map().gateway(GatewaySlot{0})->alive);
}

TEST_F(ADirectory, BuriesGatewaysToo) {
  join(gateway(0));
  EXPECT_TRUE(core.map().gateway(GatewaySlot{0})->alive);
  EXPECT_TRUE(core.heartbeat(now_us, MemberKind::Gateway, 0, "gateway-0", cluster_id, 0));
  pass(6, {});
  EXPECT_FALSE(core.map().gateway(GatewaySlot{0})->alive);
}

TEST_F(ADirectory, GivesTheLivingTheFullSilenceAfterItsRestart) {
  join(worker(0));
  join(worker(1));
  now_us += 60 * second;
  core = Core(CoreSettings{}, core.saved(), now_us);
  pass(5, {0});
  EXPECT_TRUE(core.map().worker(WorkerSlot{1})->alive);
  pass(1, {0});
  EXPECT_FALSE(core.map().worker(WorkerSlot{1})->alive);
}

TEST_F(ADirectory, DoesNotBlameOthersForItsOwnStall) {
  join(worker(0));
  join(worker(1));
  pass(1, {0, 1});
  now_us += 60 * second;
  core.advance(now_us);
  EXPECT_EQ(core.deaths(), 0U);
  pass(3, {0, 1});
  pass(6, {0});
  EXPECT_EQ(core.deaths(), 1U) << "silence after the stall counts as ever";
}

}  // namespace
}  // namespace perigee::directory
