// A session link with a scripted session service.
#include "perigee/host/session_link.hpp"

#include <grpcpp/grpcpp.h>
#include <gtest/gtest.h>

#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "session.grpc.pb.h"

namespace perigee::host {
namespace {

namespace v1 = session::v1;

/// Holds back every claim; refuses the first call of every other kind.
class AnUnhelpfulService : public v1::SessionControl::CallbackService {
 public:
  grpc::ServerUnaryReactor* ClaimToken(grpc::CallbackServerContext* context,
                                       const v1::ClaimTokenRequest*,
                                       v1::ClaimTokenReply*) override {
    const std::lock_guard lock(mutex_);
    claimed_.push_back(context->DefaultReactor());
    return claimed_.back();
  }
  grpc::ServerUnaryReactor* ReleaseSession(grpc::CallbackServerContext* context,
                                           const v1::ReleaseSessionRequest*,
                                           v1::ReleaseSessionReply*) override {
    return refuse_once(context, "release");
  }
  grpc::ServerUnaryReactor* ReportTechniques(grpc::CallbackServerContext* context,
                                             const v1::ReportTechniquesRequest*,
                                             v1::ReportTechniquesReply*) override {
    return refuse_once(context, "report");
  }
  void answer_claims() {
    const std::lock_guard lock(mutex_);
    for (grpc::ServerUnaryReactor* reactor : claimed_) reactor->Finish(grpc::Status::OK);
    claimed_.clear();
  }

 private:
  grpc::ServerUnaryReactor* refuse_once(grpc::CallbackServerContext* context,
                                        const std::string& call) {
    const std::lock_guard lock(mutex_);
    const bool first = refused_.insert(call).second;
    grpc::ServerUnaryReactor* answer = context->DefaultReactor();
    answer->Finish(first ? grpc::Status(grpc::StatusCode::UNAVAILABLE, "the disk is full")
                         : grpc::Status::OK);
    return answer;
  }

  std::mutex mutex_;
  std::vector<grpc::ServerUnaryReactor*> claimed_;
  std::set<std::string> refused_;
};

class ASessionLink : public testing::Test {
 protected:
  ASessionLink() {
    grpc::ServerBuilder builder;
    int port = 0;
    builder.AddListeningPort("127.0.0.1:0", grpc::InsecureServerCredentials(), &port);
    builder.RegisterService(&service_);
    server_ = builder.BuildAndStart();
    link_.emplace(loop_, "127.0.0.1:" + std::to_string(port),
                  SessionLink::Events{.claimed = [](std::uint64_t, bool) {},
                                      .resume_token = {},
                                      .kicked = {},
                                      .ordered = {}});
  }
  ~ASessionLink() override {
    link_.reset();
    service_.answer_claims();
    server_->Shutdown(std::chrono::system_clock::now());
  }
  /// Runs the loop until this many calls have ended like this; gives up after 20 s.
  std::uint64_t wait_for(SessionCall what, std::uint64_t times) {
    Timer look(loop_, [&] {
      if (link_->counts()[what] >= times || Loop::clock_us() > end_us_) loop_.stop();
    });
    look.every(1'000);
    loop_.run();
    return link_->counts()[what];
  }

  const Micros end_us_ = Loop::clock_us() + 20'000'000;
  AnUnhelpfulService service_;
  std::unique_ptr<grpc::Server> server_;
  Loop loop_;
  std::optional<SessionLink> link_;
};

TEST_F(ASessionLink, SendsAReleaseUntilTheServiceHasAcknowledgedIt) {
  link_->release({.client_id = 7, .lost = true});
  EXPECT_EQ(wait_for(SessionCall::Released, 1), 1U);
  EXPECT_EQ(link_->counts()[SessionCall::Failed], 1U);
}

TEST_F(ASessionLink, SendsAReportUntilTheServiceHasAcknowledgedIt) {
  link_->report_techniques({.client_id = 7, .order = 1, .techniques = {}});
  EXPECT_EQ(wait_for(SessionCall::Reported, 1), 1U);
  EXPECT_EQ(link_->counts()[SessionCall::Failed], 1U);
}

TEST_F(ASessionLink, SendsReleasesWhileAsManyClaimsAreUnderWayAsThereMayBe) {
  for (std::uint64_t id = 1; id <= SessionLink::calls_max + 1; ++id) link_->claim({.claim_id = id});
  EXPECT_EQ(link_->counts()[SessionCall::Dropped], 1U) << "the client's next response claims again";
  link_->release({.client_id = 7, .lost = false});
  EXPECT_EQ(wait_for(SessionCall::Released, 1), 1U);
}

}  // namespace
}  // namespace perigee::host
