/// A client's predicted present, and its displacement by a message.
#pragma once

#include "perigee/client/client.hpp"

namespace perigee::lab {

struct Present {
  bool running = false;
  Handle parent = no_entity;
  ActorState state;
  Tick next;
  /// The vehicle that the avatar steers, if the client predicts it, and its place in its frame.
  Handle steered = no_entity;
  Handle steered_frame = no_entity;
  Vec3 steered_at;
  Tick steered_next;
};
Present present_of(const client::Prediction& prediction);

struct Displacement {
  double avatar_m = 0;
  double steered_m = 0;  ///< of the vehicle that it steers
};
/// The displacement between two presents of the same tick, in the newer parent's frame. If the
/// parent changed, it is the displacement of the position displayed before.
Displacement displacement(const Present& before, const Present& after,
                          const client::EntityStore& entities);

}  // namespace perigee::lab
