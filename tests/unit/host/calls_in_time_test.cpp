// Calls whose server does not answer.
#include <grpcpp/grpcpp.h>
#include <gtest/gtest.h>

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>

#include "directory.grpc.pb.h"
#include "perigee/host/call_within.hpp"
#include "perigee/host/calls_under_way.hpp"

namespace perigee::host {
namespace {

using namespace std::chrono_literals;
namespace api = directory::v1;
using Calls = api::Directory::Stub;

/// Time that nothing takes unless it hangs.
constexpr auto hangs = 120s;

/// Answers GetTime at once, and SignOff only after its client has given up.
class ADirectoryThatHangs : public api::Directory::Service {
 public:
  grpc::Status GetTime(grpc::ServerContext*, const api::GetTimeRequest*,
                       api::GetTimeReply* reply) override {
    reply->set_wall_us(7);
    return grpc::Status::OK;
  }
  grpc::Status SignOff(grpc::ServerContext* context, const api::SignOffRequest*,
                       api::SignOffReply*) override {
    begun = true;
    while (!context->IsCancelled()) std::this_thread::sleep_for(1ms);
    return grpc::Status::OK;
  }
  std::atomic<bool> begun = false;
};

class CallsInTime : public testing::Test {
 protected:
  CallsInTime() {
    grpc::ServerBuilder builder;
    int port = 0;
    builder.AddListeningPort("127.0.0.1:0", grpc::InsecureServerCredentials(), &port);
    builder.RegisterService(&service);
    server = builder.BuildAndStart();
    stub = api::Directory::NewStub(grpc::CreateChannel("127.0.0.1:" + std::to_string(port),
                                                       grpc::InsecureChannelCredentials()));
  }
  ~CallsInTime() override { server->Shutdown(std::chrono::system_clock::now()); }

  ADirectoryThatHangs service;
  std::unique_ptr<grpc::Server> server;
  std::unique_ptr<api::Directory::Stub> stub;
};

TEST_F(CallsInTime, HaveTheAnswerOrTheReason) {
  api::GetTimeReply time;
  EXPECT_TRUE(call_within(hangs, *stub, &Calls::GetTime, api::GetTimeRequest{}, time).ok());
  EXPECT_EQ(time.wall_us(), 7);
  api::SignOffReply reply;
  const auto late = call_within(20ms, *stub, &Calls::SignOff, api::SignOffRequest{}, reply);
  EXPECT_EQ(late.error_code(), grpc::StatusCode::DEADLINE_EXCEEDED) << late.error_message();
  api::ClusterMap map;
  const auto refused = call_within(hangs, *stub, &Calls::ListMap, api::ListMapRequest{}, map);
  EXPECT_EQ(refused.error_code(), grpc::StatusCode::UNIMPLEMENTED) << refused.error_message();
}

TEST_F(CallsInTime, EndWithoutADeadlineOfGrpc) {
  grpc::ClientContext context;
  api::SignOffReply reply;
  CallDeadline deadline(context, 20ms);
  const auto status = deadline.judge(stub->SignOff(&context, api::SignOffRequest{}, &reply));
  EXPECT_EQ(status.error_code(), grpc::StatusCode::DEADLINE_EXCEEDED);
  EXPECT_EQ(status.error_message(), "no answer within 20 ms");
}

TEST_F(CallsInTime, EndWithTheirContextToo) {
  grpc::ClientContext context;
  std::thread impatient([&] {
    while (!service.begun) std::this_thread::sleep_for(1ms);
    context.TryCancel();
  });
  api::SignOffReply reply;
  const auto status =
      call_within(hangs, context, *stub, &Calls::SignOff, api::SignOffRequest{}, reply);
  impatient.join();
  EXPECT_EQ(status.error_code(), grpc::StatusCode::CANCELLED);
}

/// One call through CallsUnderWay, without a deadline of gRPC.
struct Begun {
  Begun(CallsUnderWay& calls, api::Directory::Stub& stub, Micros ends_at_us) {
    if (!calls.begin(context, ends_at_us)) return;
    stub.async()->SignOff(&context, &request, &reply, [this, &calls](const grpc::Status& status) {
      calls.end(context, status, [this](const grpc::Status& judged) {
        const std::lock_guard lock(mutex);
        ended = judged;
        changed.notify_all();
      });
    });
  }
  std::optional<grpc::StatusCode> wait() {
    std::unique_lock lock(mutex);
    changed.wait_for(lock, hangs, [&] { return ended.has_value(); });
    return ended ? std::optional(ended->error_code()) : std::nullopt;
  }
  grpc::ClientContext context;
  api::SignOffRequest request;
  api::SignOffReply reply;
  std::mutex mutex;
  std::condition_variable changed;
  std::optional<grpc::Status> ended;
};

TEST_F(CallsInTime, UnderWayAreCancelledWhenTheirTimeIsOver) {
  CallsUnderWay calls;
  Begun early(calls, *stub, 1'000), late(calls, *stub, 2'000);
  calls.cancel_late(999);
  calls.cancel_late(1'000);
  EXPECT_EQ(early.wait(), grpc::StatusCode::DEADLINE_EXCEEDED);
  EXPECT_FALSE(late.ended);
  calls.stop();
  EXPECT_EQ(late.wait(), grpc::StatusCode::CANCELLED);
  Begun none(calls, *stub, 3'000);
  EXPECT_FALSE(none.ended) << "it has not been begun";
}

}  // namespace
}  // namespace perigee::host
