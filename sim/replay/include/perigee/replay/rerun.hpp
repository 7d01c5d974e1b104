/// A recording runs again; two of the same flight are held against each other.
#pragma once

#include <string>

#include "perigee/replay/counterfactual.hpp"
#include "perigee/replay/recording.hpp"

namespace perigee::replay {

/// What came out otherwise than it is recorded.
struct Rerun {
  std::uint32_t ticks = 0;
  std::uint32_t ticks_otherwise = 0;
  std::uint64_t bits_otherwise = 0;  ///< of all states together
  std::optional<Tick> first;         ///< that came out otherwise
  /// Ticks that began with another state than the one before had led to: a correction, a reset.
  std::uint32_t begun_anew = 0;
};
/// Runs each tick from the state that the tick before came out with; anew where the recording says
/// so.
Rerun rerun(const world::GameModule& game, const Recording& recording);

struct Difference {
  std::string field;
  std::string client, worker;  ///< the values
};
/// In what the two sides were told to be the same in: types, tunables. Empty: nothing.
std::vector<Difference> differing_tunables(const Recording& client, const Recording& worker);
/// In what a tick consumed, in the order in which it is consumed; none if all is the same.
std::optional<Difference> first_difference(const world::StepRecord& client,
                                           const world::StepRecord& worker);

struct Parting {
  Tick tick;  ///< the first one that led the two elsewhere
  double meters = 0;
  bool beforehand = false;               ///< they were apart when that tick began
  std::optional<Difference> difference;  ///< the first, of what that tick consumed
};
/// More than rounding of poses that went through the wire ...
inline constexpr double parted_m = 1e-4;
/// ... and than this share of what was noticed in the end.
inline constexpr double parted_share = 0.01;
std::optional<Parting> where_parted(const Recording& client, const Recording& worker);

/// From where they parted, as long as the client went on without being corrected. Unknown if they
/// have no such ticks in common.
Explanation why_parted(const world::GameModule& game, const Recording& client,
                       const Recording& worker, const Parting& parting);

/// None if the recording does not have it.
const world::StepRecord* find_tick(const Recording& recording, Tick tick);

}  // namespace perigee::replay
