#include "perigee/host/map_proto.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "directory.pb.h"

namespace perigee::host {
namespace {

ClusterMap some_map() {
  ClusterMap map;
  map.cluster_id = 77;
  map.version = 12;
  map.schema_hash = 0xfeedULL << 40;
  map.time.base = {.wall_us = 1'700'000'000'000'000, .tick = Tick{5}, .tick_rate_hz = 60};
  map.time.change = go_on(map.time.base, Tick{905}, 550'000);
  map.workers.push_back({.slot = WorkerSlot{1},
                         .fabric = Address::v4(10, 0, 0, 7, 40041),
                         .handle_base = HandleBase{2U << 20},
                         .handle_count = 1U << 20,
                         .alive = true,
                         .incarnation = Incarnation{4},
                         .draining = true});
  map.gateways.push_back({.slot = GatewaySlot{0},
                          .fabric = Address::v4(127, 0, 0, 1, 40030),
                          .public_udp = parse_address("[2001:db8::1]:40000").value()});
  map.regions.push_back({.region = RegionId{0},
                         .epoch = Epoch{3},
                         .low = {-8, -2, -8},
                         .high = {0, 2, 8},
                         .owner = WorkerSlot{1},
                         .created_epoch = Epoch{2}});
  map.regions.push_back({.region = RegionId{1},
                         .epoch = Epoch{1},
                         .low = {0, -2, -8},
                         .high = {8, 2, 8},
                         .created_epoch = Epoch{1},
                         .from_checkpoint = true});
  return map;
}

TEST(TheMapsMessage, CarriesTheWholeMap) {
  directory::v1::ClusterMap message;
  write_map(some_map(), message);
  const auto back = read_map(message);
  ASSERT_TRUE(back.ok());
  EXPECT_EQ(*back, some_map());
}

// Before this field existed, an owner populated every region that it was granted.
TEST(TheMapsMessage, SaysThatARegionIsBornWithItsEpochIfItDoesNotSayWhen) {
  directory::v1::ClusterMap message;
  write_map(some_map(), message);
  message.mutable_regions(0)->clear_created_epoch();
  message.mutable_regions(1)->set_created_epoch(0);
  const auto map = read_map(message);
  ASSERT_TRUE(map.ok());
  EXPECT_EQ(map->regions[0].created_epoch, Epoch{3});
  EXPECT_EQ(map->regions[1].created_epoch, Epoch{0}) << "split off";
}

TEST(TheMapsMessage, IsRefusedWhenItBreaksALimit) {
  const auto refused = [](auto spoil) {
    directory::v1::ClusterMap message;
    write_map(some_map(), message);
    spoil(message);
    return !read_map(message).ok();
  };
  EXPECT_TRUE(refused([](auto& m) { m.mutable_workers(0)->set_slot(workers_max); }));
  EXPECT_TRUE(refused([](auto& m) { m.mutable_workers(0)->set_fabric_address("elsewhere"); }));
  EXPECT_TRUE(refused([](auto& m) { m.mutable_gateways(0)->set_slot(gateways_max); }));
  EXPECT_TRUE(refused([](auto& m) { m.mutable_gateways(0)->clear_public_udp_address(); }));
  EXPECT_TRUE(refused([](auto& m) { m.mutable_regions(0)->set_owner(workers_max); }));
  EXPECT_TRUE(refused([](auto& m) { m.mutable_regions(0)->mutable_high()->set_x(-9); }));
  EXPECT_TRUE(refused([](auto& m) { m.mutable_regions(0)->set_created_epoch(4); }));
  EXPECT_TRUE(refused([](auto& m) {
    m.mutable_regions(0)->mutable_low()->set_x(-std::numeric_limits<double>::infinity());
  }));
  EXPECT_TRUE(refused([](auto& m) { m.mutable_time(0)->set_tick_rate_hz(0); }));
  EXPECT_TRUE(refused([](auto& m) { m.mutable_time(1)->set_tick_rate_hz(61); }));
  EXPECT_TRUE(refused([](auto& m) { m.mutable_time(1)->set_rate_ppm(499'999); }));
  EXPECT_TRUE(refused([](auto& m) { m.mutable_time(1)->set_rate_ppm(1'000'001); }));
  EXPECT_TRUE(refused([](auto& m) { m.mutable_time(1)->set_wall_us(m.time(1).wall_us() + 1); }));
  EXPECT_TRUE(refused([](auto& m) { *m.add_time() = m.time(1); }));
  EXPECT_TRUE(refused([](auto& m) { m.clear_time(); }));
}

}  // namespace
}  // namespace perigee::host
