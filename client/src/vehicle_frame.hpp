/// One tick of a steered body in the frame of a moving body: a rigid-body world in which the frame
/// is fixed makes the step.
#pragma once

#include "perigee/world/physics.hpp"
#include "perigee/world/vehicle_control.hpp"

namespace perigee::client {

/// Converts a drive in the world into one in the frame. Without contacts the step then ends at the
/// same place as in the world. `body` is the body's motion in the world, and `local` its pose in
/// the frame at the tick's start. `end` is the frame's motion at the tick's end.
world::VehicleDrive drive_in_frame(const world::VehicleDrive& drive, const Motion& body,
                                   const Pose& local, const Motion& end);

/// The body in the frame after the step: it has the frame's motion plus the drive in the world,
/// minus the velocity that contacts have removed from `local`, the drive in the frame.
Motion after_step(const world::VehicleDrive& drive, const world::VehicleDrive& local,
                  const world::BodyState& stepped, const Motion& end);

}  // namespace perigee::client
