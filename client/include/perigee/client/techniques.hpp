/// What a client does about latency, each technique a switch that may be turned at any time. The
/// defaults are what we think is best; the others are there to be compared with. (mission E5, E6,
/// E9, K25, K32)
#pragma once

#include "perigee/netcode/display_smoother.hpp"

namespace perigee::client {

/// How a final state of the server is brought into the present.
enum class Reconciler : std::uint8_t {
  Replay,  ///< take it, step all newer inputs again (E3)
  Shift,   ///< add the difference to everything newer; across a change of parents: replay (K25)
  last = Shift
};

struct Techniques {
  Reconciler reconciler = Reconciler::Replay;
  /// Final states that are nearer than this to what was predicted change nothing; 0: each is taken.
  /// (E2 has 0.00001)
  double reconcile_beyond_m = 0;
  Smoothing smoothing = Smoothing::Quintic;
  /// Shows the own avatar where it will be; off: where the server last said, as others are drawn.
  bool prediction = true;
  /// Shows what the server says while the prediction is wrong too often. (V10, K46)
  bool storm_breaker = true;

  friend bool operator==(const Techniques&, const Techniques&) = default;
};

}  // namespace perigee::client
