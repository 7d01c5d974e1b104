// The map's stream, as a watcher of whole maps and one of differences receive it.
#include "map_stream.hpp"

#include <gtest/gtest.h>

#include "changes.hpp"
#include "perigee/host/map_difference.hpp"
#include "sanitized.hpp"
#include "served.hpp"

namespace perigee::directory {
namespace {

/// Applies messages as a watcher does.
struct Watcher {
  Watcher(const Served& served, bool differences) : stub(served.stub()) {
    v1::WatchMapRequest request;
    request.set_differences(differences);
    stream = stub->WatchMap(&call, request);
  }
  ~Watcher() { call.TryCancel(); }
  bool read() {
    v1::ClusterMap message;
    if (!stream->Read(&message)) return false;
    was_whole = !message.has_base_version();
    skipped = message.version() - map.version() - 1;
    bytes = message.ByteSizeLong();
    if (was_whole) {
      map = std::move(message);
      return true;
    }
    const auto applied = host::apply_difference(std::move(message), map);
    EXPECT_TRUE(applied) << applied.error().message;
    return applied.ok();
  }
  bool read_until(std::uint64_t version) {
    while (map.version() < version) {
      if (!read()) return false;
    }
    return true;
  }
  Call call;
  std::unique_ptr<v1::Directory::Stub> stub;
  std::unique_ptr<grpc::ClientReader<v1::ClusterMap>> stream;
  v1::ClusterMap map;
  bool was_whole = false;
  std::uint64_t skipped = 0;
  std::size_t bytes = 0;
};

class StreamOnly final : public v1::Directory::WithCallbackMethod_WatchMap<v1::Directory::Service> {
 public:
  ~StreamOnly() override { stream.stop(); }
  grpc::ServerWriteReactor<v1::ClusterMap>* WatchMap(grpc::CallbackServerContext* context,
                                                     const v1::WatchMapRequest* request) override {
    return stream.add(*context, request->differences());
  }
  /// Sends the next version, with this build for the first `builds` workers.
  void send(const std::string& build, int builds) {
    map.set_version(map.version() + 1);
    for (int i = 0; i < builds; ++i) map.mutable_workers(i)->set_build(build);
    stream.send(std::make_shared<const v1::ClusterMap>(map));
  }
  v1::ClusterMap map;
  MapStream stream{2};
};

v1::ClusterMap large_map() {
  v1::ClusterMap map;
  map.set_version(1);
  for (std::uint32_t slot = 0; slot < workers_max; ++slot) {
    v1::Worker& worker = *map.add_workers();
    worker.set_slot(slot);
    worker.set_build(std::string(1'000, 'x'));
  }
  return map;
}

TEST(AStreamOfTheMap, SendsDifferencesToWatchersThatAskForThem) {
  StreamOnly service;
  service.map = large_map();
  const Served served(service);
  Watcher whole(served, false), differences(served, true);
  service.send("first", 1);
  ASSERT_TRUE(whole.read() && differences.read());
  EXPECT_TRUE(differences.was_whole) << "it has nothing yet";
  service.send("second", 1);
  ASSERT_TRUE(whole.read() && differences.read());
  EXPECT_TRUE(whole.was_whole);
  EXPECT_FALSE(differences.was_whole);
  EXPECT_LT(differences.bytes, 40U);
  EXPECT_EQ(whole.map.SerializeAsString(), service.map.SerializeAsString());
  EXPECT_EQ(differences.map.SerializeAsString(), service.map.SerializeAsString());
}

TEST(AStreamOfTheMap, SendsAWholeMapToAWatcherThatIsTooFarBehind) {
  StreamOnly service;
  service.map = large_map();
  const Served served(service);
  Watcher watcher(served, true);
  service.send("first", 1);
  ASSERT_TRUE(watcher.read());
  // The watcher reads nothing while a megabyte is sent to it, and then many changes.
  bool gap = false;
  for (int i = 0; i < 100 && !gap; ++i) {
    service.send(std::string(1'000, i % 2 == 0 ? 'y' : 'z'), static_cast<int>(workers_max));
    for (std::size_t more = 0; more <= MapStream::bases_max; ++more) {
      service.send("change " + std::to_string(more), 1);
    }
    while (watcher.map.version() < service.map.version()) {
      ASSERT_TRUE(watcher.read());
      const bool too_far = watcher.skipped >= MapStream::bases_max;
      EXPECT_TRUE(watcher.was_whole || !too_far);
      gap = gap || too_far;
    }
    ASSERT_EQ(watcher.map.SerializeAsString(), service.map.SerializeAsString());
  }
  EXPECT_TRUE(gap);
  service.send("last", 1);
  ASSERT_TRUE(watcher.read());
  EXPECT_FALSE(watcher.was_whole) << "differences go on from the whole map";
  EXPECT_EQ(watcher.map.SerializeAsString(), service.map.SerializeAsString());
}

TEST(AWatcherOfDifferences, HasTheMapOfAWatcherOfWholeMaps) {
  const std::uint32_t seed = 20'261;
  const int count = shortened() ? 100 : 400;
  ADirectory directory;
  const Served served(directory.service);
  ASSERT_TRUE(directory.leads());
  for (const unsigned i : {0U, 1U, 2U}) ASSERT_TRUE(directory.add_worker(i).ok());
  Watcher whole(served, false), differences(served, true);
  Changes changes(directory, seed);
  ASSERT_TRUE(whole.read() && differences.read());
  int compared = 0, small = 0;
  for (int i = 0; i < count; ++i) {
    changes.make();
    const std::uint64_t version = directory.service.stats().map.version;
    ASSERT_TRUE(whole.read_until(version) && differences.read_until(version));
    ASSERT_EQ(differences.map.SerializeAsString(), whole.map.SerializeAsString())
        << "seed " << seed << ", change " << i;
    if (!differences.was_whole) ++small;
    ++compared;
  }
  EXPECT_EQ(compared, count);
  EXPECT_GT(small, count / 2);
  EXPECT_GT(changes.accepted, count / 3);
}

}  // namespace
}  // namespace perigee::directory
