/// A cluster small enough to be explored completely: three workers, three regions, one group, and
/// every order of messages, log entries, reports to the directory and faults.
///
/// The owners are the state machines that a worker runs (sim/migration). Around them the model
/// repeats the code of a worker and of the directory: `sim/worker/src/migration/migrations.cpp`,
/// `sim/worker/src/failover/standby_stream.cpp`, `replicas.cpp`, `promotion.cpp`,
/// `services/directory/src/standby_assignment.cpp` and `failover_policy.cpp`.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "perigee/migration/region.hpp"

namespace perigee::migration::checker {

inline constexpr std::size_t regions = 3;
inline constexpr std::size_t workers = 3;
inline constexpr GroupId the_group = 7;
using WorkerId = std::uint8_t;
/// An owner reads no record after this many reports to the directory. With all rules it never has
/// so many; without one of them it could go on for ever.
inline constexpr std::uint32_t reports_max = 8;

struct Traits {
  static constexpr std::size_t refusals_max = 1;
  /// The version of the group that its sender simulated.
  using State = Gver;
};

/// Rules that hold outside of sim/migration, where a worker or the directory applies these
/// machines.
struct Surroundings {
  /// R4: the directory promotes only a standby that is recorded as in sync.
  bool only_in_sync_promoted = true;
  /// R4: an owner goes by the record only if that repeats its newest word.
  bool record_repeats_word = true;
  /// R8: a group is kept by its owner if its destination has ended without a successor.
  bool asks_others_before_return = true;
};

/// Maximum number of events of each kind. `failures` is the total of crashes, breaks of a replica
/// stream, and owners that are declared dead while alive.
struct Bounds {
  int moves = 2;
  int refusals = 1;
  int failures = 2;
  int crashes = 2;
  int breaks = 1;
  int suspicions = 1;
  int new_standbys = 1;
  Surroundings around;
};

}  // namespace perigee::migration::checker
