/// Tells gateways to send here the inputs of players that have come from other workers.
#pragma once

#include <map>
#include <vector>

#include "perigee/base/fabric_batch.hpp"
#include "perigee/worker/cluster_view.hpp"
#include "perigee/worker/players/player_table.hpp"

namespace perigee::worker {

class ArrivalNotices {
 public:
  /// Notices are repeated, because datagrams get lost.
  static constexpr std::int32_t resend_ticks = 4;
  static constexpr int times = 5;
  /// Minimum between two notices to a gateway that an input took a detour.
  static constexpr std::int32_t detours_apart_ticks = 6;

  struct Needs {
    const PlayerTable& players;
    const ClusterView& cluster;
    FabricBatch& fabric;
    const Tick& next;  ///< the tick that is simulated next
  };
  explicit ArrivalNotices(Needs needs) : needs_(needs) {}

  void add(SessionId session, Handle avatar) {
    arrivals_.push_back({session, avatar, needs_.next});
  }
  /// Another worker has forwarded an input: the gateway does not know the player's new owner.
  void on_detour(SessionId session);
  /// Sends the notices that are due.
  void send();
  void after_tick();

 private:
  struct Arrival {
    SessionId session = 0;
    Handle avatar = no_entity;
    Tick at;
  };
  void send_joined(SessionId session, Handle avatar);

  const Needs needs_;
  std::vector<Arrival> arrivals_;
  std::map<SessionId, Tick> detours_;  ///< gateways notified recently
};

}  // namespace perigee::worker
