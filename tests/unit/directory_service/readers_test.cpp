// Readers of a directory beside its writers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <vector>

#include "changes.hpp"
#include "sanitized.hpp"
#include "served.hpp"

namespace perigee::directory {
namespace {

using testing::HasSubstr;

struct Reader {
  explicit Reader(const Served& served) : stub(served.stub()) {}
  grpc::Status list(v1::ClusterMap& map) const {
    Call call;
    return stub->ListMap(&call, {}, &map);
  }
  grpc::Status time(Micros& wall_us) const {
    Call call;
    v1::GetTimeReply reply;
    const auto status = stub->GetTime(&call, {}, &reply);
    wall_us = reply.wall_us();
    return status;
  }
  bool watch(v1::ClusterMap& map) const {
    Call call;
    const auto stream = stub->WatchMap(&call, {});
    const bool read = stream->Read(&map);
    call.TryCancel();
    return read;
  }
  std::unique_ptr<v1::Directory::Stub> stub;
};

TEST(AReader, DoesNotWaitForAWriteThatTheStoreHolds) {
  ADirectory directory;
  const Served served(directory.service);
  ASSERT_TRUE(directory.leads());
  ASSERT_TRUE(directory.add_worker(0).ok() && directory.add_worker(1).ok());
  const Reader reader(served);
  directory.store.hold(true);
  grpc::Status written;
  std::thread writer([&] { written = directory.add_gateway(0, 40'000); });
  ASSERT_TRUE(directory.store.holds_one());

  v1::ClusterMap listed, watched;
  Micros first_us = 0, second_us = 0;
  EXPECT_TRUE(reader.list(listed).ok());
  EXPECT_TRUE(reader.watch(watched));
  EXPECT_TRUE(reader.time(first_us).ok() && reader.time(second_us).ok());
  EXPECT_TRUE(directory.store.holds_one()) << "the readers waited until it was let go";
  EXPECT_EQ(listed.workers_size(), 2);
  EXPECT_EQ(listed.gateways_size(), 0) << "what is not stored was not shown";
  EXPECT_EQ(watched.version(), listed.version());
  EXPECT_GT(second_us, first_us);

  directory.store.hold(false);
  writer.join();
  EXPECT_TRUE(written.ok()) << written.error_message();
  v1::ClusterMap after;
  EXPECT_TRUE(reader.list(after).ok());
  EXPECT_EQ(after.gateways_size(), 1) << "a caller whose decision was answered can read it";
}

TEST(AReader, IsRefusedOnceTheDirectoryDoesNotLeadAnyMore) {
  ADirectory directory;
  const Served served(directory.service);
  ASSERT_TRUE(directory.leads());
  const Reader reader(served);
  v1::ClusterMap map;
  EXPECT_TRUE(reader.list(map).ok());
  directory.store.depose();
  directory.service.poll();
  const auto refused = reader.list(map);
  EXPECT_EQ(refused.error_code(), grpc::StatusCode::ABORTED);
  EXPECT_THAT(refused.error_message(), HasSubstr("does not lead: another one leads"));
  Micros wall_us = 0;
  EXPECT_EQ(reader.time(wall_us).error_code(), grpc::StatusCode::ABORTED);
  EXPECT_FALSE(reader.watch(map));
}

TEST(AReader, SeesTheReportsOfWorkersAfterThePollThatFollowsThem) {
  ADirectory directory;
  const Served served(directory.service);
  ASSERT_TRUE(directory.leads());
  ASSERT_TRUE(directory.add_worker(0).ok() && directory.add_worker(1).ok());
  v1::HeartbeatRequest request;
  request.set_name("sim-0");
  request.set_worker_slot(0);
  request.set_cluster_id(7);
  request.set_instance(1);
  request.mutable_report()->set_incarnation(1);
  request.mutable_report()->set_entities(70);
  v1::HeartbeatReply reply;
  Call call;
  const auto status = served.stub()->Heartbeat(&call, request, &reply);
  ASSERT_TRUE(status.ok()) << status.error_message();
  directory.service.poll();
  v1::ClusterMap map;
  ASSERT_TRUE(Reader(served).list(map).ok());
  EXPECT_EQ(map.workers(0).entities(), 70U);
  EXPECT_FALSE(map.workers(1).has_entities()) << "it has not reported";
}

/// The parts of a map that belong to its version.
std::string of_version(v1::ClusterMap map) {
  for (auto& worker : *map.mutable_workers()) {
    worker.clear_entities();
    worker.clear_players();
    worker.clear_load_ms();
    worker.clear_overhead_ms();
    worker.clear_level();
    worker.clear_tick_p99_ms();
    worker.clear_late_ms();
    worker.clear_largest_island_ms();
  }
  for (auto& region : *map.mutable_regions()) {
    region.clear_cost_ms();
    region.clear_entities();
    region.clear_away();
    region.clear_changing();
  }
  map.clear_balance();
  return map.SerializeAsString();
}

/// Whether the regions fill the world and have owners that the map knows.
bool complete(const v1::ClusterMap& map) {
  double volume = 0;
  for (const auto& region : map.regions()) {
    volume += (region.high().x() - region.low().x()) * (region.high().y() - region.low().y()) *
              (region.high().z() - region.low().z());
    if (!region.has_owner() || region.owner() >= static_cast<unsigned>(map.workers_size())) {
      return false;
    }
  }
  return volume == 16'000.0 * 4'000.0 * 16'000.0;
}

TEST(AReader, SeesOnlyCompleteStatesBesideAWriter) {
  const std::uint32_t seed = 20'262;
  ADirectory directory;
  const Served served(directory.service);
  ASSERT_TRUE(directory.leads());
  for (const unsigned i : {0U, 1U, 2U}) ASSERT_TRUE(directory.add_worker(i).ok());
  std::atomic<bool> written = false;
  std::mutex mutex;
  std::map<std::uint64_t, std::set<std::string>> by_version;
  std::vector<std::thread> readers;
  for (int i = 0; i < 3; ++i) {
    readers.emplace_back([&] {
      const Reader reader(served);
      std::uint64_t version = 0;
      while (!written) {
        v1::ClusterMap map;
        ASSERT_TRUE(reader.list(map).ok());
        ASSERT_TRUE(complete(map)) << "seed " << seed << ", version " << map.version();
        ASSERT_GE(map.version(), version) << "seed " << seed;
        version = map.version();
        const std::lock_guard lock(mutex);
        by_version[version].insert(of_version(std::move(map)));
      }
    });
  }
  Changes changes(directory, seed);
  for (int i = 0; i < (shortened() ? 60 : 300); ++i) changes.make();
  written = true;
  for (std::thread& reader : readers) reader.join();
  EXPECT_GT(by_version.size(), 30U);
  for (const auto& [version, states] : by_version) {
    EXPECT_EQ(states.size(), 1U) << "seed " << seed << ", version " << version;
  }
}

}  // namespace
}  // namespace perigee::directory
