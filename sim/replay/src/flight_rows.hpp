/// The ticks of a flight side by side, as the client names them.
#pragma once

#include <optional>
#include <vector>

#include "perigee/replay/recording.hpp"

namespace perigee::replay {

/// The end of one tick. Positions are in the world; equal parents have one motion, the server's, so
/// that the error is that in the parent's frame.
struct FlightRow {
  const world::StepRecord* client = nullptr;  ///< as predicted first; null: not recorded
  const world::StepRecord* worker = nullptr;  ///< as it became final
  std::optional<Vec3> predicted, became, claimed;
  Handle claimed_parent = no_entity;
  Pose parent;  ///< of the worker's parent; without a worker's half, of the client's

  /// The client's position: as recorded there, else as it claimed it.
  const std::optional<Vec3>& believed() const { return predicted ? predicted : claimed; }
  std::optional<double> error_m() const;
};

struct FlightRows {
  Tick first;
  std::vector<FlightRow> rows;
};

/// The error is a sentence: the ticks are too far from each other.
Result<FlightRows> rows_of(const Halves& halves);

}  // namespace perigee::replay
