#include "perigee/lab/map_spreader.hpp"

#include <gtest/gtest.h>

#include "unit/lab/lab_parts.hpp"

namespace perigee::lab {
namespace {

struct AMapSpreader : testing::Test, LabParts {
  std::uint64_t version() const { return directory.map().version; }

  std::vector<std::uint64_t> at_gateway;
  std::vector<std::size_t> ticking;
  std::function<void(const world::JournalEntry&)> after_stored;
  WorldStoreAccess store{{queue, processes, game, std::nullopt, after_stored}};
  MapSpreader spreader{{queue, random, directory, processes, store, 10'000,
                        [this](const ClusterMap& map) { at_gateway.push_back(map.version); },
                        [this](std::size_t index) { ticking.push_back(index); }}};
};

TEST_F(AMapSpreader, ReachesEveryProcessAtOnceOrWithinADelay) {
  spreader.spread(0);
  EXPECT_EQ(at_gateway, std::vector{version()});
  EXPECT_EQ(ticking, (std::vector<std::size_t>{0, 1}));
  EXPECT_EQ(processes[0].map_version, version());
  EXPECT_TRUE(processes.know_each_other(0, 1));
  directory.change_map([](ClusterMap&) {});
  spreader.spread();
  EXPECT_LT(processes[0].map_version, version());
  run_for(10'000);
  EXPECT_EQ(processes[0].map_version, version());
  EXPECT_EQ(at_gateway.back(), version());
}

TEST_F(AMapSpreader, ReachesNobodyBehindACut) {
  net.at(the_directory, 1).cuts = 1;
  spreader.spread(0);
  EXPECT_EQ(processes[0].map_version, version());
  EXPECT_EQ(processes[1].map_version, 0U);
  EXPECT_EQ(ticking, std::vector<std::size_t>{0});
}

TEST_F(AMapSpreader, WaitsForAProcessThatStandsStill) {
  processes[1].stands_still_until_us = 1'000;
  spreader.spread(0);
  EXPECT_EQ(processes[1].map_version, 0U);
  run_for(2'000);
  EXPECT_EQ(processes[1].map_version, version());
}

TEST_F(AMapSpreader, HoldsAWorkerThatIsDeadByTheMap) {
  spreader.spread(0);
  directory.change_map([](ClusterMap& map) { map.workers[1].alive = false; });
  spreader.spread(0);
  EXPECT_FALSE(processes[0].held);
  EXPECT_TRUE(processes[1].held);
  EXPECT_FALSE(processes.know_each_other(0, 1));
}

}  // namespace
}  // namespace perigee::lab
