/// One tick of a steered body in the frame of something that moves, itself a moving thing in the
/// world: a rigid-body world in which the frame stands still makes the step. (mission K40)
#pragma once

#include "perigee/world/helm.hpp"
#include "perigee/world/physics.hpp"

namespace perigee::client {

/// What a drive in the world is in the frame. Without contacts the step then ends where it would in
/// the world. `body` is the body's motion in the world and `local` its pose in the frame at the
/// tick's start, `end` is the frame's motion at its end.
world::HelmDrive drive_in_frame(const world::HelmDrive& drive, const Motion& body,
                                const Pose& local, const Motion& end);

/// The body in the frame after the step: it has inherited the frame's motion, and the world's drive
/// but for what contacts have taken of `local`, the drive in the frame.
Motion after_step(const world::HelmDrive& drive, const world::HelmDrive& local,
                  const world::BodyState& stepped, const Motion& end);

}  // namespace perigee::client
