#include "perigee/client/switch_schedule.hpp"

namespace perigee::client {

void SwitchSchedule::settle(Handle parent, Tick tick) {
  base_parent_ = parent;
  base_tick_ = tick;
  while (!switches_.empty() && before(switches_[0].effect, base_tick_)) switches_.erase(0);
}

void SwitchSchedule::add(const ParentSwitchEvent& event) {
  if (not_after(event.effect, base_tick_ - 1)) return;
  std::size_t place = switches_.size();
  while (place > 0 && before(event.effect, switches_[place - 1].effect)) --place;
  if (switches_.full()) {
    switches_.erase(0);
    if (place > 0) --place;
  }
  switches_.insert(place, {event.parent, event.effect, event.vehicle});
}

Handle SwitchSchedule::parent_at(Tick tick) const {
  Handle parent = base_parent_;
  for (const Switch& change : switches_) {
    if (not_after(change.effect, tick)) parent = change.parent;
  }
  return parent;
}

VehicleChange SwitchSchedule::vehicle_change_at(Tick tick) const {
  for (const Switch& change : switches_) {
    if (change.effect == tick) return change.vehicle;
  }
  return VehicleChange::None;
}

}  // namespace perigee::client
