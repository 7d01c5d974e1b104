// Regions that change their owners while all workers are alive: reports, balance, drains,
// operators.
#include <gmock/gmock.h>

#include <limits>
#include <random>

#include "live_regions.hpp"
#include "sanitized.hpp"

namespace perigee::directory {
namespace {

TEST(LiveRegions, AreGivenToANewWorkerWhileTheOthersLive) {
  ClusterModel model(settings_for(1, 1));
  model.start(0);
  crowd(model, 1000, {0, 0, 0}, 3000, 1);
  pass(model, 5);
  ASSERT_EQ(model.regions_of(0), 1U);
  EXPECT_EQ(model.changes(), 0U) << "there is nobody to share with";
  model.start(1);
  pass(model, 6);
  EXPECT_GE(model.regions_of(1), 1U);
  EXPECT_LE(model.unevenness(), 1.25);
  for (const RegionEntry& region : model.core->map().regions) {
    EXPECT_LE(region.created_epoch, Epoch{1}) << "no content is made again";
    EXPECT_TRUE(region.owner == WorkerSlot{0} || region.created_epoch < region.epoch);
  }
  EXPECT_EQ(model.core->deaths(), 0U);
}

// All workers report at the start of a second: entities that migrate during the reports would be
// counted twice.
TEST(LiveRegions, AreLookedAtOnceInASecondWhenAllHaveReported) {
  ClusterModel model(settings_for(1, 1));
  model.start(0);
  crowd(model, 1000, {0, 0, 0}, 3000, 1);
  pass(model, 5);
  const auto at = [&](Micros us) {
    model.now_us = model.now_us / model_second * model_second + us;
    model.core->advance(model.now_us);
    return model.changes();
  };
  EXPECT_EQ(at(300'000), 0U) << "there is nobody to share with";
  model.start(1);
  model.now_us += model_second;
  model.receive_all();
  EXPECT_EQ(at(reported_within_us), 0U);
  const std::uint64_t made = at(reported_within_us + 100'000);
  EXPECT_GT(made, 0U);
  model.receive_all();
  EXPECT_EQ(at(999'999), made);
}

TEST(LiveRegions, StayWhereTheyAreUnderAConstantLoad) {
  for (std::uint32_t seed = 1; seed <= seeds_of(4); ++seed) {
    ClusterModel model(settings_for(4, 4));
    for (std::size_t i = 0; i < 4; ++i) model.start(i);
    crowd(model, 2000, {1000, 0, -2000}, 2500, seed);
    pass(model, 30);
    EXPECT_LE(model.unevenness(), 1.25) << "seed " << seed;
    const auto before = model.core->map();
    pass(model, 120);
    EXPECT_EQ(model.core->map(), before) << "seed " << seed;
  }
}

// Load that moves to a worker is also borne by its standby, as a replica.
TEST(LiveRegions, AreSharedAmongWorkersWithTheirCopies) {
  for (std::uint32_t seed = 1; seed <= seeds_of(8); ++seed) {
    ClusterModel model(settings_for(2, 2));
    model.copy_share = 0.6;
    for (std::size_t i = 0; i < 2; ++i) model.start(i);
    crowd(model, 50, {-100, 0, -100}, 10, seed);
    crowd(model, 800, {0, 0, 0}, 3000, seed);
    pass(model, 10);
    for (std::size_t i = 2; i < 8; ++i) model.start(i);
    pass(model, 20);
    EXPECT_LE(model.unevenness(), 1.25) << "seed " << seed;
    EXPECT_NEAR(model.core->imbalance(), model.unevenness(), 0.01) << "seed " << seed;
    pass(model, 20);
    const auto before = model.changes();
    pass(model, 60);
    EXPECT_LE(model.unevenness(), 1.25) << "seed " << seed;
    EXPECT_EQ(model.changes(), before) << "seed " << seed;
  }
}

TEST(LiveRegions, AreSharedBeforeTimeSlowsDown) {
  ClusterModel model(settings_for(2, 1));
  model.start(0);
  model.start(1);
  crowd(model, 500, {-4000, 0, 0}, 100, 1);
  crowd(model, 500, {4000, 0, 0}, 100, 2);
  pass(model, 60);
  EXPECT_LE(std::max(model.borne_ms(0), model.borne_ms(1)), 12);
  EXPECT_EQ(model.core->rate_changes(), 0U);
}

TEST(LiveRegions, ThatCannotBeDividedSlowTimeDown) {
  ClusterModel model(settings_for(2, 1));
  model.start(0);
  model.start(1);
  crowd(model, 1000, {4125, 125, 125}, 10, 1);
  pass(model, 30);
  EXPECT_EQ(model.core->percent(), 75U) << "20 ms of 22.2";
  model.things.clear();
  pass(model, 30);
  EXPECT_EQ(model.core->percent(), 100U);
}

// Four of five players run to one place within half a minute.
TEST(LiveRegions, FollowACrowdThatGathers) {
  for (std::uint32_t seed = 1; seed <= seeds_of(5); ++seed) {
    ClusterModel model(settings_for(4, 4));
    for (std::size_t i = 0; i < 4; ++i) model.start(i);
    crowd(model, 2000, {0, 0, 0}, 4000, seed);
    pass(model, 20);
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> place(-5000, 5000);
    std::normal_distribution<double> spread(0, 800);
    const Vec3 there{place(random), 0, place(random)};
    std::vector<Vec3> from, to;
    for (std::size_t i = 0; i < 1600; ++i) {
      from.push_back(model.things[i].at);
      to.push_back(there + Vec3{spread(random), spread(random) / 8, spread(random)});
    }
    for (int second = 1; second <= 30; ++second) {
      for (std::size_t i = 0; i < from.size(); ++i) {
        model.things[i].at = from[i] + (to[i] - from[i]) * (second / 30.0);
      }
      model.pass();
      expect_whole(model.core->map());
    }
    int took = 0;
    while (model.unevenness() > 1.25 && took < 60) model.pass(), ++took;
    EXPECT_LE(took, 10) << "seed " << seed << ": " << model.unevenness();
    const auto before = model.changes();
    pass(model, 60);
    EXPECT_LE(model.unevenness(), 1.25) << "seed " << seed;
    EXPECT_LE(model.changes() - before, 12U) << "seed " << seed << ": it comes to rest";
  }
}

TEST(LiveRegions, ChangeOnlyWhenTheirOwnerKnowsTheirLastChange) {
  ClusterModel model(settings_for(2, 2));
  model.start(0);
  model.start(1);
  crowd(model, 500, {-3000, 0, 0}, 500, 1);
  // No worker has reported yet, so nothing may change.
  const auto refused = model.core->split(model.now_us, RegionId{0}, std::nullopt, std::nullopt);
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(refused.error().message, testing::HasSubstr("try again in a second"));
  WorkerReport old = model.report_of(0);
  old.map_version = 1;
  model.core->report(model.now_us, 0, old);
  model.core->report(model.now_us, 1, old);
  model.now_us += model_second;
  model.core->advance(model.now_us);
  EXPECT_EQ(model.changes(), 0U);
  pass(model, 3);
  EXPECT_GT(model.changes(), 0U);
}

TEST(LiveRegions, AreNotMovedByReportsThatCannotBe) {
  ClusterModel model(settings_for(2, 2));
  model.start(0);
  model.start(1);
  pass(model, 2);
  const auto refused_before = model.core->reports_refused();
  const WorkerReport good = model.report_of(0);
  const auto refused = [&](auto spoil) {
    WorkerReport bad = good;
    spoil(bad);
    const auto before = model.core->reports_refused();
    model.core->report(model.now_us, 0, bad);
    return model.core->reports_refused() == before + 1;
  };
  constexpr double inf = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(refused([](WorkerReport& r) { r.load_ms = std::nan(""); }));
  EXPECT_TRUE(refused([](WorkerReport& r) { r.load_ms = inf; }));
  EXPECT_TRUE(refused([](WorkerReport& r) { r.load_ms = -1; }));
  EXPECT_TRUE(refused([](WorkerReport& r) { r.overhead_ms = inf; }));
  EXPECT_TRUE(refused([](WorkerReport& r) { r.copies_ms = r.overhead_ms + 0.1; }));
  EXPECT_TRUE(refused([](WorkerReport& r) { r.cells = {{{0, 0, 0}, std::nan("")}}; }));
  EXPECT_TRUE(refused([](WorkerReport& r) { r.cells = {{{0, 0, 0}, 1e300}}; }));
  EXPECT_TRUE(refused([](WorkerReport& r) { r.cells = {{{INT32_MIN, 0, 0}, 1}}; }));
  EXPECT_TRUE(refused([](WorkerReport& r) { r.cells = {{{-999, 0, 0}, 1}, {{-999, 0, 0}, 1}}; }));
  EXPECT_TRUE(refused([](WorkerReport& r) {
    for (std::int32_t i = 0; i < 513; ++i) r.cells.push_back({{i, 0, 0}, 1});
  }));
  EXPECT_TRUE(refused([](WorkerReport& r) { r.handle_blocks = {HandleBlock{4096}}; }));
  EXPECT_TRUE(refused([](WorkerReport& r) { r.regions = {{RegionId{1}, 2}, {RegionId{1}, 2}}; }));
  EXPECT_TRUE(refused([](WorkerReport& r) { r.players = r.entities + 1; }));
  EXPECT_TRUE(refused([](WorkerReport& r) { r.map_version += 1000; })) << "no such map yet";
  model.core->report(model.now_us, 77, good);
  EXPECT_EQ(model.core->reports_refused(), refused_before + 15) << "and strangers'";
  WorkerReport odd = good;
  odd.cells = {{{100'000, 0, 0}, 5}};
  odd.regions = {{RegionId{4'000'000}, 5}};
  model.core->report(model.now_us, 0, odd);
  EXPECT_EQ(model.core->reports_refused(), refused_before + 15)
      << "outside of the world: of no region";
  pass(model, 3);
  expect_whole(model.core->map());
}

/// Invariants.
struct Watch {
  std::map<RegionId, Epoch> epochs;
  std::uint64_t version = 0;
  RegionId next_region;

  static bool others_received_after(const Core& core, WorkerSlot slot) {
    const Saved saved = core.saved();
    return std::any_of(saved.map.workers.begin(), saved.map.workers.end(), [&](const auto& other) {
      return other.alive && saved.workers[other.slot.index()].received_us >
                                saved.workers[slot.index()].received_us + together_us;
    });
  }
  void look(const ClusterModel& model) {
    const ClusterMap& map = model.core->map();
    expect_whole(map);
    EXPECT_GE(map.version, version);
    version = map.version;
    EXPECT_LE(map.regions.size(), regions_max);
    for (const RegionEntry& region : map.regions) {
      EXPECT_GE(region.epoch, epochs[region.region]);
      EXPECT_LE(region.created_epoch, region.epoch);
      epochs[region.region] = region.epoch;
      EXPECT_TRUE(!region.owner || map.workers.at(region.owner->index()).alive ||
                  !others_received_after(*model.core, *region.owner))
          << "the dead keep what nobody is there to have";
    }
    EXPECT_GE(model.core->saved().space.next, next_region);
    next_region = model.core->saved().space.next;
  }
};

TEST(LiveRegions, AreWholeWhateverHappens) {
  for (std::uint32_t seed = 1; seed <= seeds_of(12, 3); ++seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> place(-6000, 6000);
    ClusterModel model(settings_for(2, 1 + seed % 5));
    Watch watch;
    for (int second = 0; second < 150; ++second) {
      const std::size_t worker = random() % 6;
      const bool up = worker < model.workers.size() && model.workers[worker].up;
      const bool known = worker <= model.workers.size();
      const auto region = RegionId{static_cast<std::uint32_t>(random() % 12)};
      switch (random() % 16) {
        case 0:
        case 1:
          if (!up && known) model.start(worker);
          break;
        case 2:
          if (up) model.kill(worker);
          break;
        case 3:
          if (up) model.sign_off(worker);
          break;
        case 4:
          model.restart_directory();
          break;
        case 5:
          (void)model.core->drain(model.now_us, model.name_of(worker));
          break;
        case 6:
          (void)model.core->undrain(model.name_of(worker));
          break;
        case 7:
          (void)model.core->split(model.now_us, region, static_cast<Axis>(random() % 3), {});
          break;
        case 8:
          (void)model.core->merge(model.now_us, region);
          break;
        case 9:
          (void)model.core->move(model.now_us, region, model.name_of(worker));
          break;
        case 10:
          if (model.things.size() > 1500) model.things.clear();
          crowd(model, 100, {place(random), 0, place(random)}, 600, seed + 100);
          break;
        case 11:
          if (up) model.workers[worker].leaving = random() % 2 == 0;
          break;
        case 12:
          model.core->set_balance(random() % 4 != 0);
          break;
        default:
          break;
      }
      watch.look(model);
      model.pass();
      watch.look(model);
      if (testing::Test::HasFailure()) FAIL() << "seed " << seed << ", second " << second;
    }
  }
}

}  // namespace
}  // namespace perigee::directory
