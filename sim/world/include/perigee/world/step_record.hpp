/// One actor's tick with all its inputs: sufficient to run it again anywhere.
#pragma once

#include <optional>

#include "perigee/world/actor_step.hpp"
#include "perigee/world/frame.hpp"
#include "perigee/world/game_fault.hpp"
#include "perigee/world/game_state.hpp"
#include "perigee/world/voxels.hpp"

namespace perigee::world {

class GameModule;

/// An effect of a game's step that cannot be undone: a shot, a catch, a trade. Its aim is in the
/// frame of the record's parent.
struct Proposal {
  std::uint8_t kind = 0;   ///< the game's
  std::uint8_t index = 0;  ///< in its tick; with actor and tick, identifies it
  Handle target = no_entity;
  std::int32_t amount = 0;
  Vec3 from;
  Vec3 direction;
  double speed_m_s = 0;  ///< > 0: a projectile, judged again when it hits
  /// The cell changes at once, on both sides. Only the credit for the edit is pending.
  std::optional<CellEdit> edit;
};
/// GameModule::cue_reach_m of a game that does not say.
inline constexpr double cue_reach_default_m = 100;
/// A visible or audible effect that a game's step requests.
struct Cue {
  std::uint8_t index = 0;   ///< in its tick; with player and tick, identifies it
  std::uint8_t effect = 0;  ///< the game's
  bool judged = false;      ///< belongs to a proposal: a verdict will follow
  Handle subject = no_entity;
};
struct Push {
  Handle body = no_entity;
  Vec3 impulse, at;  ///< parent's frame
};
/// Lower indices are the actions of the input: a tick's cues and proposals are numbered from here.
inline constexpr std::uint8_t first_cue_index = PlayerInput::sub_samples_max;
inline constexpr std::size_t cues_max = 4;
inline constexpr std::size_t events_max = 8;

/// Limit of patches that an actor touches, or digs in, at once.
inline constexpr std::size_t cutouts_max = 2;
using Cutouts = FixedVector<VoxelCutout, cutouts_max>;

using Proposals = FixedVector<Proposal, cues_max>;
/// All requests of a game's step in one tick.
struct Wishes {
  FixedVector<Cue, cues_max> cues;
  Proposals proposals;
  FixedVector<Push, 2> pushes;
  std::uint8_t indices = 0;        ///< indices in use
  bool muted = false;              ///< the input is void
  double speed_share = 1;          ///< of the type's walking, running and jetpack speeds
  Vec3 impulse;                    ///< change of the velocity at the end of the tick, parent axes
  std::uint64_t refused = 0;       ///< a bit per GameValue that was refused
  std::string_view refused_field;  ///< of GameValue::StepMotion, see GameFault
  /// Space examined by the step's queries, parent's frame.
  Bounds looked = nowhere;

  /// Notes the refusal and returns false, for the caller to return.
  bool refuse(GameValue value) {
    refused |= std::uint64_t{1} << static_cast<unsigned>(value);
    return false;
  }
};

struct StepRecord {
  Tick tick;                  ///< the step leads from here to tick + 1
  std::uint64_t actor = 0;    ///< its identity
  Handle parent = no_entity;  ///< during the step
  Motion parent_motion;       ///< at the tick's start, world
  FrameMotion frame;
  Neighbours neighbours;  ///< sorted by id
  Cutouts cutouts;        ///< of the patches among them, at the tick's start
  PlayerInput input;
  bool guessed = false;                 ///< the input is missing; this one is a guess
  std::optional<Motion> switched_from;  ///< the old parent at the tick's start, if it changed here
  VehicleChange vehicle = VehicleChange::None;  ///< controls taken or left at the tick's start
  Vec3 seat;                                    ///< place of the driver, if they are taken
  ActorState before;                            ///< relative to the old parent, if it changed here
  ActorState after;
  StepReport report;
  FixedVector<GameEvent, events_max> events;  ///< applied before the step; worker only
  GameState game_before;                      ///< before the events
  GameState game_after;
  Wishes wishes;
};

/// State at the beginning of the step: `before`, re-expressed if the parent changes in this tick.
ActorState state_at_start(const StepRecord& record, const ActorState& before);

/// Cuts out the cells around the actor in the patches among the record's neighbours, for every tick
/// that is stepped, or stepped again. `cut(Handle, Bounds, Tick, VoxelCutout&)` returns false if it
/// does not know the patch.
template <class Cut>
void cut_out(const ActorParams& params, const ActorState& at_start, StepRecord& record, Cut cut) {
  constexpr double more_m = 2;  ///< beyond touching distance, for digging
  record.cutouts.clear();
  for (Neighbour& neighbour : record.neighbours) {
    neighbour.cutout = 0;
    if (neighbour.shape->voxels() == nullptr || record.cutouts.full()) continue;
    const Pose& at = neighbour.previous;
    const Quat back = conjugate(at.rotation);
    const Bounds around = transformed({rotate(back, -at.position), back},
                                      inflated(reach_of(params, at_start), more_m));
    record.cutouts.resize(record.cutouts.size() + 1);
    if (cut(neighbour.id, around, record.tick, record.cutouts.back())) {
      neighbour.cutout = static_cast<std::uint8_t>(record.cutouts.size());
    } else {
      record.cutouts.resize(record.cutouts.size() - 1);
    }
  }
}

/// Runs the record's tick from `before` and writes before, after and report. A parent switch comes
/// first.
const ActorState& replay_step(const ActorParams& params, StepRecord& record,
                              const ActorState& before);
/// The same with the game's step, which comes before the motion: the one function that worker,
/// server rollback and client reconciliation call. A resulting motion that is not finite, or is
/// beyond place_max_m, is refused: the actor then stays at its place in `before`, at rest.
const ActorState& play_tick(const GameModule& game, const ActorParams& params, StepRecord& record,
                            const ActorState& before, const GameState& game_before);

/// Replaces the recorded pose of another actor at the tick's start (relative to the record's
/// parent) by a newer one. False if the record does not contain that actor.
bool replace_actor(StepRecord& record, Handle actor, const Vec3& position, const Vec3& velocity);

}  // namespace perigee::world
