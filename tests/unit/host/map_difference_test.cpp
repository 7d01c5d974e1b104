#include "perigee/host/map_difference.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "directory.pb.h"
#include "perigee/host/map_proto.hpp"
#include "sanitized.hpp"

namespace perigee::host {
namespace {

using MapMessage = directory::v1::ClusterMap;
using testing::HasSubstr;

void fill(directory::v1::Worker& worker, std::uint32_t slot) {
  worker.set_slot(slot);
  worker.set_name("sim-worker-" + std::to_string(slot));
  worker.set_fabric_address("10.1.0.9:" + std::to_string(20'000 + slot));
  worker.set_grpc_address("10.1.0.9:" + std::to_string(30'000 + slot));
  worker.set_handle_base((slot + 1) << 20);
  worker.set_handle_count(1U << 20);
  worker.set_alive(true);
  worker.set_incarnation(1);
  worker.set_build("0.1.0-1a2b3c4d");
}
void fill(directory::v1::Gateway& gateway, std::uint32_t slot) {
  gateway.set_slot(slot);
  gateway.set_name("gateway-" + std::to_string(slot));
  gateway.set_fabric_address("10.2.0.9:" + std::to_string(20'000 + slot));
  gateway.set_public_udp_address("203.0.113.7:" + std::to_string(30'000 + slot));
  gateway.set_alive(true);
  gateway.set_build("0.1.0-1a2b3c4d");
}
void fill(directory::v1::Region& region, std::uint32_t id) {
  region.set_region(id);
  region.set_epoch(1);
  region.set_created_epoch(1);
  region.mutable_low()->set_x(id);
  region.mutable_high()->set_x(id + 1);
  region.mutable_high()->set_y(1'000);
  region.mutable_high()->set_z(1'000);
}

MapMessage map_of(std::uint32_t members, std::uint32_t regions) {
  MapMessage map;
  map.set_cluster_id(7);
  map.set_version(1);
  map.add_time()->set_tick_rate_hz(60);
  map.mutable_time(0)->set_rate_ppm(1'000'000);
  for (std::uint32_t i = 0; i < members; ++i) {
    fill(*map.add_workers(), i);
    fill(*map.add_gateways(), i);
  }
  for (std::uint32_t i = 0; i < regions; ++i) {
    fill(*map.add_regions(), i + 1);
    map.mutable_regions(static_cast<int>(i))->set_owner(i % members);
  }
  return map;
}

/// Changes of all kinds, chosen at random.
class Changes {
 public:
  explicit Changes(std::uint32_t seed) : random_(seed) {}

  void make(MapMessage& map) {
    map.set_version(map.version() + 1);
    for (int more = 1 + below(3); more > 0; --more) one(map);
  }

 private:
  int below(int end) { return std::uniform_int_distribution<int>(0, end - 1)(random_); }
  void one(MapMessage& map) {
    switch (below(9)) {
      case 0:
        return join(map);
      case 1:
        return start_again(*map.mutable_workers(below(map.workers_size())));
      case 2: {
        auto& gateway = *map.mutable_gateways(below(map.gateways_size()));
        return gateway.set_alive(!gateway.alive());
      }
      case 3:
        return move(*map.mutable_regions(below(map.regions_size())), map.workers_size());
      case 4:
        return split(map);
      case 5:
        return erase(*map.mutable_regions(), 2);
      case 6:
        return die(map);
      case 7:
        return erase(*map.mutable_failover_records(), 0);
      default:
        map.set_schema_hash(map.schema_hash() + 1);
        return map.set_rate_percent(50U + static_cast<std::uint32_t>(below(50)));
    }
  }
  static void join(MapMessage& map) {
    const auto slot = static_cast<std::uint32_t>(map.workers_size());
    if (slot == 40) return;
    fill(*map.add_workers(), slot);
    fill(*map.add_gateways(), slot);
  }
  void start_again(directory::v1::Worker& worker) {
    worker.set_incarnation(worker.incarnation() + 1);
    worker.set_handle_base(next_handle_base());
    worker.set_build("build " + std::to_string(below(10)));
    if (below(2) == 0) worker.clear_standby();
    if (below(2) == 0) worker.set_standby(static_cast<std::uint32_t>(below(40)));
  }
  void move(directory::v1::Region& region, int workers) {
    region.set_epoch(region.epoch() + 1);
    region.clear_owner();
    if (below(4) > 0) region.set_owner(static_cast<std::uint32_t>(below(workers)));
  }
  void split(MapMessage& map) {
    if (map.regions_size() == 60) return;
    fill(*map.add_regions(), 1 + static_cast<std::uint32_t>(below(1'000'000)));
    auto& regions = *map.mutable_regions();
    std::sort(regions.pointer_begin(), regions.pointer_end(),
              [](const auto* a, const auto* b) { return a->region() < b->region(); });
  }
  template <class Entries>
  void erase(Entries& entries, int least) {
    if (entries.size() > least) entries.DeleteSubrange(below(entries.size()), 1);
  }
  void die(MapMessage& map) {
    const auto& worker = map.workers(below(map.workers_size()));
    auto& record = *map.add_failover_records();
    record.set_handle_base(next_handle_base());
    for (auto& each : *map.mutable_failover_records()) {
      if (&each != &record && below(3) > 0) continue;
      each.set_successor(worker.slot());
      each.set_successor_handle_base(worker.handle_base());
      each.set_epoch(each.epoch() + 1);
    }
  }
  std::uint32_t next_handle_base() { return ++blocks_ << 20; }

  std::mt19937 random_;
  std::uint32_t blocks_ = 100;
};

TEST(ADifferenceOfMaps, LeavesTheMapThatWholeMapsLeave) {
  for (std::uint32_t seed = 1; seed <= seeds_of(8, 2); ++seed) {
    Changes changes(seed);
    MapMessage map = map_of(20, 30), base = map;
    std::mt19937 skips(seed);
    int sent = 0;
    for (int change = 0; change < 500; ++change) {
      if (skips() % 3 != 0) base = map;  // one that skips changes is sent several at once
      changes.make(map);
      if (skips() % 3 == 0 && base.version() + 1 != map.version()) continue;
      MapMessage behind = base;
      const auto difference = map_difference(base, map);
      ASSERT_TRUE(difference) << "seed " << seed << ", change " << change;
      ASSERT_LT(difference->ByteSizeLong(), map.ByteSizeLong());
      ASSERT_TRUE(apply_difference(*difference, behind));
      ASSERT_EQ(behind.SerializeAsString(), map.SerializeAsString())
          << "seed " << seed << ", change " << change;
      ++sent;
    }
    EXPECT_GT(sent, 300);
  }
}

TEST(AFollowedMap, IsTheMapAfterHundredsOfChanges) {
  Changes changes(1);
  MapMessage map = map_of(20, 30);
  FollowedMap followed;
  ASSERT_TRUE(followed.take(map));
  for (int change = 0; change < 600; ++change) {
    const MapMessage base = map;
    changes.make(map);
    const auto got = followed.take(*map_difference(base, map));
    const auto expected = read_map(map);
    ASSERT_TRUE(got.ok() && expected.ok()) << change;
    ASSERT_EQ(*got, *expected) << change;
  }
}

TEST(AFollowedMap, TakesNoDifferenceToAMapThatItDoesNotHave) {
  Changes changes(2);
  const MapMessage first = map_of(3, 4);
  MapMessage second = first;
  changes.make(second);
  MapMessage third = second;
  changes.make(third);
  FollowedMap followed;
  EXPECT_THAT(followed.take(*map_difference(first, second)).error().message,
              HasSubstr("before a whole map"));
  ASSERT_TRUE(followed.take(first));
  EXPECT_THAT(followed.take(*map_difference(second, third)).error().message,
              HasSubstr("to version 2 of the map, and this process has 1"));
  EXPECT_FALSE(followed.take(*map_difference(first, second))) << "it does not guess";
  ASSERT_TRUE(followed.take(third));
  EXPECT_EQ(*followed.take(third), *read_map(third));
}

TEST(AFollowedMap, TakesNoDifferenceThatDoesNotFit) {
  Changes changes(3);
  const MapMessage first = map_of(3, 4);
  MapMessage second = first;
  changes.make(second);
  const MapMessage difference = *map_difference(first, second);
  const auto taken = [&](auto spoil) {
    FollowedMap followed;
    EXPECT_TRUE(followed.take(first));
    MapMessage spoiled = difference;
    spoil(spoiled);
    return followed.take(spoiled).ok();
  };
  EXPECT_TRUE(taken([](auto&) {}));
  EXPECT_FALSE(taken([](auto& m) { m.set_cluster_id(8); }));
  EXPECT_FALSE(taken([](auto& m) { m.add_removed_regions(99); }));
  EXPECT_FALSE(taken([](auto& m) { m.add_regions()->set_region(98); })) << "a box is missing";
}

TEST(ADifferenceOfMaps, IsNotWorthwhileOrPossibleBetweenAllMaps) {
  const MapMessage map = map_of(3, 4);
  EXPECT_FALSE(map_difference(map, map)) << "no change";
  MapMessage other = map;
  other.set_version(2);
  other.set_cluster_id(8);
  EXPECT_FALSE(map_difference(map, other)) << "another cluster";
  other = map_of(20, 30);
  other.set_version(2);
  for (auto& worker : *other.mutable_workers()) worker.set_build("new");
  for (auto& gateway : *other.mutable_gateways()) gateway.set_build("new");
  for (auto& region : *other.mutable_regions()) region.set_epoch(5);
  EXPECT_FALSE(map_difference(map, other)) << "a larger message";
  MapMessage records = map;
  for (const std::uint32_t base : {5U, 6U}) records.add_failover_records()->set_handle_base(base);
  other = records;
  other.set_version(2);
  other.mutable_failover_records()->SwapElements(0, 1);
  EXPECT_FALSE(map_difference(records, other)) << "another order";
}

TEST(ADifferenceOfMaps, HasTheSizeOfTheChangeAndNotOfTheMap) {
  const MapMessage map = map_of(1024, 1024);
  EXPECT_GT(map.ByteSizeLong(), 200'000U);
  MapMessage moved = map;
  moved.set_version(2);
  moved.mutable_regions(500)->set_owner(3);
  moved.mutable_regions(500)->set_epoch(2);
  EXPECT_LT(map_difference(map, moved)->ByteSizeLong(), 150U);
}

}  // namespace
}  // namespace perigee::host
