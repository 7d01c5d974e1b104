/// One actor's tick with everything that went into it: enough to run it again, anywhere.
#pragma once

#include <optional>

#include "perigee/world/actor_step.hpp"
#include "perigee/world/frame.hpp"

namespace perigee::world {

struct StepRecord {
  Tick tick;                  ///< the step leads from here to tick + 1
  Handle parent = no_entity;  ///< during the step
  Motion parent_motion;       ///< at the tick's start, world
  FrameMotion frame;
  Neighbours neighbours;  ///< sorted by id
  PlayerInput input;
  bool guessed = false;                 ///< the input was not there and is a repetition
  std::optional<Motion> switched_from;  ///< the old parent at the tick's start, if it changed here
  ActorState before;                    ///< relative to the old parent, if it changed here
  ActorState after;
  StepReport report;
};

/// What the step begins with: `before`, seen from the record's parent if that changes here.
ActorState state_at_start(const StepRecord& record, const ActorState& before);

/// Runs the record's tick from `before` and writes before, after and report: the one function that
/// worker, server rollback and client reconciliation call. A parent switch comes first.
const ActorState& replay_step(const ActorParams& params, StepRecord& record,
                              const ActorState& before);

/// Puts another actor's newer pose at the tick's start (relative to the record's parent) in place
/// of the recorded one. False if the record does not know that actor.
bool replace_actor(StepRecord& record, Handle actor, const Vec3& position, const Vec3& velocity);

}  // namespace perigee::world
