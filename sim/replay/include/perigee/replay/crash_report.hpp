/// Crash report: the last states of a dead worker's players, and their last inputs. The standby
/// writes it before it steps the players. Bytes: docs/flight_recorder.md. (decision 0044)
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "perigee/base/actor_state.hpp"
#include "perigee/base/ids.hpp"
#include "perigee/base/player_input.hpp"
#include "perigee/base/result.hpp"
#include "perigee/replay/input_fields.hpp"
#include "perigee/world/game_state.hpp"

namespace perigee::replay {

/// Result for the dead worker's players.
enum class Fate : std::uint8_t {
  PlayedOn,         ///< with the pending inputs
  PlayedOnWithout,  ///< pending inputs skipped
  LeftBehind,       ///< not promoted
  last = LeftBehind
};

struct CrashReport {
  static constexpr std::size_t players_max = 5000;
  static constexpr std::size_t inputs_max = 255;  ///< per player
  /// Inputs are kept if they name at most this many ticks before the last received tick.
  static constexpr std::int32_t inputs_back_ticks = 32;

  struct Player {
    std::uint64_t client_id = 0;
    std::uint64_t session = 0;
    std::uint64_t avatar = 0;  ///< identity
    Handle parent = no_entity;
    ActorState state;  ///< at the start of `tick`
    world::GameState game;
    std::int32_t delay_ticks = 0;     ///< delay of its inputs behind the tick that they name
    std::vector<PlayerInput> inputs;  ///< by the ticks that they name
  };

  std::string game;               ///< name of the game
  std::uint64_t schema_hash = 0;  ///< of the game
  std::string build;              ///< of the program that wrote it
  std::uint32_t cluster_id = 0;   ///< of the cluster
  WorkerSlot slot;                ///< of the worker
  Incarnation incarnation;        ///< of its process
  Tick tick;                      ///< next tick of the dead worker, as received last
  Tick written;                   ///< next tick of the standby
  Fate fate = Fate::PlayedOn;
  RecordedInputFields input_fields;  ///< of the game's
  std::vector<Player> players;
};

inline constexpr std::uint16_t crash_report_version = 4;
inline constexpr std::size_t crash_report_bytes_max = 64U << 20;

/// Whether the bytes begin like a crash report.
bool begins_as_crash_report(std::span<const std::byte> bytes);
std::vector<std::byte> write_crash_report(const CrashReport& report);
/// The error is a sentence on the fault in the bytes.
Result<CrashReport> read_crash_report(std::span<const std::byte> bytes);

}  // namespace perigee::replay
