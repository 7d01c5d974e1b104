// perigee-ctl, with workers that answer late or never.
#include <gmock/gmock.h>
#include <grpcpp/grpcpp.h>
#include <gtest/gtest.h>

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

#include "directory.grpc.pb.h"
#include "process/child.hpp"
#include "sim.grpc.pb.h"

namespace perigee::process_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr const char* any_port = "127.0.0.1:0";

/// Workers behind one address; none of them answers before all have been asked.
class TogetherOnly final : public sim::v1::Sim::Service {
 public:
  explicit TogetherOnly(int workers) : left_(workers) {}

 private:
  grpc::Status Status(grpc::ServerContext* context, const sim::v1::StatusRequest*,
                      sim::v1::StatusReply*) override {
    std::unique_lock lock(mutex_);
    --left_;
    changed_.notify_all();
    while (left_ > 0 && !context->IsCancelled()) {
      changed_.wait_for(lock, std::chrono::milliseconds(20));
    }
    return grpc::Status::OK;
  }
  std::mutex mutex_;
  std::condition_variable changed_;
  int left_;
};

/// Never answers.
class Silent final : public sim::v1::Sim::Service {
  grpc::Status Status(grpc::ServerContext* context, const sim::v1::StatusRequest*,
                      sim::v1::StatusReply*) override {
    while (!context->IsCancelled()) std::this_thread::sleep_for(std::chrono::milliseconds(20));
    return grpc::Status::CANCELLED;
  }
};

class AMapOf final : public directory::v1::Directory::Service {
 public:
  void add(const std::string& name, int port) {
    auto& worker = *map_.add_workers();
    worker.set_slot(static_cast<std::uint32_t>(map_.workers_size() - 1));
    worker.set_name(name);
    worker.set_alive(true);
    worker.set_grpc_address("127.0.0.1:" + std::to_string(port));
  }

 private:
  grpc::Status ListMap(grpc::ServerContext*, const directory::v1::ListMapRequest*,
                       directory::v1::ClusterMap* reply) override {
    *reply = map_;
    return grpc::Status::OK;
  }
  directory::v1::ClusterMap map_;
};

/// Serves during its lifetime.
struct Served {
  int port = 0;
  std::unique_ptr<grpc::Server> server;
  explicit Served(grpc::Service& service) {
    grpc::ServerBuilder builder;
    builder.AddListeningPort(any_port, grpc::InsecureServerCredentials(), &port);
    builder.RegisterService(&service);
    server = builder.BuildAndStart();
  }
  ~Served() { server->Shutdown(std::chrono::system_clock::now()); }
};

struct AnOperatorsQuestion : testing::Test {
  static constexpr int together = 5;
  TogetherOnly workers{together};
  Silent silent, quiet;
  AMapOf map;
  Served all{workers}, first{silent}, second{quiet}, directory{map};

  std::string answer(const std::string& word, int exit_code) const {
    Child ctl(
        {PERIGEE_CTL_BINARY, "--directory", "127.0.0.1:" + std::to_string(directory.port), word});
    EXPECT_EQ(ctl.wait(), exit_code) << ctl.output();
    return ctl.output();
  }
};

TEST_F(AnOperatorsQuestion, GoesToAllWorkersAtOnce) {
  for (int i = 0; i < together; ++i) map.add("sim-" + std::to_string(i), all.port);
  EXPECT_THAT(answer("in-doubt", 0),
              AllOf(HasSubstr("nothing is in doubt\n"), Not(HasSubstr("does not answer"))));
  EXPECT_THAT(answer("limbo", 0), HasSubstr("nothing is in doubt\n")) << "its name until 0.1.0";
}

TEST_F(AnOperatorsQuestion, NamesEachThatDoesNotAnswer) {
  map.add("sim-slow", first.port);
  for (int i = 0; i < together; ++i) map.add("sim-" + std::to_string(i), all.port);
  map.add("sim-still", second.port);
  EXPECT_THAT(answer("in-doubt", 1),
              AllOf(HasSubstr("sim-slow does not answer at 127.0.0.1:"),
                    HasSubstr("sim-still does not answer at 127.0.0.1:"),
                    HasSubstr("nothing is in doubt at the workers that answered"),
                    Not(HasSubstr("sim-0 does not answer"))));
}

}  // namespace
}  // namespace perigee::process_test
