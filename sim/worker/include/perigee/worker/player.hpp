/// One player on the worker that owns the avatar: inputs, recent steps, what is still open.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>

#include "perigee/netcode/fabric.hpp"
#include "perigee/netcode/input_timeline.hpp"
#include "perigee/netcode/wire_client.hpp"
#include "perigee/netcode/wire_world.hpp"
#include "perigee/replay/flight_recorder.hpp"
#include "perigee/worker/late_allowance.hpp"
#include "perigee/worker/tick_set.hpp"
#include "perigee/world/helm.hpp"
#include "perigee/world/outcome.hpp"
#include "perigee/world/parenting.hpp"
#include "perigee/world/step_record.hpp"

namespace perigee::worker {

/// A change of parent, or at its helm, that was promised to the client. (mission K34, K40)
struct PendingSwitch {
  Handle parent = no_entity;
  Tick effect;
  HelmChange helm = HelmChange::None;
};

/// Where the client believes to be at the start of a tick. (V6)
struct Claim {
  Handle parent = no_entity;
  Vec3f position;
};

/// How well inputs arrived since the last block to the client.
struct MarginReport {
  bool any = false;
  Tick input;  ///< named by the judged input with the smallest margin
  std::int32_t margin_us = 0;
  std::uint8_t late = 0;
  std::uint8_t guessed = 0;
};

struct Player {
  static constexpr std::uint32_t records_ticks = TickSet::capacity_ticks;  ///< > window P of 15
  static constexpr std::uint32_t judged_ticks = 64;

  SessionId session = 0;
  std::uint64_t client_id = 0;
  std::uint64_t issue = 0;  ///< of the token that opened the session
  bool lost = false;        ///< no gateway serves it; the avatar waits for its client
  Handle avatar = no_entity;
  std::uint64_t identity = 0;  ///< of the avatar
  const world::ActorParams* params = nullptr;

  InputTimeline inputs;
  TickRing<world::StepRecord, records_ticks> records;
  std::uint32_t ordinal = 0;  ///< how many came before; decides where it begins
  Tick committed;             ///< outcomes of every tick before it are decided
  bool respawns = false;      ///< begins anew as soon as no promise is open
  Handle parent = no_entity;  ///< of `state`
  ActorState state;           ///< at the start of the next tick
  world::GameState game;      ///< likewise, before `events`
  FixedVector<world::GameEvent, world::events_max> events;  ///< to be heard by the next tick
  GameBytes told_game;                                      ///< what everybody was told of it last
  world::ParentTracker tracker;
  std::optional<PendingSwitch> pending;
  world::HelmState helm;  ///< of the body that it steers, at the start of the next tick
  // Recorded ticks that have to run again before the next one runs; and of these, the ones whose
  // input may be another one by now. (S8)
  TickSet wrong, reread;
  LateAllowance lateness;
  std::uint8_t reset_epoch = 0;
  std::uint16_t switch_version = 0;

  MarginReport margins;
  std::optional<Tick> newest_input;  ///< that a packet named
  /// Inputs that name older ticks are refused: one of them may have ended who had the player. Until
  /// clients have stopped saying them.
  std::optional<Tick> inputs_from;
  std::optional<Tick> moved_at;  ///< the first tick here, of who came from another worker
  Tick heard;                    ///< when the last control frame came
  std::int32_t ahead_ticks = 0;  ///< newest input's target minus view tick: round trip + delay
  TickRing<Claim, records_ticks> claims;
  Tick claims_checked;  ///< every claim before it has been compared
  std::int32_t other_parent_ticks = 0;
  /// Bit i: sample i of that tick has been judged; re-simulation does not judge again.
  TickRing<std::uint8_t, judged_ticks> judged;
  /// What the player was told of each proposal of a tick, until that is committed.
  TickRing<std::array<std::optional<world::Judgement>, 2 * world::cues_max>, records_ticks> told;

  std::unique_ptr<replay::FlightRecorder> recorder;
  Tick recorded;  ///< every tick before it has been

  /// Is that a tick whose input was under way while the player changed workers?
  bool moved_about(Tick tick, std::int32_t window_ticks) const;
  /// The recorded tick `at` would come out otherwise. False if nothing may change it any more, when
  /// `next` is to be simulated.
  bool mark_wrong(Tick at, Tick next);
  /// Where a tick's neighbours are gathered that begins with this state: as far as it can get, and
  /// somewhat more, because a late input may lead elsewhere than the guess did.
  world::Bounds surroundings(const ActorState& local) const;
  /// Where the body faces: the last applied look, in the parent's frame.
  Quat yaw_rotation() const;
};

}  // namespace perigee::worker
