// Layouts of each scenario's pens.
#include "perigee/base/hash.hpp"
#include "perigee/lab/stage.hpp"

namespace perigee::lab {
namespace {

using world::Box;

Box block(const Vec3& low, const Vec3& high) {
  return {.center = (low + high) * 0.5, .half = (high - low) * 0.5};
}

/// A floor of the given half extents with walls around it.
std::vector<Box> walled(double x, double z, double height) {
  return {block({-x - 1, -1, -z - 1}, {x + 1, 0, z + 1}),
          block({-x - 1, 0, -z - 1}, {-x, height, z + 1}),
          block({x, 0, -z - 1}, {x + 1, height, z + 1}), block({-x, 0, -z - 1}, {x, height, -z}),
          block({-x, 0, z}, {x, height, z + 1})};
}

}  // namespace

PenPlan obstacle_pen(std::uint32_t players_each) {
  std::vector<Box> boxes = walled(18, 18, 6);
  for (const double x : {-12.0, -4.0, 4.0, 12.0}) {
    for (const double z : {-12.0, 12.0})
      boxes.push_back(block({x - 0.5, 0, z - 0.5}, {x + 0.5, 5, z + 0.5}));
    boxes.push_back(block({x - 1, 0, -7}, {x + 1, 1, -5}));  // to jump on
  }
  for (int i = 0; i < 5; ++i) boxes.push_back(block({6 + 0.5 * i, 0, 2}, {14, 0.3 * (i + 1), 7}));
  boxes.push_back(block({-12, 0, 3}, {-3, 3, 3.3}));  // a corridor, and a corner
  boxes.push_back(block({-12, 0, 5.3}, {-6, 3, 5.6}));
  boxes.push_back(block({-12, 0, 5.6}, {-11.7, 3, 9}));
  PenPlan plan;
  plan.shape = world::make_shape(std::move(boxes));
  plan.air = {{-18, -1, -18}, {18, 12, 18}};
  for (std::uint32_t i = 0; i < players_each; ++i) plan.starts.push_back({2.0 * i, 0, 0});
  return plan;
}

PenPlan door_lane(std::int32_t announce_ticks) {
  constexpr double door_m = 3;  // height
  constexpr double end_m = 18;
  std::vector<Box> boxes = walled(end_m, 1, 5);
  PenPlan plan;
  for (const double x : {-lane_door_m, lane_door_m}) {
    boxes.push_back(block({x - 0.1, door_m, -1}, {x + 0.1, 5, 1}));
    plan.fixtures.push_back({skiff::station_door_row, {{x, door_m / 2, 0}, {}}});
  }
  plan.shape = world::make_shape(std::move(boxes));
  plan.air = {{-end_m, -1, -3}, {end_m, 12, 3}};
  plan.starts = {{0, 0, 0}};
  plan.tunables.announce_ticks = announce_ticks;
  return plan;
}

PenPlan machine_pen() {
  PenPlan plan;
  plan.shape = world::make_shape(walled(18, 18, 8));
  plan.air = {{-18, -1, -18}, {18, 16, 18}};
  plan.starts = {{12, 0, 0}};
  plan.tunables.announce_ticks = 60;  // lifts follow a timetable that all clients know
  plan.orders.in_time = true;
  plan.fixtures.push_back({skiff::station_rotor_row, {}});
  for (const double x : {-11.0, 11.0}) {
    for (const double z : {-11.0, 11.0}) {
      plan.fixtures.push_back({skiff::station_lift_row, {{x, 0, z}, {}}});
    }
  }
  return plan;
}

PenPlan machine_ship(world::Inertia inertia) {
  PenPlan plan = machine_pen();
  plan.moves = Steered{inertia};
  plan.spacing_m = 400;
  return plan;
}

PenPlan piston_pen(double spacing_m) {
  constexpr double high_m = 2;  // of a piston's middle: half of its edge
  const SinCos quarter = sin_cos(pi / 4);
  PenPlan plan = machine_pen();
  std::erase_if(plan.fixtures,
                [](const Fixtures& thing) { return thing.row == skiff::station_rotor_row; });
  for (int i = 0; i < 4; ++i) {  // a lift lying on its side, its top flush with the wall
    const Quat around = yaw_rotation(pi / 2 * i);
    const Quat sideways = around * Quat{0, 0, -quarter.sin, quarter.cos};
    const Vec3 in_wall = rotate(around, {-18, high_m, 0});
    plan.fixtures.push_back({skiff::station_lift_row, {in_wall, sideways}});
  }
  plan.starts = {{0, 0, 0}};
  plan.spacing_m = spacing_m;
  plan.orders = {.slot_ticks = 8, .idle_one_in = 3};
  plan.tunables.lift_m_s = 0.5;
  plan.tunables.announce_ticks = world::announce_ticks_default;
  return plan;
}

PenPlan crate_pen() {
  constexpr double half_m = 8;
  PenPlan plan;
  plan.shape = world::make_shape(walled(half_m, half_m, 6));
  plan.air = {{-half_m, -1, -half_m}, {half_m, 12, half_m}};
  for (const double x : {-5.0, -1.7, 1.7, 5.0}) {
    for (const double z : {-4.0, 0.0, 4.0}) {
      plan.fixtures.push_back({skiff::crate_row, {{x, 0.51, z}, {}}});
    }
  }
  plan.starts = {{0, 0, -6}};
  return plan;
}

PenPlan corridor(std::uint32_t players_each) {
  constexpr double half_m = 18;
  PenPlan plan;
  plan.shape = world::make_shape(walled(half_m, 1.5, 5));
  plan.air = {{-half_m, -1, -1.5}, {half_m, 12, 1.5}};
  for (std::uint32_t i = 0; i < players_each; ++i) {
    plan.starts.push_back({half_m * ((2.0 * i + 1) / players_each - 1), 0, 0});
  }
  return plan;
}

PenPlan border_corridor(std::uint32_t players) {
  PenPlan plan = corridor(players);
  // Players of the two regions alternate, each on its own side.
  const std::vector<Vec3> starts = plan.starts;
  const std::size_t half = (starts.size() + 1) / 2;
  for (std::size_t i = 0; i < starts.size(); ++i) plan.starts[i] = starts[i / 2 + (i % 2) * half];
  plan.on_border = plan.alone = true;
  return plan;
}

PenPlan seam_pen() {
  constexpr double half_x = 9, half_z = 18, gap_m = 0.1;
  const auto hull = [&](double outer) {  // without a wall at the seam
    std::vector<Box> boxes = walled(half_x, half_z, 4);
    boxes.erase(boxes.begin() + (outer < 0 ? 2 : 1));
    boxes.front() = block({-half_x, -1, -half_z}, {half_x, 0, half_z});
    for (const double z : {-9.0, 3.0}) boxes.push_back(block({2, 0, z}, {4, 0.9, z + 2}));
    return world::make_shape(std::move(boxes));
  };
  PenPlan plan = turning_pen(90, world::Inertia::None);
  plan.shape = hull(-1);
  plan.beside = hull(1);
  plan.beside_at = {2 * half_x + gap_m, 0, 0};
  const double air_m = half_x + gap_m / 2;
  plan.air = {{-air_m, -1, -half_z}, {air_m, 12, half_z}};
  plan.starts = {{0, 0, 0}};
  plan.spacing_m += 2 * plan.beside_at.x;
  return plan;
}

PenPlan digging_pen() {
  constexpr std::int32_t depth = 4;
  const auto solid = [](const world::Cell& cell) {
    const std::uint64_t chance = mix64(std::uint64_t{12}, static_cast<std::uint64_t>(cell.x / 3),
                                       static_cast<std::uint64_t>(cell.z / 3));
    const std::int32_t above = chance % 17 == 0 ? 3 : chance % 5 == 0 ? 1 : 0;
    return cell.y < depth + above;
  };
  constexpr double half_m = 32;
  PenPlan plan;
  plan.shape = world::make_shape(walled(half_m, half_m, 12));
  plan.air = {{-half_m, -1, -half_m}, {half_m, 18, half_m}};
  plan.beside = world::make_voxel_shape(world::make_voxel_plan({64, 8, 64}, 1, solid));
  plan.beside_at = {-half_m, 0, -half_m};
  plan.starts = {{-9.5, depth + 3, 0.5}, {9.5, depth + 3, 0.5}};
  plan.spacing_m = 100;
  return plan;
}

PenPlan turning_pen(double radius_m, world::Inertia inertia) {
  constexpr double rad_s = 25 * pi / 180;
  PenPlan plan = obstacle_pen(1);
  plan.moves = Circling{radius_m, rad_s, inertia};
  plan.spacing_m = 2 * radius_m + 60;
  return plan;
}

PenPlan crossing_pen() {
  PenPlan plan = obstacle_pen(1);
  plan.moves = Swinging{};
  return plan;
}

PenPlan border_road(std::uint32_t players_each) {
  constexpr double half_m = 64;
  std::vector<Box> boxes = walled(half_m, 6, 6);
  for (double x = -48; x <= 48; x += 16) {
    const double z = x < 0 ? -3 : 3;
    boxes.push_back(block({x - 0.5, 0, z - 1}, {x + 0.5, 0.9, z + 1}));
  }
  PenPlan plan;
  plan.shape = world::make_shape(std::move(boxes));
  plan.air = {{-half_m, -1, -6}, {half_m, 12, 6}};
  for (std::uint32_t i = 0; i < players_each; ++i) plan.starts.push_back({-4 + 3.0 * i, 0, 0});
  plan.on_border = true;
  return plan;
}

PenPlan ship_pen(world::Inertia inertia) {
  PenPlan plan = obstacle_pen(1);
  plan.moves = Steered{inertia};
  plan.spacing_m = 400;
  return plan;
}

PenPlan vehicle_pen(std::uint32_t riders, std::uint32_t crates) {
  constexpr double stall_m = 3, hull_m = 4;  // from a stall's middle
  std::vector<Box> boxes = walled(18, 18, 3);
  PenPlan plan;
  plan.starts = {{0, 0, 14}};
  for (std::uint32_t i = 0; i < riders; ++i) {
    const std::uint32_t row = i / 2;
    const Vec3 middle{i % 2 == 0 ? -14.0 : 14.0, 0, -13 + 2 * stall_m * row};
    // As long as the hull; otherwise players would walk around it and into each other.
    boxes.push_back(block(middle + Vec3{-hull_m, 0, stall_m}, middle + Vec3{hull_m, 3, 3.2}));
    const double inner = i % 2 == 0 ? stall_m : -stall_m;
    const double astern = row == 0 ? -stall_m - 2 : -stall_m;
    boxes.push_back(
        block(middle + Vec3{inner - 0.1, 0, astern}, middle + Vec3{inner + 0.1, 3, stall_m}));
    plan.starts.push_back(middle);
  }
  for (std::uint32_t i = 0; i < crates; ++i) {
    plan.fixtures.push_back({skiff::crate_row, {{-4.0 + 4 * i, 0.51, 0}, {}}});
  }
  plan.shape = world::make_shape(std::move(boxes));
  plan.air = {{-18, -1, -18}, {18, 12, 18}};
  plan.moves = WithVehicle{};
  plan.tunables.vehicle.seat = {0, 0.91, 14};
  plan.spacing_m = 500;
  return plan;
}

PenPlan range_pen(Contest contest) {
  constexpr double half_m = 30;
  PenPlan plan;
  plan.shape = world::make_shape(walled(half_m, half_m, 3));
  plan.air = {{-half_m, -1, -half_m}, {half_m, 12, half_m}};
  plan.moves = Steered{world::Inertia::None};
  plan.spacing_m = 500;
  plan.tunables.hits_to_kill = contest == Contest::Duel ? 1 : 60'000;
  if (contest == Contest::Rifles) {
    plan.starts = {{-12, 0, -9}, {12, 0, -3}, {-9, 0, 12}, {6, 0, 15}};
  } else {
    plan.starts = {{-7, 0, 0}, {7, 0, 0}};
  }
  return plan;
}

}  // namespace perigee::lab
