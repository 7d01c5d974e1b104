/// The motions of bodies as clients are told them for prediction, one for all clients. A body's
/// motion is announced anew when the body has left the one before, as clients extrapolate it.
#pragma once

#include <unordered_map>

#include "perigee/base/own_section.hpp"
#include "perigee/base/tick.hpp"
#include "perigee/base/vec.hpp"
#include "perigee/world/entity_type.hpp"
#include "perigee/world/frame.hpp"

namespace perigee::worker {

class AnnouncedMotions {
 public:
  /// The name of an announcement is its tick.
  struct Announced {
    Motion motion;  ///< as the wire carries it
    Tick tick;      ///< at the start of this one
  };
  /// `motion`: at the start of `now`.
  const Announced& current(Handle body, const world::EntityType& type, const Motion& motion,
                           Tick now);
  /// Forgets bodies that no client was near for a while.
  void forget_unused(Tick now);

 private:
  struct Line {
    Announced told;
    world::MotionOnward onward;
    Tick checked;
  };
  std::unordered_map<Handle, Line> lines_;
};

}  // namespace perigee::worker
