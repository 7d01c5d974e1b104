// Registration, the contents of the map, and the saved state.
#include "a_directory.hpp"

namespace perigee::directory {
namespace {

TEST_F(ADirectory, SplitsTheWorldAtTheOriginAndStartsItsTime) {
  ASSERT_EQ(core.map().regions.size(), 2U);
  EXPECT_EQ(region(0).low, (Vec3{-8000, -2000, -8000}));
  EXPECT_EQ(region(0).high, (Vec3{0, 2000, 8000}));
  EXPECT_EQ(region(1).low, (Vec3{0, -2000, -8000}));
  EXPECT_EQ(region(1).high, (Vec3{8000, 2000, 8000}));
  EXPECT_EQ(core.map().region_at({-0.001, 0, 0})->region, RegionId{0});
  EXPECT_EQ(core.map().region_at({0, 0, 0})->region, RegionId{1});
  EXPECT_EQ(tick_at(core.map().time, start_us + second), Tick{60});
}

TEST_F(ADirectory, GivesWorkerIRegionIAndItsOwnHandles) {
  const Grant first = join(worker(0));
  EXPECT_FALSE(region(0).owner) << "it waits for the second worker";
  const Grant other = join(worker(1));
  EXPECT_EQ(first.slot, 0);
  EXPECT_EQ(other.slot, 1);
  EXPECT_EQ(first.handle_base, HandleBase{1U << 20});
  EXPECT_EQ(other.handle_base, HandleBase{2U << 20});
  EXPECT_EQ(other.handle_count, 1U << 20);
  EXPECT_EQ(region(0).owner, WorkerSlot{0});
  EXPECT_EQ(region(1).owner, WorkerSlot{1});
  EXPECT_EQ(region(0).epoch, Epoch{1});
  EXPECT_EQ(region(0).created_epoch, Epoch{1});
}

TEST_F(ADirectory, GivesALoneWorkerEverythingAfterAWhile) {
  join(worker(0));
  pass(4, {0});
  EXPECT_FALSE(region(1).owner);
  pass(1, {0});
  EXPECT_EQ(region(0).owner, WorkerSlot{0});
  EXPECT_EQ(region(1).owner, WorkerSlot{0});
  join(worker(1));
  EXPECT_EQ(region(1).owner, WorkerSlot{0}) << "a living owner keeps its region";
}

TEST_F(ADirectory, GivesALoneWorkerEverythingAtOnceWhenOnlyOneIsExpected) {
  CoreSettings settings;
  settings.workers = 1;
  core = Core(settings, cluster_id, start_us);
  join(worker(0));
  EXPECT_EQ(region(0).owner, WorkerSlot{0});
  EXPECT_EQ(region(1).owner, WorkerSlot{0});
}

TEST_F(ADirectory, ChangesNothingWhileAllIsWell) {
  join(worker(0));
  join(worker(1));
  const ClusterMap before = core.map();
  pass(100, {0, 1});
  EXPECT_EQ(core.map(), before);
}

TEST_F(ADirectory, AdmitsTheSameNameAgainToTheSameSlot) {
  join(worker(0));
  join(worker(1));
  const ClusterMap before = core.map();
  EXPECT_EQ(join(worker(1)).slot, 1);
  EXPECT_EQ(join(worker(0)).handle_base, HandleBase{1U << 20});
  EXPECT_EQ(core.map(), before) << "registering twice is registering once";
}

TEST_F(ADirectory, TellsStrangersToRegisterAgain) {
  join(worker(0));
  EXPECT_FALSE(core.heartbeat(now_us, MemberKind::Worker, 1, "sim-1", cluster_id, 0));
  EXPECT_FALSE(core.heartbeat(now_us, MemberKind::Worker, 0, "sim-9", cluster_id, 0));
  EXPECT_FALSE(core.heartbeat(now_us, MemberKind::Worker, 0, "sim-0", cluster_id + 1, 0));
  EXPECT_FALSE(core.heartbeat(now_us, MemberKind::Gateway, 0, "sim-0", cluster_id, 0));
  EXPECT_TRUE(core.heartbeat(now_us, MemberKind::Worker, 0, "sim-0", cluster_id, 0));
  EXPECT_FALSE(core.heartbeat(now_us, MemberKind::Worker, 0, "sim-0", cluster_id, 1))
      << "another process";
}

TEST_F(ADirectory, RefusesASecondMemberOfOneNameWhileTheFirstLives) {
  join(worker(0));
  WorkerIntroduction twin = worker(0);
  twin.fabric.port = 41'000;
  EXPECT_EQ(refused(twin), Refusal::NameTaken);
  pass(6, {});
  EXPECT_EQ(join(twin).slot, 0);
  EXPECT_EQ(core.map().worker(WorkerSlot{0})->fabric.port, 41'000);
}

TEST_F(ADirectory, RefusesNamesAndAddressesThatCannotBe) {
  auto introduction = worker(0);
  for (const std::string& name : {std::string(), std::string(65, 'a'), std::string("a b")}) {
    introduction.name = name;
    EXPECT_EQ(refused(introduction), Refusal::BadName);
  }
  introduction = worker(0);
  introduction.fabric = {};
  EXPECT_EQ(refused(introduction), Refusal::BadAddress);
  introduction = worker(0);
  introduction.grpc.port = 0;
  EXPECT_EQ(refused(introduction), Refusal::BadAddress);
  introduction = worker(0);
  introduction.fabric = Address::v4(203, 0, 113, 7, 40'040);
  EXPECT_EQ(refused(introduction), Refusal::PublicFabric);
  EXPECT_TRUE(core.map().workers.empty());
}

TEST_F(ADirectory, KeepsOneGameForAllLivingWorkers) {
  WorkerIntroduction introduction = worker(0);
  introduction.schema_hash = 7;
  join(introduction);
  EXPECT_EQ(core.map().schema_hash, 7U);
  introduction = worker(1);
  introduction.schema_hash = 8;
  EXPECT_EQ(refused(introduction), Refusal::OtherGame);
  pass(6, {});
  join(introduction);
  EXPECT_EQ(core.map().schema_hash, 8U) << "with nobody left, the new version starts";
}

TEST_F(ADirectory, KeepsWorkersApartThatSpeakOtherVersionsWithEachOther) {
  WorkerIntroduction old = worker(0);
  old.build = "0.1.0-aaaa";
  join(old);
  WorkerIntroduction newer = worker(1);
  newer.speaks.workers = workers_version + 1;
  newer.build = "0.2.0-bbbb";
  ASSERT_EQ(refused(newer), Refusal::OtherWorkers);
  const std::string why =
      core.explain(Refusal::OtherWorkers, newer.name, newer.speaks, newer.build);
  for (const std::string& part :
       {"sim-1 of build 0.2.0-bbbb speaks version " + std::to_string(workers_version + 1) +
            " with other workers",
        "sim-0 of build 0.1.0-aaaa speaks version " + std::to_string(workers_version),
        std::string("stop all workers")}) {
    EXPECT_NE(why.find(part), std::string::npos) << why;
  }
  newer.speaks.workers = workers_version;
  join(newer);
  EXPECT_EQ(core.map().workers.size(), 2U) << "another build alone is no reason";
  Core next(CoreSettings{}, core.saved(), now_us);
  newer = worker(2);
  newer.speaks.workers = workers_version + 1;
  EXPECT_EQ(std::get<Refusal>(next.register_worker(now_us, newer)), Refusal::OtherWorkers)
      << "whoever takes over knows what they speak";
  pass(6, {});
  join(newer);
}

TEST_F(ADirectory, KeepsMembersApartThatSpeakOtherVersionsOfTheFabric) {
  join(gateway(0));
  WorkerIntroduction newer = worker(0);
  newer.speaks.fabric = fabric_version + 1;
  ASSERT_EQ(refused(newer), Refusal::OtherFabric);
  EXPECT_NE(
      core.explain(Refusal::OtherFabric, newer.name, newer.speaks, newer.build)
          .find("the living member gateway-0 speaks version " + std::to_string(fabric_version)),
      std::string::npos);
  join(worker(0));
  GatewayIntroduction other = gateway(1);
  other.speaks.fabric = fabric_version + 1;
  EXPECT_EQ(std::get<Refusal>(core.register_gateway(now_us, other)), Refusal::OtherFabric);
  pass(6, {});
  join(other);
  EXPECT_EQ(core.map().gateways.size(), 2U);
}

// The gateway stalled meanwhile, and would be refused if it registered now.
TEST_F(ADirectory, BringsNobodyBackWhomAnotherBuildHasReplaced) {
  join(gateway(0));
  const auto beats = [&] {
    return core.heartbeat(now_us, MemberKind::Gateway, 0, gateway(0).name, cluster_id, 0);
  };
  ASSERT_TRUE(beats());
  pass(6, {});
  ASSERT_FALSE(core.map().gateways[0].alive);
  ASSERT_TRUE(beats()) << "nobody else lives";
  pass(6, {});
  WorkerIntroduction newer = worker(0);
  newer.speaks.fabric = fabric_version + 1;
  join(newer);
  EXPECT_FALSE(beats());
  EXPECT_FALSE(core.map().gateways[0].alive);
}

TEST_F(ADirectory, HasAsManyGatewaysAsTheMapHolds) {
  for (std::uint32_t i = 0; i < gateways_max; ++i) {
    EXPECT_EQ(join(gateway(static_cast<int>(i))).slot, i);
  }
  EXPECT_EQ(std::get<Refusal>(core.register_gateway(now_us, gateway(gateways_max))), Refusal::Full);
  EXPECT_EQ(core.map().gateways.size(), gateways_max);
}

TEST_F(ADirectory, HasAsManyWorkersAsTheMapHolds) {
  for (std::uint32_t i = 0; i < workers_max; ++i) {
    EXPECT_EQ(join(worker(static_cast<int>(i))).slot, i);
  }
  EXPECT_EQ(refused(worker(workers_max)), Refusal::Full);
  core.advance(now_us + 1'000'000);
  EXPECT_TRUE(core.map().worker(WorkerSlot::at(workers_max - 1))->alive);
  EXPECT_TRUE(Core::check(CoreSettings{}, core.saved()));
}

TEST_F(ADirectory, GoesOnAfterARestartWhereItEnded) {
  WorkerIntroduction introduction = worker(0);
  introduction.instance = 11;
  join(introduction);
  join(worker(1));
  join(gateway(0));
  pass(6, {0});
  const ClusterMap before = core.map();
  ASSERT_TRUE(Core::check(CoreSettings{}, core.saved()).ok());
  now_us += 3 * second;
  core = Core(CoreSettings{}, core.saved(), now_us);
  EXPECT_GT(version(), before.version) << "members ignore versions that they know";
  ClusterMap after = core.map();
  after.version = before.version;
  EXPECT_EQ(after, before);
  EXPECT_TRUE(beats(0));
  join(introduction);
  EXPECT_EQ(core.map().worker(WorkerSlot{0})->incarnation, Incarnation{1})
      << "the same process is the same incarnation";
  introduction.instance = 12;
  join(introduction);
  EXPECT_EQ(core.map().worker(WorkerSlot{0})->incarnation, Incarnation{2});
}

TEST_F(ADirectory, LetsMembersSignOffWithoutCountingADeath) {
  WorkerIntroduction introduction = worker(1);
  introduction.instance = 11;
  join(worker(0));
  join(introduction);
  pass(6, {0, 1});
  EXPECT_FALSE(core.sign_off(now_us, MemberKind::Worker, 1, "sim-1", cluster_id, 10))
      << "a process does not sign off its successor";
  EXPECT_TRUE(core.map().worker(WorkerSlot{1})->alive);
  EXPECT_TRUE(core.sign_off(now_us, MemberKind::Worker, 1, "sim-1", cluster_id, 11));
  EXPECT_FALSE(core.map().worker(WorkerSlot{1})->alive);
  EXPECT_EQ(region(1).owner, WorkerSlot{0}) << "at once";
  EXPECT_EQ(core.deaths(), 0U);
}

TEST_F(ADirectory, GivesTheSlotOfANameLongGoneToANewcomer) {
  join(worker(0));
  join(worker(1));
  pass(3'599, {0});
  EXPECT_EQ(join(worker(2)).slot, 2) << "the name may still come back";
  pass(2, {0, 2});
  const Grant recycled = join(worker(3));
  EXPECT_EQ(recycled.slot, 1);
  EXPECT_EQ(recycled.handle_base, HandleBase{4U << 20}) << "what the former one made may live on";
  EXPECT_EQ(core.map().worker(WorkerSlot{1})->incarnation, Incarnation{2})
      << "nobody takes it for the former one";
  EXPECT_FALSE(core.heartbeat(now_us, MemberKind::Worker, 1, "sim-1", cluster_id, 0));
  EXPECT_EQ(join(worker(1)).slot, 3) << "too late: as a newcomer";
}

// Ticks since the segment's start are counted in 31 bits, 414 days.
TEST_F(ADirectory, KeepsWorldTimeGoingForYears) {
  const Micros day = 86'400 * second;
  const TimeSegment first = core.map().time.base;
  for (int days = 0; days < 800; days += 10) {
    now_us += 10 * day;
    core.advance(now_us);
    const TimeSegment& time = core.map().time.base;
    EXPECT_LT(now_us - time.wall_us, 111 * day);
    const auto ticks = static_cast<std::uint64_t>((now_us - first.wall_us) / second) * 60;
    EXPECT_EQ(tick_at(time, now_us).count, static_cast<std::uint32_t>(ticks));
  }
}

TEST_F(ADirectory, RefusesToGoOnWithWhatDoesNotFit) {
  join(worker(0));
  join(worker(1));
  CoreSettings other;
  other.regions = 3;
  EXPECT_TRUE(Core::check(other, core.saved()).ok()) << "that is for a new world";
  other.world_high.x = 9000;
  EXPECT_FALSE(Core::check(other, core.saved()).ok());
  Saved broken = core.saved();
  broken.workers.pop_back();
  EXPECT_FALSE(Core::check(CoreSettings{}, broken).ok());
  broken = core.saved();
  broken.map.regions[0].owner = WorkerSlot{9};
  EXPECT_FALSE(Core::check(CoreSettings{}, broken).ok());
  broken = core.saved();
  broken.map.regions[0].high.x = broken.map.regions[1].low.x = 250;
  EXPECT_FALSE(Core::check(CoreSettings{}, broken).ok()) << "map and tree differ";
  broken = core.saved();
  broken.space.nodes.pop_back();
  EXPECT_FALSE(Core::check(CoreSettings{}, broken).ok());
  broken = core.saved();
  broken.handle_blocks = handle_blocks_max + 1;
  EXPECT_FALSE(Core::check(CoreSettings{}, broken).ok());
}

TEST_F(ADirectory, NamesTheBoxOfAStoredWorldIfTheSettingsHaveAnother) {
  CoreSettings other;
  other.world_high.x = 500'000;
  const auto refused = Core::check(other, core.saved());
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().message,
            "its world reaches from -8000,-2000,-8000 to 8000,2000,8000 m: set "
            "directory.world_low_m and directory.world_high_m to these numbers");
}

TEST_F(ADirectory, RefusesABoxThatIsNoWorld) {
  EXPECT_TRUE(Core::check(CoreSettings{}));
  CoreSettings largest{.world_low = {-world_reach_m, -world_reach_m, -world_reach_m},
                       .world_high = {world_reach_m, world_reach_m, world_reach_m}};
  EXPECT_TRUE(Core::check(largest));
  largest.world_high.y = world_reach_m + 1;
  EXPECT_FALSE(Core::check(largest)) << "too far away";
  CoreSettings flat;
  flat.world_high.y = flat.world_low.y;
  EXPECT_FALSE(Core::check(flat)) << "empty";
  CoreSettings small{.world_low = {-1'000, 0, 0}, .world_high = {1'000, 10, 10}, .regions = 3};
  const auto refused = Core::check(small);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message,
            "directory.regions: 3 slices are too many: a region is at least 1000 m wide; choose "
            "fewer, or a wider world");
}

// A file in the former format has slices of equal width.
TEST_F(ADirectory, GoesOnWithSlicesThatLieOnTheGrid) {
  join(worker(0));
  join(worker(1));
  Saved saved = core.saved();
  saved.space = {};
  ASSERT_TRUE(Core::check(CoreSettings{}, saved).ok());
  EXPECT_EQ(Core(CoreSettings{}, saved, now_us).saved().space, core.saved().space);
  saved.map.regions[0].high.x = saved.map.regions[1].low.x = -2666.7;
  EXPECT_FALSE(Core::check(CoreSettings{}, saved).ok());
}

TEST_F(ADirectory, RefusesARecordThatNamesAWorkerThatDoesNotExist) {
  join(worker(0));
  join(worker(1));
  const Saved saved = core.saved();
  ASSERT_TRUE(Core::check(CoreSettings{}, saved).ok());
  const auto why = [&](auto change) {
    Saved changed = saved;
    change(changed.map);
    const auto refused = Core::check(CoreSettings{}, changed);
    return refused ? std::string() : refused.error().message;
  };
  const WorkerSlot missing{2};
  EXPECT_EQ(why([&](ClusterMap& map) { map.workers[0].standby = missing; }),
            "the standby of worker 0 is not a worker");
  EXPECT_EQ(why([&](ClusterMap& map) { map.regions[0].owner = missing; }),
            "a region's owner is not a worker");
  EXPECT_EQ(why([&](ClusterMap& map) { map.failover_records.push_back({.successor = missing}); }),
            "the successor of a worker is not a worker");
}

TEST_F(ADirectory, SlicesTheWorldWithoutGapsForAnyCountOfRegions) {
  for (std::uint32_t count = 1; count <= 16; ++count) {
    CoreSettings settings;
    settings.regions = count;
    const Core sliced(settings, cluster_id, start_us);
    const auto& regions = sliced.map().regions;
    EXPECT_EQ(regions.size(), count);
    EXPECT_EQ(regions.front().low.x, -8000);
    EXPECT_EQ(regions.back().high.x, 8000);
    for (std::size_t i = 1; i < regions.size(); ++i) {
      EXPECT_EQ(regions[i].low.x, regions[i - 1].high.x);
      EXPECT_GE(regions[i].high.x - regions[i].low.x, 1000);
    }
  }
}

// A world with a size that is no multiple of 250 m keeps its edges.
TEST_F(ADirectory, KeepsTheEdgesOfASmallWorld) {
  CoreSettings settings{.world_low = {-90, -10, -90}, .world_high = {90, 40.5, 90}, .regions = 1};
  const Core small(settings, cluster_id, start_us);
  ASSERT_EQ(small.map().regions.size(), 1U);
  EXPECT_EQ(small.map().regions[0].low, settings.world_low);
  EXPECT_EQ(small.map().regions[0].high, settings.world_high);
}

}  // namespace
}  // namespace perigee::directory
