// Regions that change hands while everybody lives: reports, balance, drains, operators.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "cluster_model.hpp"

namespace perigee::directory {
namespace {

constexpr double world_m = 7990;

CoreSettings settings_for(std::uint32_t workers, std::uint32_t regions) {
  return {.regions = regions, .workers = workers};
}

void crowd(ClusterModel& model, int count, const Vec3& at, double spread_m, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> spread(0, spread_m);
  for (int i = 0; i < count; ++i) {
    const Vec3 point{std::clamp(at.x + spread(random), -world_m, world_m),
                     std::clamp(at.y + spread(random) / 8, -1990.0, 1990.0),
                     std::clamp(at.z + spread(random), -world_m, world_m)};
    model.things.push_back({point, 0.02, 1, 0});
  }
}

void pass(ClusterModel& model, int seconds) {
  for (int i = 0; i < seconds; ++i) model.pass();
}

/// Every point of the world is in exactly one region, and the regions are no larger than it.
void expect_whole(const ClusterMap& map) {
  double volume = 0;
  for (const RegionEntry& region : map.regions) {
    const Vec3 size = region.high - region.low;
    EXPECT_GT(size.x * size.y * size.z, 0);
    volume += size.x * size.y * size.z;
    const Vec3 middle = (region.low + region.high) * 0.5;
    EXPECT_EQ(map.region_at(middle)->region, region.region);
  }
  EXPECT_EQ(volume, 16000.0 * 4000 * 16000);
}

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
    EXPECT_LE(region.born, 1U) << "no content is made again";
    EXPECT_TRUE(region.owner == 0 || region.born < region.epoch);
  }
  EXPECT_EQ(model.core->deaths(), 0U);
}

TEST(LiveRegions, StayWhereTheyAreUnderAConstantLoad) {
  for (std::uint32_t seed = 1; seed <= 4; ++seed) {
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
  for (std::uint32_t seed = 1; seed <= 5; ++seed) {
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
  // Nobody has reported yet, so nothing may change.
  const auto refused = model.core->split(model.now_us, 0, std::nullopt, std::nullopt);
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

TEST(LiveRegions, AreLeftAloneWhenAnOperatorSaysSo) {
  ClusterModel model(settings_for(2, 2));
  model.start(0);
  model.start(1);
  crowd(model, 500, {-3000, 0, 0}, 500, 1);
  model.core->set_balance(false);
  pass(model, 10);
  EXPECT_EQ(model.changes(), 0U);
  model.restart_directory();
  EXPECT_FALSE(model.core->balances()) << "it remembers";
  pass(model, 10);
  EXPECT_EQ(model.changes(), 0U);
  model.core->set_balance(true);
  pass(model, 10);
  EXPECT_LE(model.unevenness(), 1.25);
}

TEST(LiveRegions, LeaveADrainingWorkerAndComeBackWhenItIsUndrained) {
  ClusterModel model(settings_for(3, 3));
  for (std::size_t i = 0; i < 3; ++i) model.start(i);
  crowd(model, 1500, {0, 0, 0}, 3000, 1);
  pass(model, 20);
  ASSERT_TRUE(model.core->drain(model.now_us, "sim-1").ok());
  EXPECT_EQ(model.regions_of(1), 0U) << "at once";
  EXPECT_TRUE(model.core->map().workers[1].draining);
  pass(model, 3);
  EXPECT_EQ(model.core->report_of(1)->entities, 0U);
  model.restart_directory();
  EXPECT_TRUE(model.core->map().workers[1].draining);
  pass(model, 20);
  EXPECT_EQ(model.regions_of(1), 0U);
  EXPECT_LE(model.unevenness(), 1.25);
  ASSERT_TRUE(model.core->undrain("sim-1").ok());
  pass(model, 10);
  EXPECT_GT(model.regions_of(1), 0U);
  EXPECT_LE(model.unevenness(), 1.25);
}

TEST(LiveRegions, AreDrainedAlsoWithoutBalance) {
  CoreSettings settings = settings_for(2, 2);
  settings.balance = false;
  ClusterModel model(settings);
  model.start(0);
  model.start(1);
  crowd(model, 100, {0, 0, 0}, 3000, 1);
  pass(model, 3);
  model.workers[1].leaving = true;  // as SIGTERM makes it say
  pass(model, 1);
  EXPECT_EQ(model.regions_of(1), 0U);
  pass(model, 2);
  EXPECT_EQ(model.borne_ms(1), 0);
  model.sign_off(1);
  pass(model, 3);
  EXPECT_EQ(model.core->deaths(), 0U);
  for (const RegionEntry& region : model.core->map().regions) {
    EXPECT_EQ(region.owner, 0);
    EXPECT_EQ(region.born, 1U) << "what was there is there";
  }
  model.start(1);
  EXPECT_FALSE(model.core->map().workers[1].draining) << "another life";
}

TEST(LiveRegions, StayWithTheLastWorkerThatStays) {
  ClusterModel model(settings_for(2, 2));
  model.start(0);
  model.start(1);
  pass(model, 3);
  ASSERT_TRUE(model.core->drain(model.now_us, "sim-0").ok());
  const auto refused = model.core->drain(model.now_us, "sim-1");
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(refused.error().message, testing::HasSubstr("start one first"));
  model.workers[1].leaving = true;
  pass(model, 3);
  EXPECT_FALSE(model.core->map().workers[1].draining);
  EXPECT_EQ(model.regions_of(1), 2U);
}

TEST(LiveRegions, AreCutJoinedAndMovedByOperators) {
  CoreSettings settings = settings_for(2, 2);
  settings.balance = false;
  ClusterModel model(settings);
  model.start(0);
  model.start(1);
  crowd(model, 100, {-2000, 0, 3000}, 800, 1);
  pass(model, 2);
  const auto part = model.core->split(model.now_us, 0, Axis::Z, 900.0);
  ASSERT_TRUE(part.ok());
  EXPECT_EQ(model.core->map().region(0)->high.z, 1000) << "the nearest plane";
  EXPECT_EQ(model.core->map().region(*part)->low.z, 1000);
  EXPECT_EQ(model.core->map().region(*part)->owner, 0);
  EXPECT_EQ(model.core->map().region(*part)->born, 0U);
  expect_whole(model.core->map());
  EXPECT_FALSE(model.core->move(model.now_us, *part, "sim-1").ok()) << "too soon";
  pass(model, 1);
  const std::uint32_t epoch = model.core->map().region(*part)->epoch;
  ASSERT_TRUE(model.core->move(model.now_us, *part, "sim-1").ok());
  EXPECT_EQ(model.core->map().region(*part)->owner, 1);
  EXPECT_GT(model.core->map().region(*part)->epoch, epoch);
  EXPECT_EQ(model.core->map().region(*part)->born, 0U);
  pass(model, 3);
  const auto apart = model.core->merge(model.now_us, 0);
  ASSERT_FALSE(apart.ok());
  EXPECT_THAT(apart.error().message, testing::HasSubstr("first: move 2 sim-0"));
  ASSERT_TRUE(model.core->move(model.now_us, *part, "sim-0").ok());
  pass(model, 3);
  ASSERT_TRUE(model.core->merge(model.now_us, 0).ok());
  expect_whole(model.core->map());
  EXPECT_EQ(model.core->map().region(*part), nullptr);
  pass(model, 1);
  const auto again = model.core->split(model.now_us, 0, std::nullopt, std::nullopt);
  ASSERT_TRUE(again.ok());
  EXPECT_GT(*again, *part) << "no id comes again";
  EXPECT_NEAR(model.core->map().region(*again)->low.z, 3000, 500) << "half of the load each";
}

TEST(LiveRegions, AreNotChangedByOrdersThatCannotBe) {
  ClusterModel model(settings_for(2, 2));
  model.start(0);
  model.start(1);
  pass(model, 3);
  const ClusterMap before = model.core->map();
  Core& core = *model.core;
  const Micros now_us = model.now_us;
  const auto says = [](const auto& result) { return result.ok() ? "" : result.error().message; };
  using testing::HasSubstr;
  EXPECT_THAT(says(core.split(now_us, 9, std::nullopt, std::nullopt)), HasSubstr("no region 9"));
  EXPECT_THAT(says(core.split(now_us, 0, Axis::X, -7500.0)), HasSubstr("1000 m"));
  EXPECT_THAT(says(core.split(now_us, 0, Axis::X, std::nan(""))), HasSubstr("250 m"));
  EXPECT_THAT(says(core.split(now_us, 0, static_cast<Axis>(7), 0.0)), HasSubstr("x, y or z"));
  EXPECT_THAT(says(core.merge(now_us, 9)), HasSubstr("no region 9"));
  EXPECT_THAT(says(core.move(now_us, 0, "sim-9")), HasSubstr("'sim-9'"));
  EXPECT_THAT(says(core.drain(now_us, "sim-9")), HasSubstr("'sim-9'"));
  EXPECT_THAT(says(core.undrain("sim-9")), HasSubstr("'sim-9'"));
  ASSERT_TRUE(core.drain(now_us, "sim-1").ok());
  EXPECT_THAT(says(core.move(now_us, 0, "sim-1")), HasSubstr("undrain it first"));
  ASSERT_TRUE(core.undrain("sim-1").ok());
  EXPECT_EQ(core.map().regions.size(), before.regions.size());
  EXPECT_EQ(core.map().regions[0], before.regions[0]);
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
  EXPECT_TRUE(refused([](WorkerReport& r) { r.cells = {{{0, 0, 0}, std::nan("")}}; }));
  EXPECT_TRUE(refused([](WorkerReport& r) { r.cells = {{{0, 0, 0}, 1e300}}; }));
  EXPECT_TRUE(refused([](WorkerReport& r) { r.cells = {{{INT32_MIN, 0, 0}, 1}}; }));
  EXPECT_TRUE(refused([](WorkerReport& r) { r.cells = {{{-999, 0, 0}, 1}, {{-999, 0, 0}, 1}}; }));
  EXPECT_TRUE(refused([](WorkerReport& r) {
    for (std::int32_t i = 0; i < 513; ++i) r.cells.push_back({{i, 0, 0}, 1});
  }));
  EXPECT_TRUE(refused([](WorkerReport& r) { r.handle_blocks = {4096}; }));
  EXPECT_TRUE(refused([](WorkerReport& r) { r.regions = {{1, 2}, {1, 2}}; }));
  EXPECT_TRUE(refused([](WorkerReport& r) { r.players = r.entities + 1; }));
  EXPECT_TRUE(refused([](WorkerReport& r) { r.map_version += 1000; })) << "no such map yet";
  model.core->report(model.now_us, 77, good);
  EXPECT_EQ(model.core->reports_refused(), refused_before + 13) << "and strangers'";
  WorkerReport odd = good;
  odd.cells = {{{100'000, 0, 0}, 5}};
  odd.regions = {{4'000'000, 5}};
  model.core->report(model.now_us, 0, odd);
  EXPECT_EQ(model.core->reports_refused(), refused_before + 13)
      << "outside of the world: of no region";
  pass(model, 3);
  expect_whole(model.core->map());
}

TEST(LiveRegions, TellWhatHasNotArrivedYet) {
  CoreSettings settings = settings_for(2, 2);
  settings.balance = false;
  ClusterModel model(settings);
  model.start(0);
  model.start(1);
  crowd(model, 100, {-4000, 0, 0}, 200, 1);
  pass(model, 3);
  EXPECT_EQ(model.core->views().at(0).entities, 100U);
  EXPECT_EQ(model.core->views().at(0).away, 0U);
  EXPECT_NEAR(model.core->views().at(0).cost_ms, 2, 1e-6);
  EXPECT_NEAR(model.core->imbalance(), 2, 1e-6);
  ASSERT_TRUE(model.core->move(model.now_us, 0, "sim-1").ok());
  pass(model, 1);
  EXPECT_EQ(model.core->views().at(0).away, 100U);
  EXPECT_TRUE(model.core->views().at(0).changing);
  pass(model, 2);
  EXPECT_EQ(model.core->views().at(0).away, 0U);
  EXPECT_FALSE(model.core->views().at(0).changing);
}

/// What must hold whatever happens.
struct Watch {
  std::map<Region, std::uint32_t> epochs;
  std::uint64_t version = 0;
  std::uint32_t next_region = 0;

  static bool others_heard_after(const Core& core, WorkerSlot slot) {
    const Saved saved = core.saved();
    return std::any_of(saved.map.workers.begin(), saved.map.workers.end(), [&](const auto& other) {
      return other.alive &&
             saved.workers[other.slot].heard_us > saved.workers[slot].heard_us + Core::together_us;
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
      EXPECT_LE(region.born, region.epoch);
      epochs[region.region] = region.epoch;
      EXPECT_TRUE(!region.owner || map.workers.at(*region.owner).alive ||
                  !others_heard_after(*model.core, *region.owner))
          << "the dead keep what nobody is there to have";
    }
    EXPECT_GE(model.core->saved().space.next, next_region);
    next_region = model.core->saved().space.next;
  }
};

TEST(LiveRegions, AreWholeWhateverHappens) {
  for (std::uint32_t seed = 1; seed <= 12; ++seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> place(-6000, 6000);
    ClusterModel model(settings_for(2, 1 + seed % 5));
    Watch watch;
    for (int second = 0; second < 150; ++second) {
      const std::size_t worker = random() % 6;
      const bool up = worker < model.workers.size() && model.workers[worker].up;
      const bool known = worker <= model.workers.size();
      const auto region = static_cast<Region>(random() % 12);
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
