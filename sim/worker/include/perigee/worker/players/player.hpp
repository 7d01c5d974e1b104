/// One player on the worker that owns its avatar: inputs, recent steps, open promises.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>

#include "perigee/base/fabric.hpp"
#include "perigee/base/input_timeline.hpp"
#include "perigee/base/npc_names.hpp"
#include "perigee/base/wire_client.hpp"
#include "perigee/base/wire_world.hpp"
#include "perigee/replay/flight_recorder.hpp"
#include "perigee/worker/lasting/lasting_rows.hpp"
#include "perigee/worker/messages/player_messages.hpp"
#include "perigee/worker/players/late_allowance.hpp"
#include "perigee/worker/players/own_told.hpp"
#include "perigee/worker/players/path_length.hpp"
#include "perigee/worker/players/step_records.hpp"
#include "perigee/worker/tick/tick_set.hpp"
#include "perigee/world/outcome.hpp"
#include "perigee/world/parenting.hpp"
#include "perigee/world/step_record.hpp"
#include "perigee/world/vehicle_control.hpp"

namespace perigee::worker {

/// A change of parent, or of vehicle control, that was announced to the client.
struct PendingSwitch {
  Handle parent = no_entity;
  Tick effect;
  VehicleChange vehicle = VehicleChange::None;
};

/// The client's own position at the start of a tick, as it predicted it.
struct Claim {
  Handle parent = no_entity;
  Vec3f position;
};

/// How well inputs arrived since the last block to the client.
struct MarginReport {
  bool any = false;
  Tick input;  ///< the target tick of the input with the smallest margin
  std::int32_t margin_us = 0;
  std::uint8_t late = 0;
  std::uint8_t guessed = 0;
};

/// An input: its target tick, and the tick at which it was applied.
struct AppliedInput {
  Tick name, at;
};

/// Where an actor may be lost; StrayActors keeps it. It begins anew at another worker.
struct Straying {
  std::int32_t adrift_ticks = 0;  ///< in a row
  bool flew = false;              ///< has flown since it last stood: it may drift on purpose
  bool outside = false;           ///< of the world
};

struct Player {
  static constexpr std::uint32_t records_ticks = StepRecords::recent_ticks;  ///< > window P of 15
  static constexpr std::uint32_t judged_ticks = StepRecords::capacity_ticks;

  SessionId session = 0;
  std::uint64_t client_id = 0;
  std::uint64_t issue = 0;  ///< issue number of the token that opened the session
  PlayerAccount account;
  bool lost = false;  ///< no gateway serves it; the avatar waits for its client
  Handle avatar = no_entity;
  std::uint64_t identity = 0;  ///< the avatar's entity id
  const world::ActorParams* params = nullptr;

  InputTimeline inputs;
  StepRecords records;
  /// Number of players that joined here before; selects the spawn place.
  std::uint32_t ordinal = 0;
  Tick committed;                           ///< outcomes of all earlier ticks are committed
  bool respawns = false;                    ///< respawns as soon as no change is pending
  std::optional<world::ActorPlace> placed;  ///< likewise: the game moves it there
  Handle parent = no_entity;                ///< the parent of `state`
  ActorState state;                         ///< state at the start of the next tick
  world::GameState game;  ///< game state at the start of the next tick, before `events`
  FixedVector<world::GameEvent, world::events_max> events;  ///< applied by the next tick
  /// The public game state as last sent to all clients, and its version: +1 with each sending, and
  /// more after a failover (world::ThingState); 0: the initial state, never sent.
  GameBytes sent_game;
  std::uint32_t sent_game_version = 0;
  world::ParentTracker tracker;
  Straying straying;
  std::optional<PendingSwitch> pending;
  world::VehicleState
      vehicle;  ///< controls of the body that it steers, at the start of the next tick
  // Recorded ticks that have to be re-simulated before the next tick, and the subset with an input
  // that may have changed.
  TickSet wrong, reread;
  LateAllowance lateness;
  LateAllowance gap_replays;  ///< starts anew at another worker
  /// All of an open gap runs again with the next tick, because it is about to end.
  bool gap_ends = false;
  std::int32_t in_time_ticks = 0;  ///< for this long inputs have come in time again, in an open gap
  std::uint8_t reset_epoch = 0;
  bool elsewhere = false;  ///< that epoch began because the game puts the avatar elsewhere
  std::uint16_t switch_version = 0;

  PlayerMessages messages;
  PlayerProfile profile;

  OwnTold told;
  MarginReport margins;
  Micros late_us = 0;                ///< the most that an input was late in the last second
  std::optional<Tick> newest_input;  ///< newest target tick named by a packet
  /// Inputs that name older ticks are refused, because one of them may have crashed the previous
  /// owner. Reset once clients no longer repeat them.
  std::optional<Tick> inputs_from;
  std::optional<Tick> moved_at;  ///< first tick here, if it came from another worker
  std::optional<Tick> repeated;  ///< tick of the last packet that repeated an input
  Tick received;                 ///< tick of the last control frame
  PathLength ahead;              ///< newest input's target minus newest block received by then
  TickRing<Claim, records_ticks> claims;
  Tick claims_checked;  ///< all earlier claims have been compared
  std::int32_t other_parent_ticks = 0;
  /// First tick of which a claim was far off. Claims of a client that has not seen this tick yet
  /// are dropped. Not kept at a migration: the next owner waits once more.
  std::optional<Tick> far_off_since;
  /// Bit i: sample i of that tick has been judged. Re-simulation does not judge it again.
  TickRing<std::uint8_t, judged_ticks> judged;
  /// The judgement last sent to the player for each proposal of a tick, until the tick is
  /// committed.
  TickRing<std::array<std::optional<world::Judgement>, 2 * world::cues_max>, records_ticks> sent;

  /// The cues of a tick that others were sent. Not kept at a migration: clients know what they have
  /// played.
  struct CueName {
    std::uint8_t effect = 0;
    Handle subject = no_entity;
    friend bool operator==(const CueName&, const CueName&) = default;
  };
  TickRing<FixedVector<CueName, 2 * world::cues_max>, 64> cues_sent;

  std::unique_ptr<replay::FlightRecorder> recorder;
  Tick recorded;  ///< all earlier ticks are in the recorder

  /// The game moves it; it has no client, and `lost` is set.
  bool npc() const { return is_npc(session); }
  /// Whether it starts anew elsewhere as soon as no change is pending.
  bool starts_elsewhere() const { return respawns || placed.has_value(); }
  /// Whether the input for this tick was in flight while the player changed workers.
  bool moved_about(Tick tick, std::int32_t window_ticks) const;
  /// Marks the recorded tick `at` for re-simulation. False if it is too old to change, where `next`
  /// is the tick to be simulated next.
  bool mark_wrong(Tick at, Tick next);
  /// Voids everything that the client has predicted or sent. The client continues from the final
  /// state. Claims are checked again after `rest_ticks`.
  void start_anew(Tick next, std::int32_t rest_ticks);
  /// The box in which a tick's neighbours are gathered: the reach of an actor with this state plus
  /// a margin, because a late input may lead elsewhere than the guess did.
  world::Bounds surroundings(const ActorState& local) const;
  /// The body's heading: the last applied look, in the parent's frame.
  Quat yaw_rotation() const;
};

}  // namespace perigee::worker
