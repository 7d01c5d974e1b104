// Sim.Observe of a running worker.
#include <grpcpp/grpcpp.h>

#include <set>

#include "operator.hpp"

namespace perigee::process_test {
namespace {

constexpr std::size_t record_bytes = 32;
constexpr std::uint16_t actor_flag = 4;

/// Viewers are on different machines, so they do not share a connection and its limit of calls.
std::shared_ptr<grpc::Channel> own_connection(const std::string& to) {
  grpc::ChannelArguments arguments;
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  return grpc::CreateCustomChannel(to, grpc::InsecureChannelCredentials(), arguments);
}

class AViewer {
 public:
  explicit AViewer(unsigned port)
      : stub_(sim::v1::Sim::NewStub(own_connection("127.0.0.1:" + std::to_string(port)))),
        stream_(stub_->Observe(&context_, {})) {}
  ~AViewer() {
    context_.TryCancel();
    if (!ended_) stream_->Finish();
  }
  bool read() { return stream_->Read(&newest); }
  grpc::Status end() {
    ended_ = true;
    return stream_->Finish();
  }
  /// Handles of the actors in the newest observation.
  std::set<std::uint32_t> actors() const {
    std::set<std::uint32_t> out;
    const std::string& bytes = newest.entities();
    for (std::size_t at = 0; at + record_bytes <= bytes.size(); at += record_bytes) {
      std::uint32_t handle = 0;
      std::uint16_t flags = 0;
      std::memcpy(&handle, bytes.data() + at, sizeof handle);
      std::memcpy(&flags, bytes.data() + at + 10, sizeof flags);
      if ((flags & actor_flag) != 0) out.insert(handle);
    }
    return out;
  }
  sim::v1::Observation newest;

 private:
  PatientCall context_;
  std::unique_ptr<sim::v1::Sim::Stub> stub_;
  std::unique_ptr<grpc::ClientReader<sim::v1::Observation>> stream_;
  bool ended_ = false;
};

TEST_F(ACluster, ShowsItsWorldToSixteenViewers) {
  start_all();
  Child players(bots({"--count", "4", "--seconds", "600"}));
  ASSERT_TRUE(players.says("playing 4")) << players.output();
  std::list<AViewer> viewers;
  for (int i = 0; i < 16; ++i) {
    viewers.emplace_back(base + 20);
    ASSERT_TRUE(viewers.back().read());
  }
  AViewer& first = viewers.front();
  EXPECT_TRUE(soon([&] { return first.read() && first.actors().size() >= 2; }))
      << "two of the four players are this worker's";
  EXPECT_EQ(first.newest.left_out(), 0U);
  ASSERT_GT(first.newest.kinds_size(), 5);
  bool has_actors = false;
  for (const auto& kind : first.newest.kinds()) {
    EXPECT_FALSE(kind.name().empty());
    EXPECT_EQ(kind.low_m_size(), kind.high_m_size());
    has_actors |= kind.motion() == sim::v1::ObservedKind::MOTION_ACTOR;
  }
  EXPECT_TRUE(has_actors);
  const std::uint32_t before = first.newest.tick();
  ASSERT_TRUE(first.read());
  EXPECT_GT(first.newest.tick(), before);

  AViewer one_too_many(base + 20);
  EXPECT_FALSE(one_too_many.read());
  EXPECT_EQ(one_too_many.end().error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
  viewers.pop_back();
  EXPECT_TRUE(soon([&] { return AViewer(base + 20).read(); })) << "a place is free";
  players.signal(SIGINT);
  EXPECT_EQ(players.wait(), 0) << players.output();
}

}  // namespace
}  // namespace perigee::process_test
