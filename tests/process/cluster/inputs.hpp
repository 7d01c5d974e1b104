/// Counts of inputs by what the workers did with them.
#pragma once

#include <string>

namespace perigee::process_test {

struct Inputs {
  double applied = 0, late = 0, edges_kept = 0;
  double too_late = 0;
  double too_late_moved = 0;  ///< for a tick near which their player changed workers

  double once() const { return applied + late; }
  double void_ones() const { return edges_kept + too_late + too_late_moved; }
  /// `value`: returns a series of one worker.
  template <class Value>
  void add(Value value) {
    const auto of = [&](const char* result) {
      return value(std::string("perigee_sim_inputs_total{result=\"") + result + "\"}");
    };
    applied += of("applied");
    late += of("late");
    edges_kept += of("edges_kept");
    too_late += of("too_late");
    too_late_moved += of("too_late_moved");
  }
};

}  // namespace perigee::process_test
