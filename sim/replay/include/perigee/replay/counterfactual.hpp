/// Why was the present corrected? What was predicted runs again with pieces of it replaced by what
/// became true; the first replacement that removes the error names the cause.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "perigee/netcode/correction_cause.hpp"
#include "perigee/world/step_record.hpp"

namespace perigee::replay {

/// Consecutive ticks of one actor, each with the state that it began with.
using Chain = std::vector<world::StepRecord>;

enum class ThingKind : std::uint8_t { Gone, Static, Timeline, Body, Chained, Actor };

/// What whoever asks knows of the things in the records.
struct Bystanders {
  std::function<ThingKind(Handle)> kind_of;
  /// Has the player's client heard of it by now?
  std::function<bool(Handle)> known;
  /// Of a parent at the end of the chains, as the client has it; for ends in different frames.
  std::function<std::optional<Motion>(Handle)> motion_at_end;
};

struct Disagreement {
  Chain predicted;       ///< as it was believed when the correction came
  Vec3 believed;         ///< where that ended, in the frame of the last record
  Handle parent_at_end;  ///< frame of the corrected present
  Chain became;          ///< the same ticks: the server's own, then what they lead to
};

struct Explanation {
  CorrectionCause cause = CorrectionCause::Unknown;
  double error_m = 0;  ///< from what was believed to what became true
  double left_m = 0;   ///< of it, with everything replaced up to what is named
  /// The first tick whose replaced piece differed; of inputs, the one to ask after.
  Tick since;
};

/// More than this part of the error left, and it was something else.
inline constexpr double explained_left_max = 0.25;

/// In this order: inputs as they were consumed; changes of parents; how parents moved; things that
/// go by announcement; things not heard of; chains; other bodies and people; hidden state of the
/// controller, and what was done to it; states that no step led to. An input that was guessed is
/// InputLost: whether it came later on is for the caller to find out.
/// Unknown, if the chains are empty or of different ticks.
Explanation explain(const world::GameModule& game, const world::ActorParams& params,
                    const Disagreement& between, const Bystanders& bystanders);

}  // namespace perigee::replay
