#include "perigee/lab/directory_host.hpp"

#include <gtest/gtest.h>

#include "unit/lab/lab_parts.hpp"

namespace perigee::lab {
namespace {

struct ADirectoryHost : testing::Test {
  std::uint64_t register_worker() {
    directory::WorkerIntroduction self;
    self.name = "sim-0";
    self.fabric = worker_fabric(0);
    self.grpc = worker_fabric(1);
    self.instance = 1;
    EXPECT_TRUE(std::holds_alternative<directory::Grant>(
        host.core().register_worker(queue.now_us(), self)));
    host.core().advance(queue.now_us());
    return self.instance;
  }
  EventQueue queue;
  Net net;
  DirectoryHost host{{queue, net, settings_for(1), 1}};
};

TEST_F(ADirectoryHost, ReceivesNothingBehindACutOrWithoutAProcess) {
  EXPECT_TRUE(host.receives(0));
  net.at(0, the_directory).cuts = 1;
  EXPECT_FALSE(host.receives(0));
  EXPECT_TRUE(host.receives(the_gateway));
  host.stop();
  EXPECT_TRUE(host.away());
  EXPECT_FALSE(host.receives(the_gateway));
}

TEST_F(ADirectoryHost, ContinuesFromItsStoredState) {
  register_worker();
  const ClusterMap before = host.map();
  host.stop();
  host.start_again();
  EXPECT_FALSE(host.away());
  EXPECT_EQ(host.map().workers, before.workers);
  EXPECT_EQ(host.map().cluster_id, before.cluster_id);
}

TEST_F(ADirectoryHost, TakesHeartbeatsOfRegisteredIncarnations) {
  const std::uint64_t incarnation = register_worker();
  EXPECT_TRUE(host.beat(0, incarnation, queue.now_us()));
  EXPECT_FALSE(host.beat(0, incarnation + 1, queue.now_us()));
}

TEST_F(ADirectoryHost, SpreadsAChangedMapInsteadOfItsOwn) {
  const std::uint64_t version = host.map().version;
  host.change_map([](ClusterMap& map) { map.schema_hash = 99; });
  EXPECT_EQ(host.map().schema_hash, 99U);
  EXPECT_EQ(host.map().version, version + 1);
  EXPECT_NE(host.core().map().schema_hash, 99U);
  host.change_map([](ClusterMap&) {});
  EXPECT_EQ(host.map().schema_hash, 99U) << "changes add up";
}

}  // namespace
}  // namespace perigee::lab
