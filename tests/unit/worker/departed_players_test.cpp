// Players that migrated to another worker, and notices of players that arrived.
#include "perigee/worker/migration/departed_players.hpp"

#include <gmock/gmock.h>

#include "perigee/worker/migration/arrival_notices.hpp"

namespace perigee::worker {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr SessionId session = make_session(GatewaySlot{0}, 5, 0);
constexpr std::uint64_t client = 77;
constexpr Handle group = 900;

struct Departures : testing::Test {
  static Address fabric_of(std::uint8_t slot) { return Address::v4(10, 0, 0, slot, 40042); }

  ClusterMap map = [] {
    ClusterMap out;
    for (std::uint8_t slot = 0; slot < 3; ++slot) {
      WorkerEntry worker;
      worker.slot = WorkerSlot{slot};
      worker.fabric = fabric_of(slot);
      worker.handle_base = HandleBase{100U * (slot + 1U)};
      worker.handle_count = 100;
      worker.incarnation = Incarnation{slot + 1U};
      worker.alive = true;
      out.workers.push_back(worker);
    }
    GatewayEntry gateway;
    gateway.fabric = fabric_of(90);
    gateway.alive = true;
    out.gateways.push_back(gateway);
    return out;
  }();
  ClusterView cluster{map, WorkerSlot{0}};
  std::vector<Address> sent;
  FabricBatch fabric{FabricSender::Worker, [this](const Address& to, auto) { sent.push_back(to); }};
  Tick next{600};
  bool in_doubt = false;
  DepartedPlayers departed{
      {.cluster = cluster, .fabric = fabric, .next = next, .in_doubt = [this](Handle) {
         return in_doubt;
       }}};

  std::vector<Address> sent_now() {
    fabric.flush();
    return std::exchange(sent, {});
  }
  void pass(std::int32_t ticks) {
    for (; ticks > 0; --ticks, next = next + 1) departed.after_tick();
  }
};

TEST_F(Departures, RecordsOfADepartedPlayerGoToItsWorker) {
  EXPECT_FALSE(departed.pass_on(InputRecord{.session = session}));
  departed.add(session, client, map.workers[1], group);
  EXPECT_TRUE(departed.contains(session));
  EXPECT_TRUE(departed.contains_client(client));
  EXPECT_EQ(departed.count_with(group), 1U);
  EXPECT_TRUE(departed.pass_on(InputRecord{.session = session}));
  EXPECT_THAT(sent_now(), ElementsAre(fabric_of(1)));
}

TEST_F(Departures, ALeaveGoesOnAtOnceIfTheGroupIsSettled) {
  departed.add(session, client, map.workers[1], group);
  EXPECT_TRUE(departed.pass_on(LeaveRecord{.session = session}));
  EXPECT_THAT(sent_now(), ElementsAre(fabric_of(1)));
}

TEST_F(Departures, ALeaveWaitsUntilTheGroupIsSettledAndIsRepeatedThen) {
  departed.add(session, client, map.workers[1], group);
  in_doubt = true;
  EXPECT_TRUE(departed.pass_on(LeaveRecord{.session = session}));
  pass(30);
  EXPECT_THAT(sent_now(), IsEmpty());
  in_doubt = false;
  pass(DepartedPlayers::resend_ticks);
  EXPECT_THAT(sent_now(), ElementsAre(fabric_of(1)));
}

TEST_F(Departures, APlayerThatComesBackBringsTheLeaveThatWaited) {
  departed.add(session, client, map.workers[1], group);
  in_doubt = true;
  departed.pass_on(LeaveRecord{.session = session, .lost = true});
  const auto leave = departed.take_back(session);
  ASSERT_TRUE(leave);
  EXPECT_TRUE(leave->lost);
  EXPECT_FALSE(departed.contains(session));
}

TEST_F(Departures, APlayerIsForgottenTwoSecondsAfterItsGroupIsSettled) {
  departed.add(session, client, map.workers[1], group);
  in_doubt = true;
  pass(1'000);
  EXPECT_TRUE(departed.contains(session));
  in_doubt = false;
  pass(DepartedPlayers::kept_ticks);
  EXPECT_TRUE(departed.contains(session));
  pass(2);
  EXPECT_FALSE(departed.contains(session));
}

TEST_F(Departures, APlayerFollowsTheSuccessorOfItsWorkerAndEndsWithOneThatHasNone) {
  departed.add(session, client, map.workers[1], group);
  map.workers[1].alive = false;
  map.failover_records.push_back({HandleBase{200}, WorkerSlot{2}, HandleBase{300}, Epoch{2}});
  departed.on_map();
  EXPECT_TRUE(departed.pass_on(InputRecord{.session = session}));
  EXPECT_THAT(sent_now(), ElementsAre(fabric_of(2)));
  map.workers[2].alive = false;
  departed.on_map();
  EXPECT_FALSE(departed.contains(session));
}

TEST_F(Departures, AnArrivalIsSaidToTheGatewayFiveTimes) {
  PlayerTable players;
  auto player = std::make_unique<Player>();
  player->session = session;
  players.add(std::move(player));
  ArrivalNotices arrivals({.players = players, .cluster = cluster, .fabric = fabric, .next = next});
  arrivals.add(session, 12);
  std::size_t notices = 0;
  for (int tick = 0; tick < 100; ++tick, next = next + 1) {
    arrivals.after_tick();
    notices += sent_now().size();
  }
  EXPECT_EQ(notices, 6U) << "at once, and five times again";
}

TEST_F(Departures, ADetourIsSaidToTheGatewayOnceInATenthOfASecond) {
  PlayerTable players;
  auto player = std::make_unique<Player>();
  player->session = session;
  players.add(std::move(player));
  ArrivalNotices arrivals({.players = players, .cluster = cluster, .fabric = fabric, .next = next});
  for (int tick = 0; tick < 12; ++tick, next = next + 1) {
    arrivals.on_detour(session);
    arrivals.on_detour(99);
    arrivals.after_tick();
  }
  EXPECT_EQ(sent_now().size(), 1U) << "one datagram";
}

}  // namespace
}  // namespace perigee::worker
