/// Explains a correction. The predicted ticks run again with parts of them replaced by the
/// server's. The first replacement that removes the error names the cause.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "perigee/base/correction_cause.hpp"
#include "perigee/world/step_record.hpp"

namespace perigee::replay {

/// Consecutive ticks of one actor, each with its initial state.
using Chain = std::vector<world::StepRecord>;

enum class ThingKind : std::uint8_t { Gone, Static, Timeline, Body, Chained, Actor };

/// The caller's knowledge of the entities in the records.
struct Bystanders {
  std::function<ThingKind(Handle)> kind_of;
  /// Whether the player's client has received it by now.
  std::function<bool(Handle)> known;
  /// A parent's motion at the end of the chains, as the client has it. Needed if the ends are in
  /// different frames.
  std::function<std::optional<Motion>(Handle)> motion_at_end;
};

struct Disagreement {
  Chain predicted;       ///< as predicted when the correction arrived
  Vec3 believed;         ///< end of the prediction, in the frame of the last record
  Handle parent_at_end;  ///< frame of the corrected present
  Chain became;          ///< the same ticks: final ones of the server, then their re-simulation
};

struct Explanation {
  CorrectionCause cause = CorrectionCause::Unknown;
  double error_m = 0;  ///< distance of the prediction from the corrected present
  double left_m = 0;   ///< the remaining part of it, with all replacements up to the cause
  /// The first tick in which the replaced part differed; for inputs, the input to look up.
  Tick since;
};

/// If more than this part of the error remains, the cause is another one.
inline constexpr double explained_left_max = 0.25;

/// Replacements in this order: inputs as consumed; parent switches; motions of parents; scheduled
/// objects; entities that the client did not know; chains; other bodies and actors; hidden state of
/// the controller, and events for it; states that no step led to. A guessed input is InputLost. The
/// caller finds out whether the input arrived later. Unknown if the chains are empty or have
/// different ticks.
Explanation explain(const world::GameModule& game, const world::ActorParams& params,
                    const Disagreement& between, const Bystanders& bystanders);

}  // namespace perigee::replay
