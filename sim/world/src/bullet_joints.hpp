/// Joints of the Bullet world and their motors.
#pragma once

#include <btBulletDynamicsCommon.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>

#include "perigee/world/physics.hpp"

namespace perigee::world {

class BulletJoints {
 public:
  /// The engine's bodies of a joint; null: a fixed point.
  struct Ends {
    btRigidBody* a = nullptr;
    btRigidBody* b = nullptr;
  };

  /// `engine` outlives the joints.
  explicit BulletJoints(btDynamicsWorld& engine);

  /// The bodies must be in the engine's world.
  JointId add_hinge(const JointDesc& desc, Ends ends);
  JointId add_slider(const JointDesc& desc, Ends ends);
  JointId add_fixed(const JointDesc& desc, Ends ends);
  void set_motor(JointId id, double speed, double force);
  /// rad or m along the axis; 0 for fixed ones.
  double position(JointId id) const;
  void remove(JointId id);
  void remove_of(BodyId body);
  void clear();
  std::size_t size() const { return joints_.size(); }

 private:
  enum class Kind : std::uint8_t { Hinge, Slider, Fixed };
  struct Joint {
    std::unique_ptr<btTypedConstraint> engine;
    Kind kind = Kind::Fixed;
    BodyId a = no_body, b = no_body;
  };
  btRigidBody& body(btRigidBody* end) { return end == nullptr ? anchor_ : *end; }
  Joint& joint(JointId id);
  JointId add(std::unique_ptr<btTypedConstraint> engine, Kind kind, const JointDesc& desc);

  btDynamicsWorld& engine_;
  btRigidBody anchor_;  ///< the other end of joints with only one body; not in the world
  std::map<JointId, Joint> joints_;
  JointId last_ = no_joint;
};

}  // namespace perigee::world
