/// This worker's parts of checkpoints.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "durability/checkpoint_codec.hpp"
#include "perigee/worker/counters.hpp"
#include "perigee/worker/durability/checkpoint_schedule.hpp"
#include "perigee/worker/migration/group_transfer.hpp"
#include "perigee/worker/outputs.hpp"
#include "perigee/worker/players/player_table.hpp"
#include "perigee/worker/settings.hpp"

namespace perigee::worker {

class Migrations;
class Mailbox;

class CheckpointParts {
 public:
  /// A group with a tick before the checkpoint may still arrive for this long.
  static constexpr std::int32_t late_ticks_max = world::World::catch_up_ticks + 1;

  struct Needs {
    world::World& world;
    const world::GameModule& game;
    PlayerTable& players;
    const Outcomes& outcomes;
    const Migrations& migrations;
    const GroupTransfer& transfer;
    const Mailbox& mailbox;
    CheckpointSchedule& schedule;
    const WorkerOutputs& outputs;
    Counts<Count>& counts;
    const Settings& settings;
    const Tick& next;  ///< the tick that is simulated next
  };
  explicit CheckpointParts(Needs needs) : needs_(needs) {}

  void after_tick();
  /// A group has arrived. If it comes from a tick before our open checkpoint, no other worker's
  /// part has the group, so it is added to our part.
  void on_group_received(const world::GroupPast& past,
                         std::span<const std::unique_ptr<Player>> players);

 private:
  void begin();
  void hand_in();
  Vec3 place_in(const world::GroupPast& past, const Player& player) const;
  void add(CheckpointBlock kind, const world::GroupPast& past,
           std::span<const std::unique_ptr<Player>> players);
  Tick settled(Tick next) const;
  CheckpointPlayer checkpoint_player(const Player& player, const Vec3& place, Tick next) const;
  static void add_ground(Handle handle, const world::VoxelPatch& patch,
                         std::vector<CheckpointGround>& out);
  std::vector<CheckpointGround> checkpoint_grounds() const;

  Needs needs_;
  std::vector<WorkerSlot> checkpoint_slots_;
  std::optional<CheckpointWriter>
      open_;                    ///< the current part, until no more groups can arrive for it
  std::size_t part_bytes_ = 0;  ///< size of the last part
};

}  // namespace perigee::worker
