/// Occasional shots at the nearest target.
#pragma once

#include "perigee/base/hash.hpp"
#include "perigee/base/player_input.hpp"
#include "perigee/bots/deeds.hpp"
#include "perigee/bots/look.hpp"
#include "perigee/bots/senses.hpp"

namespace perigee::bots {

class Marksman {
 public:
  struct Skill {
    double shots_per_s = 0;  ///< on average, if there is always a target
    double astray_m = 0;     ///< maximal error in each direction
  };
  struct Needs {
    const Senses& senses;
    Look& look;
    Deeds& deeds;
  };
  /// It has random numbers of its own, so that other behaviour does not depend on shots.
  Marksman(const Needs& needs, const Skill& skill, std::uint64_t seed)
      : needs_(needs), skill_(skill), random_(seed) {}
  /// Once per tick, before the look advances: aims at the nearest target as rendered at `seen`.
  void aim_now_and_then(const client::ViewPoint& seen);
  /// And after it. On foot it stands while it aims, because the look also steers the walking.
  void shoot_if_aimed(PlayerInput& input);

 private:
  bool decides();
  /// From the eye, in the parent's frame.
  std::optional<Vec3> way_to(Handle target, const client::ViewPoint& seen) const;
  Handle nearest(const client::ViewPoint& seen) const;

  const Needs needs_;
  const Skill skill_;
  Random random_;
  Handle target_ = no_entity;  ///< it aims at this one
  Vec3 astray_m_;              ///< error of the present aim
};

}  // namespace perigee::bots
