#include "observation_feed.hpp"

#include <string>

namespace perigee::worker {

ObservationFeed::ObservationFeed(const world::GameModule& game) {
  for (const world::EntityType& type : game.types()) {
    sim::v1::ObservedKind& kind = *kinds_.add_kinds();
    kind.set_name(std::string(type.name));
    kind.set_motion(static_cast<sim::v1::ObservedKind::Motion>(type.kind));
    if (!type.shape) continue;
    const world::Bounds& bounds = type.shape->bounds();
    for (const double m : {bounds.low.x, bounds.low.y, bounds.low.z}) kind.add_low_m(m);
    for (const double m : {bounds.high.x, bounds.high.y, bounds.high.z}) kind.add_high_m(m);
  }
}

void ObservationFeed::show(const world::World* world) {
  if (world == nullptr || viewers_.counts().watching == 0) return;
  auto observation = std::make_shared<sim::v1::Observation>(kinds_);
  const auto entities = writer_.write(*world);
  observation->set_tick(world->now().count);
  observation->set_entities(entities.data(), entities.size());
  observation->set_left_out(writer_.left_out());
  viewers_.send(std::move(observation));
}

}  // namespace perigee::worker
