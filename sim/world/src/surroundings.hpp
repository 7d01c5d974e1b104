/// The boxes and triangles around one actor during one step, and the moves that respect them.
#pragma once

#include <optional>
#include <span>

#include "capsule.hpp"
#include "near_triangles.hpp"
#include "perigee/world/actor_step.hpp"

namespace perigee::world {

/// Limit of boxes around one actor. With more boxes the model is too fine, and the overflow is
/// counted.
inline constexpr std::size_t candidates_max = 192;

class Surroundings {
 public:
  Surroundings(std::span<const Neighbour> neighbours, std::span<const VoxelCutout> cutouts,
               const ActorParams& params, StepReport& report)
      : neighbours_(neighbours),
        cutouts_(cutouts),
        params_(params),
        report_(report),
        triangles_(neighbours) {}

  /// Collects all boxes of solid neighbours, at their new poses, that meet `around`.
  void gather(const Bounds& around);
  /// Prepares the triangles around an actor that goes from `start` to `end` in this step. Sweeps
  /// elsewhere find theirs, too.
  void gather_triangles(const Vec3& start, const Vec3& end);

  struct Hit {
    double fraction = 1;
    Separation contact;
    const Neighbour* owner = nullptr;      ///< none: no obstacle
    bool of_triangles = false;             ///< of a mesh, a heightfield or a hull
    std::uint32_t triangle = no_triangle;  ///< of the owner's mesh or heightfield
    bool inside = false;                   ///< the centre is in a hull of the owner
  };
  /// A way out of a hull that something stopped.
  struct StoppedWay {
    Vec3 direction;  ///< of length 1
    Vec3 obstacle;   ///< the obstacle's normal
  };
  static constexpr int depenetrations_max = 4;
  using StoppedWays = FixedVector<StoppedWay, depenetrations_max>;
  /// The first obstacle. Ignores `except`, and boxes already penetrated if `through_penetrated`.
  Hit sweep(const Vec3& center, const Vec3& motion, const Neighbour* except = nullptr,
            bool through_penetrated = false);
  /// The deepest penetration at `center`, if any is deeper than `depth_m`. `stopped`: ways out of
  /// hulls that are not tried again.
  Hit deepest(const Vec3& center, double depth_m, const StoppedWays& stopped) const;
  /// Moves out of penetrated boxes, in a few rounds; returns the new centre.
  Vec3 depenetrate(Vec3 center);
  /// Sweeps moving neighbours over the actor, each in its own frame from its old to its new pose. A
  /// neighbour that hits the actor carries the actor along. `velocity` gains at least the pusher's.
  /// An actor that cannot give way is reported as crushed when a mesh has passed its centre.
  Vec3 pushed(const Vec3& start, Vec3 center, Vec3& velocity);

  /// Records the contact for the report.
  void touch(const Neighbour& neighbour, const Vec3& normal, const Vec3& point, double closing_m_s,
             std::uint32_t triangle = no_triangle);
  void touch(const Hit& hit, double closing_m_s) {
    touch(*hit.owner, hit.contact.normal, surface_point(hit.contact), closing_m_s, hit.triangle);
  }
  /// The same for the ground under the actor's feet.
  void stand_on(const Hit& hit);

 private:
  struct Candidate {
    TurnedBox box;
    const Neighbour* owner = nullptr;
  };
  /// Calls visit(Box) for the neighbour's boxes that overlap `query`, both in its own frame.
  template <class Visit>
  void for_each_box_of(const Neighbour& neighbour, const Bounds& query, Visit visit);
  /// Out of a hull by the shortest way through one of its faces that neither ends in another hull
  /// nor is like a stopped one. None if there is no such way, or if the capsule's centre is
  /// outside: then the triangles of its faces count.
  std::optional<Separation> separation_inside(const Capsule& capsule, const Neighbour& owner,
                                              const Hull& hull, const StoppedWays& stopped) const;
  bool in_another_hull(const Vec3& point, const Neighbour& owner, const Hull& hull) const;
  Vec3 surface_point(const Separation& contact) const {
    return contact.point - contact.normal * params_.radius_m;
  }
  void sweep_triangles(const Capsule& capsule, const Vec3& motion, const Neighbour* except,
                       bool through_penetrated, Hit& hit);
  /// Of one neighbour, in its own frame.
  bool sweep_own(const Neighbour& neighbour, const Capsule& capsule, const Vec3& motion,
                 SweepHit& hit, std::uint32_t& triangle);
  Capsule capsule_at(const Vec3& center) const {
    return {center, {0, params_.height_m / 2 - params_.radius_m, 0}, params_.radius_m};
  }

  std::span<const Neighbour> neighbours_;
  std::span<const VoxelCutout> cutouts_;
  const ActorParams& params_;
  StepReport& report_;
  NearTriangles triangles_;
  double aside_m_ = 0;  ///< how far a slope turns the step's way aside
  FixedVector<Candidate, candidates_max>& candidates_ = scratch();
  static FixedVector<Candidate, candidates_max>& scratch();
};

/// Velocity of the neighbour's material at a point, in the parent's frame.
inline Vec3 velocity_at(const Neighbour& neighbour, const Vec3& point) {
  return neighbour.velocity + cross(neighbour.angular_velocity, point - neighbour.pose.position);
}

}  // namespace perigee::world
