/// TCP connections: both ends, backpressure, and closing by either end.
#include "perigee/host/stream_sockets.hpp"

#include <gmock/gmock.h>

#include <optional>
#include <string>
#include <vector>

#include "one_loop.hpp"
#include "perigee/base/bytes.hpp"

namespace perigee::host {
namespace {

using Id = StreamSockets::Id;

constexpr Address any_port = Address::v4(127, 0, 0, 1, 0);

struct TwoEnds : OneLoop {
  struct End {
    std::optional<StreamSockets> sockets;
    std::vector<Id> accepted, connected, closed;
    std::string received;
    std::function<void()> on_received = [] {};
  };
  End caller, callee;

  TwoEnds() {
    open(caller);
    open(callee);
  }
  void open(End& end) {
    end.sockets.emplace(
        StreamSockets::open(loop, any_port,
                            {.accepted = [&end](Id id) { end.accepted.push_back(id); },
                             .connected = [&end](Id id) { end.connected.push_back(id); },
                             .received =
                                 [&end](Id, std::span<const std::byte> bytes) {
                                   end.received.append(reinterpret_cast<const char*>(bytes.data()),
                                                       bytes.size());
                                   end.on_received();
                                 },
                             .closed = [&end](Id id) { end.closed.push_back(id); }})
            .value());
  }
  void connect() {
    caller.sockets->dial(callee.sockets->local());
    run_until([&] { return !caller.connected.empty() && !callee.accepted.empty(); });
  }
  static void send_text(End& end, Id id, const std::string& text) {
    end.sockets->write(id, as_bytes_of(text.data(), text.size()));
  }
};

TEST_F(TwoEnds, ReceiveFromEachOther) {
  connect();
  send_text(caller, caller.connected.front(), "there");
  send_text(callee, callee.accepted.front(), "back");
  run_until([&] { return callee.received == "there" && caller.received == "back"; });
}

TEST_F(TwoEnds, GetMoreThanTheKernelTakesAtOnceInOrder) {
  connect();
  std::string all;
  for (int i = 0; i < 64; ++i) {
    const std::string part(256 << 10, static_cast<char>('a' + i % 26));
    send_text(caller, caller.connected.front(), part);
    all += part;
  }
  EXPECT_GT(caller.sockets->unsent_bytes(caller.connected.front()), 1U << 20);
  run_until([&] { return callee.received.size() == all.size(); });
  EXPECT_TRUE(callee.received == all);
  EXPECT_EQ(caller.sockets->unsent_bytes(caller.connected.front()), 0U);
}

TEST_F(TwoEnds, LearnThatTheOtherOneEndedIt) {
  connect();
  caller.sockets->close(caller.connected.front());
  run_until([&] { return !callee.closed.empty(); });
  EXPECT_EQ(callee.closed, callee.accepted);
  EXPECT_TRUE(caller.closed.empty()) << "it knows";
}

TEST_F(TwoEnds, MayEndItWhileTheyAreTold) {
  connect();
  callee.on_received = [&] { callee.sockets->close(callee.accepted.front()); };
  send_text(caller, caller.connected.front(), "x");
  run_until([&] { return !caller.closed.empty(); });
  EXPECT_TRUE(callee.closed.empty());
}

TEST_F(TwoEnds, MayGoWithConnectionsOpenAndUnderWay) {
  connect();
  send_text(caller, caller.connected.front(), std::string(8 << 20, 'x'));
  caller.sockets->dial(callee.sockets->local());
  caller.sockets.reset();
  run_until(
      [&] { return callee.closed.size() == callee.accepted.size() && !callee.closed.empty(); });
}

TEST_F(TwoEnds, AreToldWhenNobodyIsThere) {
  const Address nobody = callee.sockets->local();
  callee.sockets.reset();
  run_until([] { return true; });
  const Id dialled = caller.sockets->dial(nobody);
  run_until([&] { return !caller.closed.empty(); });
  EXPECT_EQ(caller.closed.front(), dialled);
}

TEST_F(TwoEnds, RefuseABusyPortWithARemedy) {
  const auto twin = StreamSockets::open(loop, callee.sockets->local(), {});
  ASSERT_FALSE(twin.ok());
  EXPECT_THAT(twin.error().message, testing::HasSubstr("choose another --port-base"));
}

}  // namespace
}  // namespace perigee::host
