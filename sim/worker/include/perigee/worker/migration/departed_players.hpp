/// Players migrated to other workers a moment ago: records that still arrive for them here are
/// passed on.
#pragma once

#include <functional>
#include <map>
#include <optional>

#include "perigee/base/fabric_batch.hpp"
#include "perigee/base/player_input.hpp"
#include "perigee/worker/cluster_view.hpp"

namespace perigee::worker {

class DepartedPlayers {
 public:
  static constexpr std::int32_t kept_ticks = 120;  ///< after the group was settled
  static constexpr std::int32_t resend_ticks = 12;

  struct Needs {
    const ClusterView& cluster;
    FabricBatch& fabric;
    const Tick& next;  ///< the tick that is simulated next
    /// The group has left and is not acknowledged, or it waits to come back.
    std::function<bool(Handle root)> in_doubt;
  };
  explicit DepartedPlayers(Needs needs) : needs_(std::move(needs)) {}

  /// The player left with the group of this root.
  void add(SessionId session, std::uint64_t client_id, const WorkerEntry& to, Handle with);
  /// The player has come back. Returns the leave record that waited for that.
  std::optional<LeaveRecord> take_back(SessionId session);
  bool contains(SessionId session) const { return players_.contains(session); }
  /// The same for a client with any session.
  bool contains_client(std::uint64_t client_id) const;
  std::uint32_t count_with(Handle root) const;

  /// Sends the record to the worker that the player was migrated to. False: the player was not
  /// migrated.
  bool pass_on(const InputRecord& record) const;
  void pass_on(const TallyRecord& record) const;
  /// While the group is in doubt, the record waits until the owner is certain.
  bool pass_on(const LeaveRecord& record);

  /// Forgets players whose new worker has ended without a successor: they join again, maybe here.
  void on_map();
  /// Repeats leave records: the gateway may have stopped asking before the new owner can answer.
  void after_tick();

 private:
  struct Departed {
    WorkerSlot to{};
    Incarnation incarnation;  ///< of that worker
    HandleBase handle_base;   ///< names that incarnation in the map
    std::uint64_t client_id = 0;
    Handle with = no_entity;
    Tick at;  ///< the latest tick at which the group was not settled
    std::optional<LeaveRecord> leaves;
  };
  bool send(const Departed& departed, const auto& record) const;

  const Needs needs_;
  std::map<SessionId, Departed> players_;
};

}  // namespace perigee::worker
