/// Shapes, actions and a scene for tests of step_actor.
#pragma once

#include <vector>

#include "perigee/base/hash.hpp"
#include "perigee/world/actor_step.hpp"

namespace perigee::world {

inline constexpr Handle hull = 7;
inline const std::vector<Box> nothing;

inline Box box_at(const Vec3& center, const Vec3& half, const Quat& rotation = {}) {
  return {.center = center, .half = half, .rotation = rotation};
}
inline Box floor_box(double half_m = 50) { return box_at({0, -0.5, 0}, {half_m, 0.5, half_m}); }
/// Rotation by an angle about +z: lifts points at +x.
inline Quat roll(double angle_rad) {
  const SinCos half = sin_cos(angle_rad / 2);
  return {0, 0, half.sin, half.cos};
}
inline double degrees(double angle) { return angle * pi / 180; }

inline FrameMotion with_gravity() {
  return {
      .gravity = {.acceleration = {0, -9.81, 0}, .inside = {{-1e6, -1e6, -1e6}, {1e6, 1e6, 1e6}}}};
}

/// One actor among neighbours, all in the frame of the hull.
struct Scene {
  ActorParams params;
  FrameMotion frame = with_gravity();
  std::vector<ShapePtr> shapes;
  std::vector<Neighbour> neighbours;
  ActorState state;
  PlayerInput input;
  StepReport report;

  explicit Scene(std::vector<Box> boxes = {floor_box()}) {
    state.position = {0, params.height_m / 2 + 0.01, 0};
    if (!boxes.empty()) add(hull, std::move(boxes));
  }
  Neighbour& add(Handle id, std::vector<Box> boxes, const Pose& pose = {}) {
    shapes.push_back(make_shape(std::move(boxes)));
    neighbours.push_back(make_neighbour(id, NeighbourKind::Solid, *shapes.back(), pose, pose));
    return neighbours.back();
  }
  void step(int ticks = 1) {
    for (int i = 0; i < ticks; ++i) {
      report = step_actor(params, frame, neighbours, input, state);
      ++input.tick;
      input.samples.clear();
    }
  }
  /// Moves neighbour `index` during the coming tick.
  void move_neighbour(std::size_t index, const Pose& to) {
    Neighbour& n = neighbours[index];
    n = make_neighbour(n.id, n.kind, *n.shape, n.pose, to);
  }
  void press(std::uint16_t buttons) { input.samples.push_back({.pressed = buttons}); }
  /// Walks towards +x from now on.
  void walk_along_x() {
    input.forward = 127;
    input.yaw = 16384;  // a quarter turn: +x
  }
  bool grounded() const { return (state.flags & actor_grounded) != 0; }
};

/// Depth of the actor's capsule in the deepest box; negative without contact. Brute force, sampled,
/// and independent of the code under test.
inline double penetration_m(const Scene& scene) {
  double deepest = -1e9;
  const double half_axis = scene.params.height_m / 2 - scene.params.radius_m;
  for (const Neighbour& n : scene.neighbours) {
    if (n.kind != NeighbourKind::Solid) continue;
    for (const Box& box : n.shape->boxes()) {
      const Pose pose = n.pose * Pose{box.center, box.rotation};
      for (int i = 0; i <= 20; ++i) {
        const Vec3 p = scene.state.position + Vec3{0, half_axis * (i / 10.0 - 1), 0};
        const Vec3 q = inverse_transform(pose, p);
        const Vec3 out{std::max(std::abs(q.x) - box.half.x, 0.0),
                       std::max(std::abs(q.y) - box.half.y, 0.0),
                       std::max(std::abs(q.z) - box.half.z, 0.0)};
        const double inside = std::min(
            {box.half.x - std::abs(q.x), box.half.y - std::abs(q.y), box.half.z - std::abs(q.z)});
        const double gap = inside > 0 ? -inside : length(out);
        deepest = std::max(deepest, scene.params.radius_m + box.radius - gap);
      }
    }
  }
  return deepest;
}

/// A hut of 21 boxes with a door towards +z, stairs, pillars and crates inside.
inline std::vector<Box> hut(const Vec3& at, double yaw) {
  const Quat turn = yaw_rotation(yaw);
  std::vector<Box> boxes;
  const auto put = [&](const Vec3& center, const Vec3& half) {
    boxes.push_back(box_at(at + rotate(turn, center), half, turn));
  };
  put({0, -0.1, 0}, {5, 0.1, 5});
  put({0, 1.5, -5}, {5, 1.5, 0.1});
  put({-5, 1.5, 0}, {0.1, 1.5, 5});
  put({5, 1.5, 0}, {0.1, 1.5, 5});
  put({-3, 1.5, 5}, {2, 1.5, 0.1});
  put({3, 1.5, 5}, {2, 1.5, 0.1});
  put({0, 2.7, 5}, {1, 0.3, 0.1});
  for (int i = 0; i < 6; ++i) {
    put({-3.5, 0.15 * (i + 1), -4 + 0.35 * i}, {1, 0.15 * (i + 1), 0.175});
  }
  put({2, 1.5, 2}, {0.3, 1.5, 0.3});
  put({2, 1.5, -2}, {0.3, 1.5, 0.3});
  put({-1, 1.5, 2}, {0.3, 1.5, 0.3});
  for (int i = 0; i < 5; ++i) put({3.8, 0.4, -3.5 + 1.3 * i}, {0.4, 0.4, 0.4});
  return boxes;
}

/// Random walk: a new direction every 40 ticks, a jump every 90, always running or walking.
inline void wander(PlayerInput& input, Random& random) {
  if (input.tick.count % 40 == 0) {
    input.yaw = static_cast<std::uint16_t>(random.next());
    input.forward = 127;
    input.right = static_cast<std::int8_t>(static_cast<int>(random.below(255)) - 127);
    input.held = random.below(2) == 0 ? button_run : 0;
  }
  if (input.tick.count % 90 == 17) input.samples.push_back({.pressed = button_jump});
}

}  // namespace perigee::world
