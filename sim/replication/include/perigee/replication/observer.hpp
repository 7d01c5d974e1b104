/// One client as one worker serves it: where it looks from, what it has been told, what it is owed.
#pragma once

#include <cstdint>

#include "perigee/netcode/fabric.hpp"
#include "perigee/netcode/reliable_stream.hpp"
#include "perigee/netcode/tick.hpp"
#include "perigee/netcode/wire_client.hpp"
#include "perigee/netcode/wire_world.hpp"
#include "perigee/replication/known_set.hpp"

namespace perigee::replication {

struct Observer {
  SessionId session = 0;
  std::uint16_t stream_epoch = 0;  ///< of this observer's event stream
  Vec3 position;                   ///< world
  Vec3f velocity;
  float radius_m = 3000;
  float stretch = 1;           ///< >= 1; chosen by the avatar's owner alone
  double near_radius_m = 300;  ///< shrinks where more than near_max are within
  Handle avatar = no_entity;   ///< set on the owner only
  EventSender<WorldEvent> events;
  KnownSet known;
  std::uint32_t due_in_period = 0;  ///< records due since the stretch was last chosen
  /// Events wanted while the window was full; the next sweep finds them again.
  std::uint32_t events_deferred = 0;

  void acknowledge(const AcknowledgeFrame& frame) {
    if (frame.stream_epoch == stream_epoch) events.acknowledge(frame.events);
  }
};

}  // namespace perigee::replication
