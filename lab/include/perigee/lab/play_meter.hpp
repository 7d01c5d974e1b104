/// Measures the players' actions from the worker's final ticks: the activity that the floors ask
/// for, and the delays of inputs. (metric M7 of the lab)
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "perigee/world/step_record.hpp"

namespace perigee::lab {

/// Final ticks only.
struct PlayFigures {
  std::uint64_t ticks = 0;
  std::uint64_t moving_ticks = 0;    ///< faster than 0.5 m/s relative to the parent
  std::uint64_t steering_ticks = 0;  ///< at the controls of a vehicle
  std::uint64_t turns = 0;           ///< by more than 10 degrees, applied
  std::uint64_t contacts = 0;        ///< collisions that began
  std::uint64_t jumps = 0;
  std::uint64_t crossings = 0;  ///< of the planes of a lane's doors
  std::uint64_t parents = 0;    ///< changes of parent: a ship was boarded or left
  std::uint64_t edits = 0;      ///< cells dug or filled
  std::uint64_t missed = 0;     ///< final with a guessed input: the real one was never applied
  std::uint64_t late = 0;       ///< guessed first, then replaced in time
  /// From sampling to the start of the consuming tick, for every applied input. (M7)
  std::vector<double> input_delays_ms;

  PlayFigures& operator+=(const PlayFigures& more);
};

class PlayMeter {
 public:
  /// The next final tick, in order.
  void note(const world::StepRecord& record, PlayFigures& out);

 private:
  std::optional<world::StepRecord> last_;
  std::uint16_t heading_ = 0;  ///< at the last counted turn
};

}  // namespace perigee::lab
