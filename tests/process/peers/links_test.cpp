// Two workers' links over TCP, through a proxy that cuts, drops and holds.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "links.hpp"
#include "perigee/base/bytes.hpp"
#include "process/coordination/proxy.hpp"
#include "process/slowness.hpp"

namespace perigee::process_test {
namespace {

using peers::Count;
using peers::metric;
using testing::Contains;
using testing::ElementsAre;

constexpr Address any_port = Address::v4(127, 0, 0, 1, 0);

struct End {
  std::vector<std::string> received;
  std::vector<Count> lost;
  std::optional<peers::Links> links;
};

struct TwoWorkersOverTcp : testing::Test {
  host::Loop loop;
  End low, high;  // the one with the lower slot dials
  std::optional<Proxy> proxy;
  std::optional<host::Timer> each, limit;
  bool in_time = true;

  void SetUp() override {
    open(low);
    open(high);
    proxy.emplace(high.links->local().port);
    low.links->on_map(map(proxy->port()), WorkerSlot{0});
    high.links->on_map(map(proxy->port()), WorkerSlot{1});
    ASSERT_TRUE(run_until([&] { return linked(); }));
  }
  void open(End& end) {
    end.links.emplace(
        loop, peers::Keys{},
        peers::Core::Events{.message =
                                [&end](WorkerSlot, auto word) {
                                  end.received.emplace_back(
                                      reinterpret_cast<const char*>(word.data()), word.size());
                                },
                            .linked = {},
                            .lost = [&end](WorkerSlot, Count why) { end.lost.push_back(why); }});
    ASSERT_TRUE(end.links->open(any_port));
  }
  static ClusterMap map(unsigned port_of_high) {
    ClusterMap map;
    map.cluster_id = 1;
    for (const WorkerSlot slot : worker_slots(2)) {
      const auto port = static_cast<std::uint16_t>(slot == WorkerSlot{0} ? 9 : port_of_high);
      map.workers.push_back({.slot = slot,
                             .fabric = Address::v4(127, 0, 0, 1, port),
                             .alive = true,
                             .incarnation = Incarnation{1}});
      map.regions.push_back({.region = RegionId{slot.number}, .epoch = Epoch{1}, .owner = slot});
    }
    return map;
  }
  bool linked() const {
    return low.links->core().linked(WorkerSlot{1}) && high.links->core().linked(WorkerSlot{0});
  }
  /// Runs the loop until `done` holds, for up to `patience`.
  bool run_until(const std::function<bool()>& done) {
    in_time = true;
    each.emplace(loop, [&] {
      if (done()) loop.stop();
    });
    limit.emplace(loop, [&] {
      in_time = false;
      loop.stop();
    });
    each->every(1'000);
    limit->at(host::Loop::clock_us() + std::chrono::microseconds(patience).count());
    loop.run();
    each.reset();
    limit.reset();
    return in_time;
  }
  static void send_text(End& from, WorkerSlot to, const std::string& text) {
    from.links->send(to, as_bytes_of(text.data(), text.size()));
  }
};

TEST_F(TwoWorkersOverTcp, SpeakWithEachOther) {
  const std::string much(5 << 20, 'x');
  send_text(low, WorkerSlot{1}, "there");
  send_text(high, WorkerSlot{0}, much);
  ASSERT_TRUE(run_until([&] { return !low.received.empty() && !high.received.empty(); }));
  EXPECT_THAT(high.received, ElementsAre("there"));
  EXPECT_TRUE(low.received.front() == much) << "more than a socket's buffer holds";
}

TEST_F(TwoWorkersOverTcp, AreLinkedAnewAfterEachCut) {
  for (int i = 1; i <= 5; ++i) {
    proxy->cut();
    ASSERT_TRUE(run_until([&] {
      return low.links->core().counts()[metric.linked] > static_cast<unsigned>(i) && linked();
    }));
    high.received.clear();
    send_text(low, WorkerSlot{1}, "again");
    ASSERT_TRUE(run_until([&] { return !high.received.empty(); }));
    EXPECT_THAT(high.received, ElementsAre("again"));
  }
  EXPECT_THAT(low.lost, testing::Each(metric.lost_closed));
}

// The connection is open, but carries no data any more: a cable, a firewall, a stopped process.
TEST_F(TwoWorkersOverTcp, GiveUpAHalfOpenConnection) {
  proxy->set(Proxy::Mode::SwallowReplies);
  ASSERT_TRUE(run_until([&] { return !low.lost.empty(); }));
  EXPECT_THAT(low.lost, ElementsAre(metric.lost_silent));
  proxy->set(Proxy::Mode::Pass);
  proxy->cut();
  ASSERT_TRUE(run_until([&] { return linked(); }));
}

TEST_F(TwoWorkersOverTcp, WaitForAPeerThatIsNotThereYet) {
  proxy->set(Proxy::Mode::Refuse);
  proxy->cut();
  ASSERT_TRUE(run_until([&] { return low.links->core().counts()[metric.refused_by_peer] > 2; }));
  proxy->set(Proxy::Mode::Pass);
  ASSERT_TRUE(run_until([&] { return linked(); }));
}

TEST_F(TwoWorkersOverTcp, RefuseABusyPortWithARemedy) {
  peers::Links third(loop, {}, {});
  const auto opened = third.open(high.links->local());
  ASSERT_FALSE(opened.ok());
  EXPECT_THAT(opened.error().message, testing::HasSubstr("choose another --port-base"));
}

TEST_F(TwoWorkersOverTcp, FindNobodyAtAPortWhereNobodyListens) {
  high.links.reset();
  ASSERT_TRUE(run_until([&] { return low.links->core().counts()[metric.refused_by_peer] > 0; }))
      << "the proxy takes the call, and finds nobody";
  low.links->on_map(map(1), WorkerSlot{0});
  ASSERT_TRUE(run_until([&] { return low.links->core().counts()[metric.unreachable] > 1; }));
}

}  // namespace
}  // namespace perigee::process_test
