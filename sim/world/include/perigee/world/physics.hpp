/// The rigid-body world behind a thin interface: no type of the engine appears here, and only the
/// sources of one implementation know the engine. For bodies only; actors are stepped by
/// step_actor.
///
/// Determinism: the same calls in the same order give the same bits. Callers add and remove bodies
/// in entity-id order, at a tick's start.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "perigee/base/player_input.hpp"
#include "perigee/base/vec.hpp"
#include "perigee/world/shape.hpp"

namespace perigee::world {

using BodyId = std::uint32_t;
using JointId = std::uint32_t;
inline constexpr BodyId no_body = 0;
inline constexpr JointId no_joint = 0;

enum class BodyMode : std::uint8_t {
  Dynamic,
  Static,    ///< never moves
  Animated,  ///< placed by the caller, zero velocity in contacts: never carries a rider along
  Dormant,   ///< a dynamic body at rest: costs nothing until made Dynamic again
};

/// Determines which bodies collide, and which bodies a query finds: bits of groups.
struct CollisionFilter {
  std::uint16_t group = 1;
  std::uint16_t meets = 0xffff;
};

struct BodyDesc {
  Handle owner = no_entity;  ///< the entity that queries return
  ShapePtr shape;
  BodyMode mode = BodyMode::Dynamic;
  double mass_kg = 1;
  double friction = 0.6;
  CollisionFilter filter;
  Pose pose;
  Vec3 velocity;
  Vec3 angular_velocity;
  bool asleep = false;  ///< dynamic ones: until woken
  /// Bounds of the whole path of an animated body that moves endlessly on it. None: the bounds of
  /// its present pose.
  std::optional<Bounds> rounds;
};

struct BodyState {
  Pose pose;
  Vec3 velocity;
  Vec3 angular_velocity;
  friend bool operator==(const BodyState&, const BodyState&) = default;
};

/// A joint holds `b` at `frame_a`/`frame_b`, with its axis along the frames' local x. `b` = no_body
/// attaches to the world. A motor drives the axis at `motor_speed` (rad/s, m/s) with at most
/// `motor_force` (N m, N). Zero force means no motor. low > high means no limit.
struct JointDesc {
  BodyId a = no_body, b = no_body;
  Pose frame_a, frame_b;
  double low = 1, high = -1;
  double motor_speed = 0;
  double motor_force = 0;
};

struct QueryFilter {
  std::uint16_t groups = 0xffff;
  BodyId except = no_body;
};
struct RayHit {
  BodyId body = no_body;
  Handle owner = no_entity;
  double fraction = 1;  ///< of the way from `from` to `to`
  Vec3 point, normal;
};
struct BodyContact {
  BodyId other = no_body;
  Handle owner = no_entity;
  Vec3 point, normal;  ///< towards the queried body
  double depth_m = 0;
  double impulse = 0;  ///< N s of the last step
};

/// State of one body with its contact manifolds: without them a replay is not exact.
struct BodySnapshot {
  BodyId body = no_body;
  BodyState state;
  std::vector<std::byte> engine;  ///< opaque, of the same build only
};

struct PhysicsStatistics {
  std::uint32_t bodies = 0;
  std::uint32_t awake = 0;
  std::uint32_t aside = 0;  ///< no moving body is near: they cost nothing in a step
  std::uint32_t joints = 0;
  std::uint32_t shapes = 0;  ///< distinct
  std::uint32_t manifolds = 0;
};

class PhysicsWorld {
 public:
  virtual ~PhysicsWorld() = default;

  virtual BodyId add_body(const BodyDesc& desc) = 0;
  /// Removes the body and its joints. The id is not used again.
  virtual void remove_body(BodyId body) = 0;
  virtual bool has(BodyId body) const = 0;
  virtual Handle owner(BodyId body) const = 0;
  virtual BodyMode mode(BodyId body) const = 0;
  virtual void set_mode(BodyId body, BodyMode mode) = 0;
  /// The same for a body at rest: no body is woken, unless a moving one is close by.
  virtual void set_mode_asleep(BodyId body, BodyMode mode) = 0;

  virtual BodyState state(BodyId body) const = 0;
  virtual void set_state(BodyId body, const BodyState& state) = 0;
  virtual void set_velocity(BodyId body, const Vec3& linear, const Vec3& angular) = 0;
  virtual bool awake(BodyId body) const = 0;
  virtual void wake(BodyId body) = 0;
  /// N s at a world point, at once.
  virtual void apply_impulse(BodyId body, const Vec3& impulse, const Vec3& world_point) = 0;
  /// m/s^2 at the centre, for the coming step only.
  virtual void accelerate(BodyId body, const Vec3& acceleration) = 0;

  virtual JointId add_hinge(const JointDesc& desc) = 0;
  virtual JointId add_slider(const JointDesc& desc) = 0;
  virtual JointId add_fixed(const JointDesc& desc) = 0;
  virtual void set_motor(JointId joint, double speed, double force) = 0;
  /// rad or m along the axis; 0 for fixed ones.
  virtual double joint_position(JointId joint) const = 0;
  virtual void remove_joint(JointId joint) = 0;
  /// How many joints hold the body. Clients animate chains and never predict them.
  virtual std::uint32_t joints_of(BodyId body) const = 0;

  /// Prepares a step of `dt_s`: adds to the engine's world all bodies that moving ones could meet.
  /// Then bodies on endless paths can be placed before the step. If not called, step() does it.
  virtual void gather(double dt_s) = 0;
  /// Bodies on endless paths that another body could meet: only these have to be placed.
  virtual void near_rounds(std::vector<BodyId>& found) const = 0;
  /// Dynamic bodies that do not sleep, in id order.
  virtual void list_awake(std::vector<BodyId>& found) const = 0;
  /// One step of exactly `dt_s`, no sub-steps.
  virtual void step(double dt_s) = 0;

  virtual std::optional<RayHit> cast_ray(const Vec3& from, const Vec3& to,
                                         const QueryFilter& filter) const = 0;
  virtual std::optional<RayHit> sweep_sphere(const Vec3& from, const Vec3& to, double radius_m,
                                             const QueryFilter& filter) const = 0;
  /// Bodies with bounds that overlap the box, sorted by id. Returns how many were written.
  virtual std::size_t find_in_box(const Bounds& box, const QueryFilter& filter,
                                  std::span<BodyId> found) const = 0;
  /// Contacts after the last step, as many as fit.
  virtual std::size_t contacts(BodyId body, std::span<BodyContact> found) const = 0;

  virtual BodySnapshot snapshot(BodyId body) const = 0;
  virtual void restore(const BodySnapshot& snapshot) = 0;
  /// Of every body's state, in id order.
  virtual std::uint64_t hash() const = 0;
  virtual PhysicsStatistics statistics() const = 0;
};

/// Bullet 3 in double precision. `bodies_hint` sizes its pools, 1 KiB for each body. More bodies
/// still fit, but are slower. Only one thread per process may use Bullet worlds: the engine has
/// unlocked globals.
std::unique_ptr<PhysicsWorld> make_bullet_world(std::uint32_t bodies_hint);

}  // namespace perigee::world
