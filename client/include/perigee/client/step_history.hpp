/// The predicted steps by tick. A step takes 7 kB, so memory is taken for as many as a path needs:
/// those since the newest final state, and a reserve before it.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "perigee/world/step_record.hpp"

namespace perigee::client {

class StepHistory {
 public:
  static constexpr std::uint32_t capacity_ticks = 256;
  /// Steps that are kept before the argument of settle().
  static constexpr std::int32_t kept_ticks = 64;
  /// Memory that is taken at the start: for a lead of 250 ms. More is taken once, when a longer
  /// path needs it.
  static constexpr std::size_t steps_at_start = kept_ticks + 16;

  StepHistory();

  world::StepRecord* find(Tick tick) {
    Place& place = places_[tick.count % capacity_ticks];
    return place.record != nullptr && place.tick == tick ? place.record : nullptr;
  }
  const world::StepRecord* find(Tick tick) const {
    return const_cast<StepHistory*>(this)->find(tick);
  }
  /// An empty record for `tick`, instead of that of the tick a whole ring earlier.
  world::StepRecord& claim(Tick tick);
  /// Takes claim() back.
  void forget(Tick tick) { forget(places_[tick.count % capacity_ticks]); }
  void clear();
  /// All steps before `final_tick` are final: forgets those that are kept_ticks older.
  void settle(Tick final_tick);

 private:
  static_assert((capacity_ticks & (capacity_ticks - 1)) == 0, "ticks wrap around");
  struct Place {
    Tick tick;
    world::StepRecord* record = nullptr;
  };
  void add();
  void forget(Place& place);

  std::array<Place, capacity_ticks> places_{};
  std::vector<std::unique_ptr<world::StepRecord>> records_;  ///< all, in use or free
  std::vector<world::StepRecord*> free_;
  Tick settled_;  ///< earlier ticks have no places
};

}  // namespace perigee::client
