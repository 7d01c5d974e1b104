/// The times and places at which entities are rendered. The own avatar is rendered between two
/// predicted states, or, without prediction, at V like all others.
#pragma once

#include <cstdint>

#include "perigee/client/clocks.hpp"
#include "perigee/client/entity_store.hpp"
#include "perigee/client/latency_log.hpp"
#include "perigee/client/prediction.hpp"
#include "perigee/client/projectiles.hpp"

namespace perigee::client {

class Display {
 public:
  struct Needs {
    const EntityStore& entities;
    Prediction& prediction;
    const Clocks& clocks;
    TelemetryLog& telemetry;
    LatencyLog& latency;
  };
  explicit Display(const Needs& needs) : needs_(needs) {}

  void forget_world();
  /// Once per frame, with the world's time since the previous one. `animate`: render the own avatar
  /// at the server's state.
  void advance(Micros now_us, double world_s, bool animate);
  /// Counts the entities that are rendered beyond their newest sample.
  void count_extrapolated();

  ViewPoint view(Micros now_us) const;
  /// The view on the screen since the last frame.
  const ViewPoint& seen() const { return seen_; }
  /// Age of that view at `tick`, in 1/16 tick: the worker needs it to rebuild the scene.
  std::uint16_t view_age(Tick tick) const;
  /// Rendered at the server's state, not at the prediction.
  bool animating() const { return animating_; }
  /// Interpolation of the rendered prediction from the state before its last step (0) to the one
  /// after (1).
  double shown_part(Micros now_us) const;
  /// Of the own avatar, in the frame of the prediction's parent, without the remaining corrections.
  Vec3 shown_position(Micros now_us, const ViewPoint& at) const;
  ProjectileViewer projectile_viewer(Micros now_us) const;

 private:
  void advance_vehicle(Micros now_us, double world_s);
  void choose(Micros now_us, bool animate);
  void note_shown(Micros now_us);

  Needs needs_;
  bool animating_ = false;
  ViewPoint seen_;
};

}  // namespace perigee::client
