/// The parent of the predicted avatar at each tick: that of the newest final state, and the
/// announced switches after it.
#pragma once

#include "perigee/base/ring.hpp"
#include "perigee/base/wire_world.hpp"

namespace perigee::client {

class SwitchSchedule {
 public:
  static constexpr std::size_t switches_max = 8;  ///< if full, the oldest is dropped

  /// `parent` is the parent in the step that led to the final state of `tick`. Discards earlier
  /// switches, which that state includes.
  void settle(Handle parent, Tick tick);
  /// A switch that a final state already includes is ignored.
  void add(const ParentSwitchEvent& event);
  /// Discards the announced switches.
  void clear() { switches_.clear(); }

  /// Tick of the newest final state.
  Tick base_tick() const { return base_tick_; }
  Handle base_parent() const { return base_parent_; }
  Handle parent_at(Tick tick) const;
  VehicleChange vehicle_change_at(Tick tick) const;
  /// A switch takes effect between the final state and the start of `tick`.
  bool any_before(Tick tick) const {
    return !switches_.empty() && before(switches_[0].effect, tick);
  }

 private:
  struct Switch {
    Handle parent = no_entity;
    Tick effect;
    VehicleChange vehicle = VehicleChange::None;
  };
  Handle base_parent_ = no_entity;
  Tick base_tick_;
  FixedVector<Switch, switches_max> switches_;  ///< by effect
};

}  // namespace perigee::client
