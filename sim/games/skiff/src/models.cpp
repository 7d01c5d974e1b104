#include "models.hpp"

#include <algorithm>
#include <array>

#include "perigee/world/voxels.hpp"

namespace perigee::skiff {
namespace {

using world::Bounds;
using world::Box;

/// A box from corner to corner.
Box block(const Vec3& low, const Vec3& high) {
  return {.center = (low + high) * 0.5, .half = (high - low) * 0.5};
}

constexpr double deck_x = 100;
constexpr double deck_z = 60;
constexpr double parapet = 1.1;
constexpr double hall_x = -20;  // the wall with the door
constexpr double hall_height = 4;
constexpr double door_height = 3;
constexpr double gate_x = 22;  // between the spawn places and the hall
constexpr std::array<double, station_doors - 1> gate_z{-50, -38, -26, -14, -2, 10};
constexpr double ferry_x = 10;
constexpr double ferry_z = 30;
constexpr double ferry_wall = 4;
constexpr double ferry_depth = 8;
constexpr double wall = 0.3;
constexpr double roof = hall_height + wall;
constexpr double step = 0.3;  // visible, and low enough to step onto
constexpr Vec3 trap_center{-30, hall_height + wall / 2, -12};
constexpr double trap_half = 1;
constexpr double lift_half = 2;
constexpr double gap = 0.05;  // between moving and fixed parts
constexpr double rotor_radius = 8;
constexpr double skiff_depth = 2.9;

void add_hall(std::vector<Box>& boxes) {
  // inside x -60 .. -20, z -20 .. 20; the door is in the middle of the +x wall
  boxes.push_back(block({-60, 0, -20}, {hall_x, hall_height, -20 + wall}));
  boxes.push_back(block({-60, 0, 20 - wall}, {hall_x, hall_height, 20}));
  boxes.push_back(block({-60, 0, -20}, {-60 + wall, hall_height, 20}));
  boxes.push_back(block({hall_x - wall, 0, -20}, {hall_x, hall_height, -1}));
  boxes.push_back(block({hall_x - wall, 0, 1}, {hall_x, hall_height, 20}));
  boxes.push_back(block({hall_x - wall, door_height, -1}, {hall_x, hall_height, 1}));
  // the roof, around the trap door
  const Vec3 low = trap_center - Vec3{trap_half, 0, trap_half};
  const Vec3 high = trap_center + Vec3{trap_half, 0, trap_half};
  boxes.push_back(block({-60, hall_height, -20}, {low.x, roof, 20}));
  boxes.push_back(block({high.x, hall_height, -20}, {hall_x, roof, 20}));
  boxes.push_back(block({low.x, hall_height, -20}, {high.x, roof, low.z}));
  boxes.push_back(block({low.x, hall_height, high.z}, {high.x, roof, 20}));
}

void add_corridor(std::vector<Box>& boxes) {
  // 2 m wide, from the hall's door towards +x
  boxes.push_back(block({hall_x, 0, 1}, {0, door_height, 1 + wall}));
  boxes.push_back(block({hall_x, 0, -1 - wall}, {0, door_height, -1}));
}

void add_gates(std::vector<Box>& boxes) {
  for (const double z : gate_z) {
    const double low_x = gate_x - wall / 2;
    const double high_x = gate_x + wall / 2;
    boxes.push_back(block({low_x, 0, z - 3}, {high_x, door_height + wall, z - 1}));
    boxes.push_back(block({low_x, 0, z + 1}, {high_x, door_height + wall, z + 3}));
    boxes.push_back(block({low_x, door_height, z - 1}, {high_x, door_height + wall, z + 1}));
  }
}

void add_stairs(std::vector<Box>& boxes) {
  // ten steps of 0.3 m up to a platform
  for (int i = 0; i < 10; ++i) {
    boxes.push_back(block({-10 + 0.35 * i, 0, 30}, {20, 0.3 * (i + 1), 36}));
  }
}

}  // namespace

world::ShapePtr station_shape() {
  std::vector<Box> boxes{block({-deck_x, -1, -deck_z}, {deck_x, 0, deck_z})};
  boxes.push_back(block({-deck_x, 0, -deck_z}, {deck_x, parapet, -deck_z + wall}));
  boxes.push_back(block({-deck_x, 0, deck_z - wall}, {deck_x, parapet, deck_z}));
  boxes.push_back(block({-deck_x, 0, -deck_z}, {-deck_x + wall, parapet, deck_z}));
  add_hall(boxes);
  add_corridor(boxes);
  add_gates(boxes);
  add_stairs(boxes);
  for (int i = 0; i < 10; ++i) {
    const int pair = i / 2;
    const double x = -90 + 22.0 * pair;
    const double z = i % 2 == 0 ? -45 : 45;
    boxes.push_back(block({x - 0.5, 0, z - 0.5}, {x + 0.5, 6, z + 0.5}));
  }
  return world::make_shape(std::move(boxes));
}

Bounds station_gravity() { return {{-deck_x, -1, -deck_z}, {deck_x, 15, deck_z}}; }

Pose station_door_pose(std::uint32_t i) {
  if (i == 0) return {{hall_x - wall / 2, door_height / 2, 0}, {}};
  return {{gate_x, door_height / 2, gate_z[i - 1]}, {}};
}
Pose lift_pose() { return {{hall_x + lift_half + gap, step, trap_center.z}, {}}; }
Pose trap_pose() { return {trap_center, {}}; }
Pose rotor_pose() { return {{8, 0, -38}, {}}; }

world::ShapePtr lift_shape(const Tunables& tunables) {
  return world::make_shape(
      {block({-lift_half, -tunables.lift_stroke_m - step, -lift_half}, {lift_half, 0, lift_half})});
}

world::ShapePtr trap_shape() {
  const double half = trap_half - gap / 2;
  return world::make_shape({{.half = {half, wall / 2, half}}});
}

world::ShapePtr rotor_shape() {
  // Eight bars across: together a regular polygon of 16 edges.
  constexpr int bars = 8;
  const SinCos edge = sin_cos(pi / (2 * bars));
  std::vector<Box> boxes;
  boxes.reserve(bars);
  for (int i = 0; i < bars; ++i) {
    boxes.push_back({.center = {0, step / 2, 0},
                     .half = {rotor_radius * edge.cos, step / 2, rotor_radius * edge.sin},
                     .rotation = yaw_rotation(pi / bars * i)});
  }
  return world::make_shape(std::move(boxes));
}

Bounds rotor_gravity() {
  // Wider than the limit for its riders: gravity still applies while they jump off.
  const double wide = rotor_radius + 7;
  return {{-wide, -1, -wide}, {wide, 15, wide}};
}

Pose ferry_door_pose() { return {{-ferry_x + wall / 2, door_height / 2, 0}, {}}; }

world::ShapePtr ferry_shape() {
  std::vector<Box> boxes{block({-ferry_x, -ferry_depth, -ferry_z}, {ferry_x, 0, ferry_z})};
  boxes.push_back(block({ferry_x - wall, 0, -ferry_z}, {ferry_x, ferry_wall, ferry_z}));
  boxes.push_back(block({-ferry_x, 0, -ferry_z}, {ferry_x, ferry_wall, -ferry_z + wall}));
  boxes.push_back(block({-ferry_x, 0, ferry_z - wall}, {ferry_x, ferry_wall, ferry_z}));
  boxes.push_back(block({-ferry_x, 0, -ferry_z}, {-ferry_x + wall, ferry_wall, -1}));
  boxes.push_back(block({-ferry_x, 0, 1}, {-ferry_x + wall, ferry_wall, ferry_z}));
  boxes.push_back(block({-ferry_x, door_height, -1}, {-ferry_x + wall, ferry_wall, 1}));
  return world::make_shape(std::move(boxes));
}

Bounds ferry_gravity() { return {{-ferry_x, -1, -ferry_z}, {ferry_x, 10, ferry_z}}; }

world::ShapePtr carousel_shape() { return world::make_shape({block({-25, -1, -20}, {25, 0, 20})}); }

Bounds carousel_gravity() { return {{-32, -1, -27}, {32, 15, 27}}; }

world::ShapePtr skiff_shape() {
  constexpr double x = 4;
  constexpr double z = 6;
  constexpr double rail = 0.2;
  return world::make_shape(
      {block({-x, -skiff_depth, -z}, {x, 0, z}), block({x - rail, 0, -z}, {x, parapet, z}),
       block({-x, 0, -z}, {rail - x, parapet, z}), block({-x, 0, -z}, {x, parapet, rail - z}),
       block({-x, 0, z - rail}, {x, parapet, z})});
}

Bounds skiff_gravity() { return {{-4, -1, -6}, {4, 8, 6}}; }

Pose mooring() { return {{-80, skiff_depth + 0.02, 26}, {}}; }

world::ShapePtr walker_link_shape() { return world::make_shape({{.half = {0.9, 0.2, 0.25}}}); }

Pose walker_link_pose(std::uint32_t i) { return {{-96 + 2.0 * i, 0.22, -30}, {}}; }

Pose walker_joint(double end_m) {
  const SinCos eighth = sin_cos(pi / 4);
  return {{end_m, 0, 0}, {0, 0, eighth.sin, eighth.cos}};  // upright
}

world::ShapePtr door_shape() { return world::make_shape({{.half = {0.1, door_height / 2, 1}}}); }

world::ShapePtr ground_shape() {
  constexpr std::int32_t side = 32;
  const auto in_mound = [](const world::Cell& cell) {
    const std::int32_t from_edge = std::min({cell.x, cell.z, side - 1 - cell.x, side - 1 - cell.z});
    return cell.y <= from_edge / 3;
  };
  return world::make_voxel_shape(world::make_voxel_plan({side, 8, side}, 1, in_mound));
}

Pose ground_pose() { return {{-66, 0, 24}, {}}; }

Vec3 station_crate_position(std::uint32_t i, double edge_m) {
  // rows of four, each with a second layer of crates on top
  const std::uint32_t column = i % 4;
  const std::uint32_t row = i / 4 % 3;
  const std::uint32_t storey = i / 12;
  return {-92 + 3.0 * column, edge_m * (storey + 0.5), -6 + 4.0 * row};  // behind the hall
}

Vec3 ferry_crate_position(std::uint32_t i, double edge_m) {
  const std::uint32_t row = i / 2 % 6;
  const std::uint32_t storey = i / 12;
  return {i % 2 == 0 ? 6.0 : -6.0, edge_m * (storey + 0.5), -20 + 4.0 * row};
}

Vec3 newcomer_position(std::uint32_t i, const Tunables& tunables) {
  // the empty half of the deck, facing the ferry's course
  constexpr std::uint32_t columns = 24;
  constexpr std::uint32_t rows = 38;
  const double feet = tunables.character.height_m / 2 + 0.01;
  return {30 + tunables.spawn_spacing_m * (i % columns), feet,
          -46 + tunables.spawn_spacing_m * (i / columns % rows)};
}

Vec3 deckhand_position(std::uint32_t i, const Tunables& tunables) {
  constexpr std::uint32_t columns = 3;
  constexpr std::uint32_t rows = 3;
  const auto place = [&](std::uint32_t at, std::uint32_t of) {
    return tunables.spawn_spacing_m * (static_cast<double>(at) - (of - 1) / 2.0);
  };
  const double feet = tunables.character.height_m / 2 + 0.01;
  return {place(i % columns, columns), feet, place(i / columns % rows, rows)};
}

}  // namespace perigee::skiff
