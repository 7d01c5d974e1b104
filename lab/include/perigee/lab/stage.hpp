/// Stages of the lab's scenarios: the example game's characters and things, placed so that only the
/// scenario's subject is measured and no chance encounter.
#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include "perigee/skiff/skiff.hpp"
#include "perigee/world/game.hpp"

namespace perigee::lab {

/// The example game's rules, with more rows in its type table and nothing placed yet.
class Stage : public skiff::Skiff {
 public:
  /// `more`: the rows from `platform_row` on.
  Stage(const skiff::Tunables& tunables, std::vector<world::EntityType> more);

  std::string_view name() const override { return "stage"; }
  std::uint64_t schema_hash() const override { return schema_hash_; }
  std::span<const world::EntityType> types() const override { return types_; }
  /// A stage has places of its own.
  bool spawns_players(const world::World&, const world::Bounds&) const override { return true; }

 protected:
  static constexpr world::TypeId platform_row = skiff::rows_count;

 private:
  std::vector<world::EntityType> types_;
  std::uint64_t schema_hash_;
};

/// Number of copies of a place that each of the two regions needs when `sharers` players share one.
std::uint32_t half_of(std::uint32_t players, std::uint32_t sharers);

/// A thing in a pen. Loose bodies lie in the pen, everything else is fixed to it.
struct Fixtures {
  skiff::Row row = skiff::station_door_row;
  Pose pose;  ///< in the pen's frame
};
/// When a lift or a door is ordered to start or to reverse: at a random tick in the first half of
/// each slot of `slot_ticks`.
struct Orders {
  std::uint32_t slot_ticks = 120;
  std::uint32_t idle_one_in = 0;  ///< one slot of so many passes without an order; 0: none
  bool in_time = false;           ///< announced so early that all players near know in time
};
/// A pen that turns about an axis at this distance from its middle; 0: on the spot.
struct Circling {
  double radius_m = 0;
  double rad_s = 0;
  world::Inertia inertia = world::Inertia::None;
};

/// A pen on a ship with random steering: thrust up to 20 m/s^2 and yaw up to 25 deg/s. There is a
/// new command every 0.5 to 2 s, alternately away and back.
struct Steered {
  world::Inertia inertia = world::Inertia::None;
};

/// A pen on a ship that swings across the border between two regions and back, along x.
struct Swinging {
  double half_way_m = 300;
  double speed_m_s = 50;  ///< at the border
};

/// A pen on a ship that the first of its players steers. Free bodies are its cargo.
struct WithVehicle {};

struct PenPlan {
  world::ShapePtr shape;
  world::Bounds air;         ///< volume with gravity, in the pen's frame
  std::vector<Vec3> starts;  ///< feet positions of players in the same pen
  std::vector<Fixtures> fixtures;
  Vec3 middle;    ///< of all pens, on the border between the two regions
  Orders orders;  ///< to the moving fixtures
  std::variant<std::monostate, Circling, Steered, WithVehicle, Swinging> moves;
  double spacing_m = 60;   ///< from pen to pen
  bool on_border = false;  ///< each lies across the border between the two regions
  bool alone = false;  ///< there is only one, across the border, for the players of both regions
  /// Beside a resting pen: ground of cells, to dig in. Beside a circling pen: another hull, with
  /// the same gravity about its own origin, at a fixed place relative to the pen.
  world::ShapePtr beside;
  Vec3 beside_at;  ///< the corner of the ground, or the hull's origin, in the pen's frame
  skiff::Tunables tunables;
};
/// Each player, or each group of a few players, is in a separate copy of a small piece of ground.
std::unique_ptr<world::GameModule> make_pens(std::uint32_t players, PenPlan plan);

/// 36 x 36 m between walls: pillars, crates to jump on, stairs, a corner to get stuck in.
PenPlan obstacle_pen(std::uint32_t players_each);
/// A corridor 2 m wide and 36 m long with two sliding doors across it.
inline constexpr double lane_door_m = 6;  ///< from the middle, along x
PenPlan door_lane(std::int32_t announce_ticks);
/// 36 x 36 m between walls, with a rotor in the middle and four lifts around it.
PenPlan machine_pen();
/// The same on a steered ship.
PenPlan machine_ship(world::Inertia inertia);
/// 36 x 36 m between walls, with four lifts and four pistons in the walls, which move at 0.5 m/s
/// and are reversed some five times a second. With a spacing of unheard_m, updates of a pen's
/// machines are not sent to the players of other pens.
inline constexpr double unheard_m = 1200;
PenPlan piston_pen(double spacing_m);
/// 16 x 16 m between walls, with loose crates.
PenPlan crate_pen();
/// A corridor 3 m wide and 36 m long.
PenPlan corridor(std::uint32_t players_each);
/// The same corridor across the border between the two regions, for all players.
PenPlan border_corridor(std::uint32_t players);
/// Two hulls, 18 x 36 m each and 0.1 m apart, which turn at 25 deg/s about an axis 90 m away.
PenPlan seam_pen();
/// Obstacles that turn at 25 deg/s.
PenPlan turning_pen(double radius_m, world::Inertia inertia);
/// Obstacles on a ship that crosses the border at 50 m/s, back and forth.
PenPlan crossing_pen();
/// A road across the border, 64 m to either side, with obstacles to jump over.
PenPlan border_road(std::uint32_t players_each);
/// Obstacles on a steered ship.
PenPlan ship_pen(world::Inertia inertia);
/// A ship for a pilot, riders in separate stalls, and loose crates on its deck.
PenPlan vehicle_pen(std::uint32_t riders, std::uint32_t crates);
/// An open deck on a steered ship, for armed players.
enum class Contest : std::uint8_t { Rifles, Bows, Duel };
PenPlan range_pen(Contest contest);

/// 64 x 64 m between walls: ground to dig in, 4 m deep, with knolls and pillars on it, for two.
PenPlan digging_pen();

/// Each player steers a free-floating chain of ten links with moving hinges.
std::unique_ptr<world::GameModule> make_walkers(std::uint32_t players);

/// Each player in space beside a ferry of its own with an open door.
std::unique_ptr<world::GameModule> make_ferries(std::uint32_t players);
inline constexpr double ferry_door_x_m = -10;  ///< the plane of its door, in its frame
inline constexpr double approach_m = 60;       ///< from the door to the players' start

}  // namespace perigee::lab
