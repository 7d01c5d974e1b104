/// Things in flight. They fly where nothing can change any more, a window behind the present: whom
/// an arrow meets at tick t is decided once, both where they were at t. (B8)
#pragma once

#include <vector>

#include "perigee/worker/core.hpp"

namespace perigee::worker {

class Core::Flights {
 public:
  explicit Flights(Core& core) : core_(core) { flying_.reserve(core.settings_.flights_max); }

  /// To everybody else who knows its actor: they draw it.
  void tell(const world::Outcome& loosed);
  /// Flies from here on; refused, and counted, beyond `flights_max`.
  void loose(const world::Outcome& loosed);
  /// All that fly, through `tick`, whose states are final.
  void fly(Tick tick, world::Journal& journal);

 private:
  std::optional<world::DrawnHit> meets(const world::Outcome& loosed, Tick tick) const;
  void tell_player_of(Handle avatar, const WorldEvent& event, bool urgent);

  Core& core_;
  std::vector<world::Outcome> flying_;  ///< by when they left
};

}  // namespace perigee::worker
