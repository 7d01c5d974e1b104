// A streaming method with prompt, slow and stuck watchers.
#include "perigee/host/newest_stream.hpp"

#include <gtest/gtest.h>

#include <string>

#include "sim.grpc.pb.h"

namespace perigee::host {
namespace {

using sim::v1::Observation;
using Stream = NewestStream<Observation>;
constexpr std::size_t large_bytes = 300'000;

class Server final : public sim::v1::Sim::WithCallbackMethod_Observe<sim::v1::Sim::Service> {
 public:
  explicit Server(const Stream::Limits& limits) : stream(limits) {
    grpc::ServerBuilder builder;
    builder.AddListeningPort("127.0.0.1:0", grpc::InsecureServerCredentials(), &port);
    builder.RegisterService(this);
    server = builder.BuildAndStart();
  }
  ~Server() override {
    stream.stop();
    server->Shutdown();
  }
  grpc::ServerWriteReactor<Observation>* Observe(grpc::CallbackServerContext* context,
                                                 const sim::v1::ObserveRequest*) override {
    return stream.add(*context, step);
  }
  void send(std::uint32_t tick, std::size_t bytes = 10) {
    auto message = std::make_shared<Observation>();
    message->set_tick(tick);
    message->set_entities(std::string(bytes, 'x'));
    newest = message;
    stream.send(std::move(message));
  }
  Stream::Step step;
  Stream::Shared newest;  ///< as it was sent
  Stream stream;
  int port = 0;
  std::unique_ptr<grpc::Server> server;
};

struct Reader {
  explicit Reader(const Server& server)
      : stub(sim::v1::Sim::NewStub(grpc::CreateChannel("127.0.0.1:" + std::to_string(server.port),
                                                       grpc::InsecureChannelCredentials()))),
        stream(stub->Observe(&context, {})) {}
  ~Reader() {
    context.TryCancel();
    if (!ended) stream->Finish();
  }
  grpc::StatusCode end() {
    ended = true;
    return stream->Finish().error_code();
  }
  grpc::ClientContext context;
  std::unique_ptr<sim::v1::Sim::Stub> stub;
  std::unique_ptr<grpc::ClientReader<Observation>> stream;
  Observation newest;
  bool ended = false;
};

bool soon(const std::function<bool()>& condition) {
  for (int i = 0; i < 3'000; ++i) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

TEST(ANewestStream, SendsTheNewestMessageAndThenLaterOnes) {
  Server server({.watchers_max = 2});
  server.send(1);
  server.send(2);
  Reader reader(server);
  ASSERT_TRUE(reader.stream->Read(&reader.newest));
  EXPECT_EQ(reader.newest.tick(), 2U);
  server.send(3);
  ASSERT_TRUE(reader.stream->Read(&reader.newest));
  EXPECT_EQ(reader.newest.tick(), 3U);
}

TEST(ANewestStream, RefusesMoreWatchersThanItsLimit) {
  Server server({.watchers_max = 1});
  server.send(1);
  Reader first(server);
  ASSERT_TRUE(first.stream->Read(&first.newest));
  Reader second(server);
  EXPECT_FALSE(second.stream->Read(&second.newest));
  EXPECT_EQ(second.end(), grpc::StatusCode::RESOURCE_EXHAUSTED);
}

TEST(ANewestStream, CancelsAWatcherThatDoesNotReadAndDelaysNoOther) {
  Server server({.watchers_max = 2, .unread_us_max = 200'000});
  server.send(1, large_bytes);
  Reader stuck(server);
  Reader prompt(server);
  std::uint32_t tick = 1;
  ASSERT_TRUE(soon([&] { return server.stream.counts().watching == 2; }));
  EXPECT_TRUE(soon([&] {
    server.send(++tick, large_bytes);
    EXPECT_TRUE(prompt.stream->Read(&prompt.newest));
    return server.stream.counts().cancelled == 1;
  }));
  EXPECT_TRUE(soon([&] { return server.stream.counts().watching == 1; }));
  server.send(++tick, large_bytes);
  while (prompt.newest.tick() != tick) ASSERT_TRUE(prompt.stream->Read(&prompt.newest));
}

/// Its tick tells both messages: 100 * had + newest.
Stream::Shared stepped(const Stream::Shared& had, const Stream::Shared& newest) {
  auto out = std::make_shared<Observation>();
  out->set_tick(100 * had->tick() + newest->tick());
  return out;
}

TEST(ANewestStream, StepsFromTheMessageThatTheWatcherHas) {
  Server server({.watchers_max = 2});
  server.step = stepped;
  server.send(1);
  Reader reader(server);
  ASSERT_TRUE(reader.stream->Read(&reader.newest));
  EXPECT_EQ(reader.newest.tick(), 1U) << "it has nothing yet";
  for (std::uint32_t tick = 2; tick <= 5; ++tick) {
    const auto kept = server.newest;
    server.send(tick);
    ASSERT_TRUE(reader.stream->Read(&reader.newest));
    EXPECT_EQ(reader.newest.tick(), 100 * (tick - 1) + tick);
  }
}

TEST(ANewestStream, SendsAWholeMessageToAWatcherWhoseLastOneIsForgotten) {
  Server server({.watchers_max = 2});
  server.step = stepped;
  server.send(1);
  Reader reader(server);
  ASSERT_TRUE(reader.stream->Read(&reader.newest));
  server.newest.reset();
  server.send(2);
  ASSERT_TRUE(reader.stream->Read(&reader.newest));
  EXPECT_EQ(reader.newest.tick(), 2U);
}

TEST(ANewestStream, SendsTheSameMessageOnce) {
  Server server({.watchers_max = 2});
  server.send(1);
  Reader reader(server);
  ASSERT_TRUE(reader.stream->Read(&reader.newest));
  server.stream.send(server.newest);
  server.send(2);
  ASSERT_TRUE(reader.stream->Read(&reader.newest));
  EXPECT_EQ(reader.newest.tick(), 2U);
}

TEST(ANewestStream, EndsItsWatchesWhenItStops) {
  Server server({.watchers_max = 2});
  server.send(1);
  Reader reader(server);
  ASSERT_TRUE(reader.stream->Read(&reader.newest));
  server.stream.stop();
  EXPECT_FALSE(reader.stream->Read(&reader.newest));
  EXPECT_EQ(reader.end(), grpc::StatusCode::UNAVAILABLE);
  Reader late(server);
  EXPECT_FALSE(late.stream->Read(&late.newest));
}

}  // namespace
}  // namespace perigee::host
