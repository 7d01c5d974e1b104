// Differences to maps that a member does not have.
#include <grpcpp/grpcpp.h>
#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "directory.grpc.pb.h"
#include "perigee/host/directory_client.hpp"
#include "process/slowness.hpp"

namespace perigee::process_test {
namespace {

namespace v1 = directory::v1;

/// Version 1, a difference from 1 to 2 and one from 3 to 4; to the second call version 4.
class Skipping final : public v1::Directory::Service {
 public:
  std::atomic<int> calls = 0;

 private:
  grpc::Status WatchMap(grpc::ServerContext* context, const v1::WatchMapRequest* request,
                        grpc::ServerWriter<v1::ClusterMap>* writer) override {
    EXPECT_TRUE(request->differences());
    if (++calls == 1) {
      writer->Write(version(1));
      writer->Write(difference(1));
      writer->Write(difference(3));
    } else {
      writer->Write(version(4));
    }
    while (!context->IsCancelled()) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    return grpc::Status::CANCELLED;
  }
  static v1::ClusterMap version(std::uint64_t number) {
    v1::ClusterMap map;
    map.set_cluster_id(7);
    map.set_version(number);
    map.add_time()->set_tick_rate_hz(60);
    map.mutable_time(0)->set_rate_ppm(1'000'000);
    return map;
  }
  static v1::ClusterMap difference(std::uint64_t base) {
    v1::ClusterMap map = version(base + 1);
    map.set_base_version(base);
    return map;
  }
};

TEST(AMemberThatMissesAMap, CallsAgainAndGetsAWholeOne) {
  Skipping skipping;
  grpc::ServerBuilder builder;
  int port = 0;
  builder.AddListeningPort("127.0.0.1:0", grpc::InsecureServerCredentials(), &port);
  builder.RegisterService(&skipping);
  const auto server = builder.BuildAndStart();
  host::Loop loop;
  std::vector<std::uint64_t> versions;
  {
    const host::DirectoryClient client(loop, {.target = "127.0.0.1:" + std::to_string(port)},
                                       {.map = [&](const ClusterMap& map) {
                                         versions.push_back(map.version);
                                         if (map.version == 4) loop.stop();
                                       }});
    host::Timer late(loop, [&] { loop.stop(); });
    late.at(host::Loop::clock_us() + std::chrono::microseconds(patience).count());
    loop.run();
  }
  EXPECT_EQ(versions, (std::vector<std::uint64_t>{1, 2, 4}));
  EXPECT_EQ(skipping.calls, 2);
  server->Shutdown(std::chrono::system_clock::now());
}

}  // namespace
}  // namespace perigee::process_test
