/// Occasional shots at the nearest target.
#pragma once

#include "perigee/base/hash.hpp"
#include "perigee/base/player_input.hpp"
#include "perigee/bots/deeds.hpp"
#include "perigee/bots/senses.hpp"

namespace perigee::bots {

class Marksman {
 public:
  struct Skill {
    double shots_per_s = 0;
    double astray_m = 0;  ///< maximal error in each direction
  };
  struct Needs {
    const Senses& senses;
    Deeds& deeds;
  };
  /// It has random numbers of its own, so that other behaviour does not depend on shots.
  Marksman(const Needs& needs, const Skill& skill, std::uint64_t seed)
      : needs_(needs), skill_(skill), random_(seed) {}
  /// Once per tick. Aims at the target as rendered at `seen`, from a standing start, because the
  /// look also steers the walking.
  void shoot_now_and_then(const client::ViewPoint& seen, PlayerInput& input);

 private:
  /// From the eye, in the parent's frame.
  std::optional<Vec3> way_to_nearest(const client::ViewPoint& seen) const;

  const Needs needs_;
  const Skill skill_;
  Random random_;
};

}  // namespace perigee::bots
