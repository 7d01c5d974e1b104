/// All numbers of Skiff that may need tuning, in one place.
#pragma once

#include <cstdint>

#include "perigee/world/actor_step.hpp"
#include "perigee/world/parenting.hpp"
#include "perigee/world/timeline.hpp"
#include "perigee/world/vehicle_control.hpp"

namespace perigee::skiff {

/// One race-track: two straights joined by half circles.
struct CourseTunables {
  double speed_m_s = 50;
  double straight_m = 2000;
  double arc_radius_m = 300;
  /// Limit of the yaw rate's growth at the entry of an arc: steeper ramps are extrapolated worse.
  double yaw_slew_rad_s2 = 0.2617993878;  ///< 15 deg/s^2
  double start_m = 0;  ///< along the first straight at tick 0: 1000 m short of the station
};

/// Places where new players spawn.
enum class Birthplace : std::uint8_t { Station, Carousel, Gyre, Skiff };

/// The content of a new world.
enum class Stage : std::uint8_t {
  Stations,   ///< the two halves around their stations
  Asteroids,  ///< a ball of bodies around a planetoid, in the middle of the world
  last = Asteroids,
};

struct Tunables {
  Stage stage = Stage::Stations;
  double gravity_m_s2 = 9.81;

  double station_x_m = 600;  ///< stations at -x and +x, one per half of the world
  /// From the station's origin to the near straight: 80 m from its edge to the hull.
  double course_offset_m = 190;
  CourseTunables fast{.speed_m_s = 50};  ///< the ferry at +x
  CourseTunables slow{.speed_m_s = 30};  ///< the ferry at -x

  double carousel_radius_m = 90;        ///< from the axis to the middle of the deck
  double carousel_rad_s = 0.436332313;  ///< 25 deg/s
  double carousel_mass_kg = 1e6;
  double gyre_rad_s = 0.436332313;  ///< the hull that turns on the spot

  double skiff_mass_kg = 2e4;
  world::VehicleControl vehicle{.thrust_m_s2 = 20, .seat = {0, 0.91, 4}};

  double walker_link_kg = 300;
  double walker_bend_rad = 0.6;
  double walker_rad_s = 0.5;
  double walker_n_m = 3000;

  double asteroid_spin_damping_per_s = 0.05;

  double ferry_mass_kg = 2e6;
  double crate_edge_m = 1;
  double crate_mass_kg = 100;
  std::uint32_t station_crates = 12;
  std::uint32_t ferry_crates = 6;

  std::int32_t door_ticks = 30;  ///< to open; 0.5 s
  double lift_stroke_m = 4;      ///< onto the hall's roof
  double lift_m_s = 2;
  double rotor_mass_kg = 5e4;
  double rotor_rad_s = 0.5235987756;  ///< 30 deg/s
  double use_reach_m = 3;  ///< to the middle of the used object, or to either end of its way
  std::int32_t announce_ticks = world::announce_ticks_default;

  Birthplace birthplace = Birthplace::Station;
  double spawn_spacing_m = 2.5;
  double course_hold_m_s = 2;  ///< limit of the speed at which a displaced ferry returns
  double course_hold_rad_s = 0.05;

  std::uint16_t hits_to_kill = 3;
  std::int32_t respawn_ticks = 180;  ///< 3 s, plus the worker's rewind window
  std::uint8_t rifle_reload_ticks = 12;
  std::uint8_t bow_draw_ticks = 36;  ///< from drawing to the arrow's launch: 0.6 s
  double arrow_m_s = 60;
  double rifle_range_m = 1000;
  double eye_m = 0.6;  ///< of the eye and the weapons above the middle
  double dig_reach_m = 3;
  std::uint16_t tool_reload_ticks = 18;  ///< 0.3 s between two uses of the pick

  world::ActorParams character;
  world::ParentingParams parenting;
};

}  // namespace perigee::skiff
