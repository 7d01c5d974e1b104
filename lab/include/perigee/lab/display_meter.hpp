/// Compares each displayed frame with the final states around it. (metric M4 of the lab)
#pragma once

#include <deque>
#include <optional>

#include "perigee/lab/compared_state.hpp"
#include "perigee/lab/player_figures.hpp"

namespace perigee::lab {

/// The state displayed in one frame: at fraction `part` of a tick after the start of `tick`.
struct ShownFrame {
  Micros at_us = 0;
  Tick tick;
  double part = 0;
  ComparedState state;
  bool smoothing = false;  ///< a correction or a change of parents is being blended
  /// Displayed relative to a frame at V: intentionally not at the server's position.
  bool at_view = false;
};

class DisplayMeter {
 public:
  /// The next frame. It waits for its final states.
  void note(const ShownFrame& frame);
  /// All states up to `final_tick` are final: compares the frames before it.
  void judge(Tick final_tick, const FinalStates& finals, PlayerFigures& out);

 private:
  struct Waiting {
    ShownFrame frame;
    bool switching = false;  ///< a change of parents is being blended
  };
  /// Displayed minus final in the previous frame, and its rate of change.
  struct Deviation {
    Micros at_us = 0;
    ComparedState of;
    Vec3 meters;
    std::optional<Vec3> meters_per_s;
  };
  void judge(const Waiting& waiting, const FinalStates& finals, PlayerFigures& out);

  std::deque<Waiting> waiting_;
  std::optional<Deviation> deviation_;
  int frames_of_blend_ = 0;  ///< a change of velocity spans three frames: so many more are affected
  Handle parent_ = no_entity;
  bool switching_ = false;
};

}  // namespace perigee::lab
