/// The cause of a correction of the predicted avatar, from what the client knows. The lab, which
/// has both sides, finds the same cause in most cases: docs/feel.md.
#pragma once

#include "perigee/base/correction_cause.hpp"
#include "perigee/client/entity_store.hpp"
#include "perigee/world/step_record.hpp"

namespace perigee::client {

/// Findings of stepping the ticks again, about their first prediction.
struct ReplayFindings {
  bool door_differed = false;    ///< an announced change of a door was not known
  bool obstacle_missed = false;  ///< an obstacle was not known
  bool frame_differed = false;   ///< the parent moved in another way
};

/// Findings about the tick of the newest final state.
struct FinalFindings {
  const OwnSection& own;
  Handle parent = no_entity;  ///< as known before
  /// Flags, ground or game state were predicted in another way.
  bool state_differed = false;
  const world::StepRecord* predicted = nullptr;  ///< the step that leads to it; null: not kept
  std::int32_t delay_ticks = 0;                  ///< of inputs on the worker
};

/// The cause as known at once, for the storm breaker.
CorrectionCause cause_at_once(const EntityStore& entities, const FinalFindings& found);
/// The same with the findings of the replay.
CorrectionCause cause_after_replay(CorrectionCause at_once, const ReplayFindings& found);

}  // namespace perigee::client
