/// Input packets of clients: acknowledgements to observers, and inputs to players. An input that
/// comes late makes its ticks wrong, and these are re-simulated.
#pragma once

#include <cstdint>
#include <functional>

#include "perigee/base/fabric_batch.hpp"
#include "perigee/worker/cluster_view.hpp"
#include "perigee/worker/counters.hpp"
#include "perigee/worker/players/player_table.hpp"
#include "perigee/worker/settings.hpp"
#include "perigee/worker/snapshots/observer_table.hpp"

namespace perigee::worker {

/// Seconds between the receive stamps of the gateway's kernel and of this kernel, per input. A full
/// list drops further samples.
using Transits = FixedVector<float, 256>;
/// Seconds between the receive stamp of this kernel and the start of the tick that consumes the
/// input; negative if the input came after that start. A full list drops further samples.
using Waits = FixedVector<float, 256>;

class PlayerInputs {
 public:
  struct Needs {
    PlayerTable& players;
    ObserverTable& observers;
    const ClusterView& cluster;
    FabricBatch& fabric;
    Counts<Count>& counts;
    const Settings& settings;
    const Tick& next;  ///< the tick that is simulated next
    /// The client's answer about chunks of voxel ground.
    std::function<void(ObserverState&, const ChunkFrame&)> on_chunks;
    /// An input to the player of another worker, for which this one may be the standby.
    std::function<void(WorkerSlot owner, const InputRecord&)> on_other_owner;
    /// Forwards an input to the worker that the player was migrated to. False: there is none.
    std::function<bool(const InputRecord&)> forward;
    /// A frame of messages.
    std::function<void(Player&, std::span<const std::byte>)> on_messages;
  };
  explicit PlayerInputs(Needs needs) : needs_(std::move(needs)) {}

  /// `arrived`: the kernel's receive stamp.
  void on_record(FineTick arrived, const InputRecord& record);
  /// Samples of the inputs since the last call.
  Transits take_transits() { return std::exchange(transits_, {}); }
  Waits take_waits() { return std::exchange(waits_, {}); }

 private:
  void on_acknowledgement(const InputRecord& record);
  void on_control(FineTick arrived, Player& player, const ControlFrame& frame);
  void refuse_unknown(SessionId session);
  void follow_techniques(Player& player, const ControlFrame& frame);
  void note_claim(Player& player, const ControlFrame& frame);
  std::int32_t view_age_max(const Player& player, Tick newest) const;
  std::int32_t ahead_of_heard(const Player& player, const ControlFrame& frame) const;
  bool refuses(Player& player, const PlayerInput& input) const;
  InputOffer offer(Player& player, const PlayerInput& input);
  void note_margin(Player& player, FineTick arrived, Tick target);
  void note_transit(FineTick sent, FineTick arrived);
  double real_per_world() const;

  Needs needs_;
  Transits transits_;
  Waits waits_;
  ControlFrame frame_;  ///< the one that is read: 180 inputs are not cleared each time
};

}  // namespace perigee::worker
