/// Replays a recording, and compares two recordings of the same flight.
#pragma once

#include <string>

#include "perigee/replay/counterfactual.hpp"
#include "perigee/replay/recording.hpp"

namespace perigee::replay {

/// Why the game cannot step these ticks: its inputs have other fields than those of the recording,
/// or an input is out of its range. Any program may have written a file, and a game may rely on its
/// ranges. None: it can.
std::optional<Error> unplayable(const world::GameModule& game, const Recording& recording);

/// The replay's differences from the recording.
struct Rerun {
  std::uint32_t ticks = 0;
  std::uint32_t ticks_otherwise = 0;
  std::uint64_t bits_otherwise = 0;  ///< over all states
  std::optional<Tick> first;         ///< the first different tick
  /// Ticks with another initial state than the previous tick's result: a correction, a reset.
  std::uint32_t begun_anew = 0;
};
/// Runs each tick from the result of the previous tick. Where the recording restarts, the tick runs
/// from the recorded state. The recording is playable.
Rerun rerun(const world::GameModule& game, const Recording& recording);

struct Difference {
  std::string field;
  std::string client, worker;  ///< the values
};
/// Differences in what both sides must have in common: types, tunables. Empty: none.
std::vector<Difference> differing_tunables(const Recording& client, const Recording& worker);
/// The first difference in a tick's inputs, in the order in which they are consumed.
std::optional<Difference> first_difference(const world::StepRecord& client,
                                           const world::StepRecord& worker,
                                           const RecordedInputFields& fields);

struct Parting {
  Tick tick;  ///< the first tick with different results
  double meters = 0;
  bool beforehand = false;               ///< the states differed before that tick
  std::optional<Difference> difference;  ///< the first one among the inputs of that tick
};
/// Larger than the rounding of poses on the wire ...
inline constexpr double parted_m = 1e-4;
/// ... and than this share of the error that was noticed in the end.
inline constexpr double parted_share = 0.01;
std::optional<Parting> where_parted(const Recording& client, const Recording& worker);
/// The same for one of the client's corrections.
std::optional<Parting> where_parted(const Recording& client, const Recording& worker,
                                    const NotedCorrection& correction);

/// Explains the error from the parting on, for as long as the client continued without a
/// correction. Unknown if the recordings have no such ticks in common. Both are playable.
Explanation why_parted(const world::GameModule& game, const Recording& client,
                       const Recording& worker, const Parting& parting);

/// None if the tick is not in the recording.
const world::StepRecord* find_tick(const Recording& recording, Tick tick);

}  // namespace perigee::replay
