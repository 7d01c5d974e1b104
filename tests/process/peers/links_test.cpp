// Two workers' links over TCP and TLS, through a proxy that cuts, drops and holds.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "links.hpp"
#include "made_authority.hpp"
#include "perigee/base/bytes.hpp"
#include "process/coordination/proxy.hpp"
#include "process/slowness.hpp"
#include "unit/host/temporary_folder.hpp"

namespace perigee::process_test {
namespace {

using peers::Count;
using peers::metric;
using testing::Contains;
using testing::ElementsAre;

constexpr Address any_port = Address::v4(127, 0, 0, 1, 0);

struct End {
  std::string name;  ///< of its folder of certificates
  long serial = 0;   ///< of its certificate
  std::unique_ptr<host::TlsServer> tls;
  std::vector<std::string> received;
  std::vector<Count> lost;
  std::optional<peers::Links> links;
};

struct TwoWorkersOverTcp : testing::Test {
  host::TemporaryFolder folder;
  MadeAuthority ours{"ours"}, theirs{"theirs"};
  host::Loop loop;
  End low{.name = "low"}, high{.name = "high"};  // the one with the lower slot dials
  std::optional<Proxy> proxy;
  std::optional<host::Timer> each, limit;
  bool in_time = true;

  void SetUp() override {
    with_certificate(low, {});
    with_certificate(high, {});
    meet();
    ASSERT_TRUE(run_until([&] { return linked(); }));
  }
  void with_certificate(End& end, const MadeAuthority::Wanted& wanted,
                        MadeAuthority* by = nullptr) {
    const auto set = folder.path() / end.name;
    end.serial = (by == nullptr ? ours : *by).write(set, wanted);
    std::ofstream(set / "ca.crt") << ours.certificate;
    end.tls = host::TlsServer::open(
                  {set / "tls.crt", set / "tls.key", set / "ca.crt", set / "ca.crl"}, "h2")
                  .value();
  }
  /// New processes of both, with their present certificates.
  void meet() {
    open(low);
    open(high);
    proxy.emplace(high.links->local().port);
    low.links->on_map(map(proxy->port()), WorkerSlot{0});
    high.links->on_map(map(proxy->port()), WorkerSlot{1});
  }
  void open(End& end) {
    end.links.emplace(
        loop, peers::Links::Options{.tls = end.tls.get()},
        peers::Core::Events{.message =
                                [&end](WorkerSlot, auto word) {
                                  end.received.emplace_back(
                                      reinterpret_cast<const char*>(word.data()), word.size());
                                },
                            .linked = {},
                            .lost = [&end](WorkerSlot, Count why) { end.lost.push_back(why); }});
    ASSERT_TRUE(end.links->open(any_port));
  }
  static std::uint64_t counted(const End& end, Count what) {
    return end.links->core().counts()[what];
  }
  /// Whether the two end up without a link, for these reasons.
  bool refuse_each_other(Count at_low, Count at_high) {
    meet();
    return run_until(
        [&] { return counted(low, at_low) > 0 && counted(high, at_high) > 0 && !linked(); });
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

TEST_F(TwoWorkersOverTcp, RefuseCertificatesThatAreNotAMembersOfTheirCluster) {
  const MadeAuthority::Wanted gateway{.names = "URI:perigee:role:gateway"};
  with_certificate(low, gateway);
  EXPECT_TRUE(refuse_each_other(metric.refused_by_peer, metric.refused_role));
  with_certificate(low, {}, &theirs);
  EXPECT_TRUE(refuse_each_other(metric.refused_by_peer, metric.refused_ca));
  with_certificate(low, {});
  with_certificate(high, gateway);
  EXPECT_TRUE(refuse_each_other(metric.refused_role, metric.refused_by_peer));
  with_certificate(high, {.days = -1});
  EXPECT_TRUE(refuse_each_other(metric.refused_date, metric.refused_by_peer));
  EXPECT_THAT(low.lost, testing::IsEmpty());
}

TEST_F(TwoWorkersOverTcp, RefuseAWorkerWithoutTls) {
  low.tls.reset();
  EXPECT_TRUE(refuse_each_other(metric.refused_by_peer, metric.refused_not_tls));
  with_certificate(low, {});
  high.tls.reset();
  EXPECT_TRUE(refuse_each_other(metric.refused_by_peer, metric.refused_garbage));
  low.tls.reset();
  meet();
  EXPECT_TRUE(run_until([&] { return linked(); })) << "without TLS at both ends, on loopback";
}

TEST_F(TwoWorkersOverTcp, LoseALinkWithAWorkerThatIsRevoked) {
  ours.revoke(low.serial);
  std::ofstream(folder.path() / "high/ca.crl") << ours.list();
  ASSERT_TRUE(high.tls->reload());
  ASSERT_TRUE(run_until([&] { return !low.lost.empty() && !high.lost.empty(); }));
  EXPECT_THAT(high.lost, ElementsAre(metric.lost_revoked));
  EXPECT_THAT(low.lost, ElementsAre(metric.lost_closed));
  ASSERT_TRUE(run_until([&] { return counted(high, metric.refused_revoked) > 1; }))
      << "it dials again and again";
  EXPECT_FALSE(linked());
  low.serial = ours.write(folder.path() / "low", {});
  ASSERT_TRUE(low.tls->reload());
  EXPECT_TRUE(run_until([&] { return linked(); })) << "with a new certificate";
}

// A certificate that was renewed counts for new connections, and no link is lost for it.
TEST_F(TwoWorkersOverTcp, StayLinkedWhileCertificatesAndTheCaAreReplaced) {
  MadeAuthority next{"next"};
  for (End* end : {&low, &high}) {
    const auto set = folder.path() / end->name;
    next.write(set, {});
    std::ofstream(set / "ca.crt") << next.certificate << ours.certificate;
    ASSERT_TRUE(end->tls->reload());
    send_text(low, WorkerSlot{1}, "still");
    ASSERT_TRUE(run_until([&] { return high.received.size() == 1; }));
    high.received.clear();
  }
  EXPECT_THAT(low.lost, testing::IsEmpty());
  for (End* end : {&low, &high}) {
    std::ofstream(folder.path() / end->name / "ca.crt") << next.certificate;
    ASSERT_TRUE(end->tls->reload());
  }
  proxy->cut();
  ASSERT_TRUE(run_until([&] { return counted(low, metric.linked) == 2 && linked(); }));
}

TEST_F(TwoWorkersOverTcp, NeedCertificatesOrAConfirmationBeyondLoopback) {
  constexpr Address everywhere = Address::v4(0, 0, 0, 0, 0);
  const auto opened = peers::Links(loop, {}, {}).open(everywhere);
  ASSERT_FALSE(opened.ok());
  EXPECT_THAT(opened.error().message, testing::HasSubstr("add --insecure"));
  EXPECT_TRUE(peers::Links(loop, {.insecure = true}, {}).open(everywhere).ok());
  EXPECT_TRUE(peers::Links(loop, {.tls = low.tls.get()}, {}).open(everywhere).ok());
}

TEST_F(TwoWorkersOverTcp, RefuseABusyPortWithARemedy) {
  peers::Links third(loop, {.tls = low.tls.get()}, {});
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
