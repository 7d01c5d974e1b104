#include "perigee/client/correction_log.hpp"

namespace perigee::client {

void CorrectionLog::on_correction(const Correction& correction) {
  const Micros now_us = needs_.clocks.now_us();
  breaker_.on_correction(now_us, correction.meters, correction.storm);
  if (needs_.display.animating()) return;  // it was not displayed
  last_shown_ = correction;
  ++shown_;
  const EntityStore& entities = needs_.entities;
  const ClientEntity* parent = entities.find(needs_.prediction.parent());
  const bool on_static =
      parent == nullptr || entities.type_of(*parent).kind == world::EntityKind::Static;
  needs_.telemetry.on_correction(now_us, correction.meters, correction.cause, on_static);
}

}  // namespace perigee::client
