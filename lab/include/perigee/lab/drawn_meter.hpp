/// Compares what a client draws of other people and of distant hulls with what they were on the
/// worker that owns them.
#pragma once

#include <vector>

#include "perigee/base/interest.hpp"
#include "perigee/client/client.hpp"
#include "perigee/lab/player_figures.hpp"
#include "perigee/worker/core.hpp"

namespace perigee::lab {

/// A hull: a body that reaches so far around its origin. It counts at its bow, so that its rotation
/// counts, while it is this far away.
inline constexpr double hull_reach_m = 20;
inline constexpr double hull_near_m = 150, hull_far_m = 250;
/// People count up to here: within the first ring of interest.
inline constexpr double people_far_m = InterestRings{}.radius_m.front();

class DrawnMeter {
 public:
  /// The entities drawn in this frame wait until their states are final. Frames follow each other
  /// faster than anything changes, so only some are measured.
  void note(const client::Client& client);
  /// The worker's states up to `final_tick` are final: judges what this worker owns.
  void judge(const worker::Core& core, Tick final_tick, PlayerFigures& out);

 private:
  static constexpr std::uint32_t every_frames = 8;
  static constexpr std::size_t samples_max = 4'096;
  struct Drawn {
    Handle handle = no_entity;
    Tick tick;  ///< it was drawn at `part` of a tick after the start of this one
    double part = 0;
    Pose pose;  ///< in the world
    Vec3 bow;   ///< of a hull, in its frame
    bool hull = false;
  };
  void note(const client::EntityStore& entities, const client::ClientEntity& entity,
            const client::ViewPoint& at, const Vec3& eye);

  std::vector<Drawn> waiting_;
  std::uint32_t frames_ = 0;
};

}  // namespace perigee::lab
