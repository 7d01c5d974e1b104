/// Joints between bodies of this world, and the sets of bodies that they link.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "perigee/world/entity_table.hpp"
#include "perigee/world/game_calls.hpp"

namespace perigee::world {

/// `b` turns relative to `a` about the local x of both frames. low > high: without limits.
struct HingeOrder {
  Handle a = no_entity, b = no_entity;
  Pose frame_a, frame_b;  ///< in the bodies' own frames
  double low_rad = 1, high_rad = -1;
  double motor_n_m = 0;  ///< maximal torque of its motor
};

/// A hinge with its motor's target speed.
struct HingeDrive {
  HingeOrder order;
  double rad_s = 0;
};

class Joints {
 public:
  struct Needs {
    const EntityTable& entities;
    GameCalls& calls;
    PhysicsWorld& physics;
  };
  explicit Joints(Needs needs) : needs_(needs) {}

  /// See World::add_hinge and World::drive_hinge.
  bool add(const HingeOrder& hinge);
  bool drive(Handle a, Handle b, double rad_s);
  /// Adds hinges that another world had.
  void insert(std::span<const HingeDrive> hinges);

  /// Called before each step: creates joints of bodies that have entered physics since.
  void enter_physics();
  /// Drops joints with a body that is gone or another worker's.
  void drop_loose();

  /// In the order of the calls.
  std::vector<HingeDrive> all() const;
  /// Those with both bodies among the members.
  std::vector<HingeDrive> among(std::span<const Handle> members) const;
  std::size_t count_among(std::span<const Handle> members) const;
  /// Calls visit(Handle) for the other body of each joint of this one.
  template <class Visit>
  void for_each_joined(Handle body, Visit&& visit) const {
    for (const Joint& joint : joints_) {
      if (joint.order.a == body) visit(joint.order.b);
      if (joint.order.b == body) visit(joint.order.a);
    }
  }

  /// Every set of bodies linked by joints, by entity id.
  std::span<const std::vector<Handle>> chains() const { return chains_; }
  /// Whether the body hangs on joints: then no client predicts it.
  bool chained(Handle body) const;

 private:
  struct Joint {
    HingeOrder order;
    JointId id = no_joint;  ///< once both bodies are in physics
    double rad_s = 0;       ///< target speed of its motor
  };
  Joint* find(Handle a, Handle b);
  void find_chains();

  Needs needs_;
  std::vector<Joint> joints_;  ///< in the order of the calls
  std::vector<std::vector<Handle>> chains_;
};

}  // namespace perigee::world
