/// The functions that receive a worker's results. Each function may be empty. It is called from
/// within the worker's own calls, and must not call the worker.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "perigee/base/cluster_map.hpp"
#include "perigee/base/migration_step.hpp"
#include "perigee/replay/crash_report.hpp"
#include "perigee/worker/durability/checkpoint.hpp"
#include "perigee/worker/lasting/lasting_rows.hpp"

namespace perigee::worker {

/// The phases of a tick, in order. The driver of the worker measures their cost.
enum class TickPhase : std::uint8_t {
  Rewind,   ///< re-simulates ticks that late inputs made wrong
  Bodies,   ///< game-driven bodies and rigid-body physics
  Actors,   ///< the step of each player
  Judge,    ///< claims, parents, silent players
  Gather,   ///< changed entities, and the spatial index over them
  Publish,  ///< observers: due records, blocks
  Send,
  last = Send
};

struct MigrationNews {
  MigrationStep step{};
  std::uint32_t group = 0;    ///< handle of its root
  std::uint32_t attempt = 0;  ///< numbers the attempts to move the group
  WorkerSlot peer;
};

struct WorkerOutputs {
  /// Messages to other workers. They arrive in order, complete and exactly once, or the link is
  /// lost. Without this function there are no migrations and no ghosts.
  std::function<void(WorkerSlot, std::span<const std::byte>)> to_peer;
  /// The part of the report about standbys has changed and should reach the directory at once.
  std::function<void()> report_now;
  /// Rows for the world store, in order. With a store, an outcome is sent to its players when it is
  /// in the journal, or after 5 s. Without a store it is sent at once.
  std::function<void(const OutcomeRow&)> to_store;
  /// Records that the world store keeps for good, in no order; Core::on_kept() answers. Without a
  /// store, the game is told that nothing is kept.
  std::function<void(const LastingRow&)> to_lasting;
  /// Takes a profile for a session: sessions before it cannot save it any more. `number` names the
  /// question in the answer, Core::on_profile(). Set together with `to_lasting`.
  std::function<void(std::uint64_t number, std::uint64_t owner)> take_profile;
  /// This worker's part of the checkpoint at each tick that checkpoint_every_ticks divides,
  /// delivered some ticks later. Set it before the first map: regions with content that may be in
  /// the last checkpoint then wait for Core::restore().
  std::function<void(CheckpointPart)> to_checkpoint;
  /// The crash report of a dead worker, at promotion, before its players are stepped here.
  std::function<void(replay::CrashReport)> on_crash_report;
  std::function<void(TickPhase)> phase_ended;
  /// For measurements.
  std::function<void(const MigrationNews&)> on_migration;
};

}  // namespace perigee::worker
