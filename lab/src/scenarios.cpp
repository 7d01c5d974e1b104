#include "perigee/lab/scenario.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "perigee/bots/brain.hpp"
#include "perigee/lab/shooter.hpp"
#include "perigee/lab/stage.hpp"

namespace perigee::lab {
namespace {

using GamePtr = std::unique_ptr<world::GameModule>;

std::unique_ptr<client::InputSampler> stroll(const client::Client&, std::uint64_t seed) {
  return make_stroller(seed);
}
std::unique_ptr<client::InputSampler> walk_lane(const client::Client&, std::uint64_t seed) {
  return make_lane_walker(seed);
}
std::unique_ptr<client::InputSampler> walk_road(const client::Client&, std::uint64_t seed) {
  return make_road_walker(seed);
}
std::unique_ptr<client::InputSampler> dig(const client::Client&, std::uint64_t seed) {
  return make_digger(seed);
}
std::unique_ptr<client::InputSampler> board(const client::Client& client, std::uint64_t) {
  return make_boarder(client);
}
std::unique_ptr<client::InputSampler> drive(const client::Client& client, std::uint64_t seed) {
  return make_driver(client, seed);
}
std::unique_ptr<client::InputSampler> play(const client::Client& client, std::uint64_t seed) {
  return std::make_unique<bots::Brain>(client, seed);
}

constexpr std::int32_t announced = world::announce_ticks_default;
constexpr std::int32_t announced_early = 24;  // 400 ms
constexpr Floors lane_floors{.crossings = 10};
// A prediction that is often wrong is replaced by server states: that is part of the measurement.
constexpr Floors sudden_floors{.crossings = 10, .predicted_share = 0.75};
constexpr Floors crowd_floors{.predicted_share = 0.9};
constexpr Floors machine_floors{.contacts = 4, .parents = 1};
constexpr Floors machine_ship_floors{.contacts = 4, .parents = 1, .predicted_share = 0.9};
constexpr Floors boarding_floors{.turns = 0, .contacts = 6, .jumps = 0, .parents = 10};
// Players get held up in the pits that they dig.
constexpr Floors dig_floors{.moving_share = 0.6, .edits = 20, .predicted_share = 0.9};
constexpr Floors deck_floors{.predicted_share = 0.9};
// Updates of the other players' actions come too late, and a prediction that is often wrong is not
// displayed. If it is displayed less than half of the time, the count of corrections says little.
constexpr Floors misprediction_floors{.predicted_share = 0.5};
constexpr Floors seam_floors{.parents = 10, .predicted_share = 0.9};
constexpr Floors walker_floors{
    .moving_share = 0, .contacts = 0, .jumps = 0, .steering_share = 0.9, .predicted_share = 0};
constexpr Floors vehicle_floors{
    .moving_share = 0, .contacts = 0, .jumps = 0, .steering_share = 0.9, .predicted_share = 0.9};
constexpr Floors range_floors{.contacts = 0, .jumps = 0, .shots = 10, .predicted_share = 0.95};
constexpr Floors stand_floors{
    .moving_share = 0, .turns = 0, .contacts = 0, .jumps = 0, .shots = 5, .predicted_share = 0.95};
constexpr Floors ferryman_floors{
    .moving_share = 0.3, .contacts = 0, .jumps = 0, .steering_share = 0.1, .predicted_share = 0.9};

const std::vector<Scenario>& all() {
  static const std::vector<Scenario> list{
      {"L1",
       "static obstacles: each player runs and jumps in a pen of its own",
       {},
       [](auto n) { return make_pens(n, obstacle_pen(1)); },
       stroll},
      {"L1n",
       "the same, with floats of the clients that differ in the seventh digit",
       {},
       [](auto n) { return make_pens(n, obstacle_pen(1)); },
       stroll,
       1e-6},
      {"L2", "a sliding door that others operate every 1 to 3 s, announced 150 ms ahead",
       lane_floors, [](auto n) { return make_pens(n, door_lane(announced)); }, walk_lane},
      {"L2e", "the same, announced 400 ms ahead", lane_floors,
       [](auto n) { return make_pens(n, door_lane(announced_early)); }, walk_lane},
      {"L2u", "the same, not announced", sudden_floors,
       [](auto n) { return make_pens(n, door_lane(0)); }, walk_lane},
      {"L3", "board a ship at 50 m/s through a door 2 m wide, from 60 m away, and leave it again",
       boarding_floors, make_ferries, board},
      {"L4",
       "walk and jump on a hull that turns at 25 deg/s, without forces on its riders",
       {},
       [](auto n) { return make_pens(n, turning_pen(0, world::Inertia::None)); },
       stroll},
      {"L5",
       "a rotor at 30 deg/s and four lifts that start or turn back every 1 to 3 s, announced 1 s "
       "ahead",
       machine_floors, [](auto n) { return make_pens(n, machine_pen()); }, stroll},
      {"L6", "walk and jump on a deck 90 m from its axis at 25 deg/s, with all forces", deck_floors,
       [](auto n) { return make_pens(n, turning_pen(90, world::Inertia::Full)); }, stroll},
      {"L7", "steer a chain of ten links on hinges that move", walker_floors, make_walkers, drive},
      {"L8", "rifles on a steered ship: hulls hit or missed by at least 2 cm", range_floors,
       [](auto n) { return make_pens(n, range_pen(Contest::Rifles)); },
       [](const client::Client& client, std::uint64_t seed)
           -> std::unique_ptr<client::InputSampler> { return make_marksman(client, seed); }},
      {"L8s", "bows on a steered ship: arrows at standing players", stand_floors,
       [](auto n) { return make_pens(n, range_pen(Contest::Bows)); },
       [](const client::Client& client, std::uint64_t) -> std::unique_ptr<client::InputSampler> {
         return make_archer(client, false);
       }},
      {"L8w", "arrows at players that walk across: seen and dodged", stand_floors,
       [](auto n) { return make_pens(n, range_pen(Contest::Bows)); },
       [](const client::Client& client, std::uint64_t) -> std::unique_ptr<client::InputSampler> {
         return make_archer(client, true);
       }},
      {"L8d", "duels with rifles: both shoot in the same tick", stand_floors,
       [](auto n) { return make_pens(n, range_pen(Contest::Duel)); },
       [](const client::Client& client, std::uint64_t) -> std::unique_ptr<client::InputSampler> {
         return make_duelist(client);
       }},
      {"L9",
       "walk and jump on a ship that crosses a border between workers at 50 m/s, there and back",
       {},
       [](auto n) { return make_pens(n, crossing_pen()); },
       stroll},
      {"L9w",
       "walk and jump along a road that crosses a border between workers, there and back",
       {},
       [](auto n) { return make_pens(n, border_road(1)); },
       walk_road},
      {"L10", "steer a ship, up to 20 m/s^2 and 25 deg/s; alone aboard", vehicle_floors,
       [](auto n) { return make_pens(n, vehicle_pen(0, 0)); }, drive},
      {"L10r", "the same with riders in stalls, seven to a ship", ferryman_floors,
       [](auto n) { return make_pens(n, vehicle_pen(7, 0)); }, drive},
      {"L10c", "the same with three loose crates on the deck", vehicle_floors,
       [](auto n) { return make_pens(n, vehicle_pen(0, 3)); }, drive},
      {"L11", "walk and jump on a steered ship, up to 20 m/s^2 and 25 deg/s, without inertia",
       deck_floors, [](auto n) { return make_pens(n, ship_pen(world::Inertia::None)); }, stroll},
      {"L11f", "the same with all forces", deck_floors,
       [](auto n) { return make_pens(n, ship_pen(world::Inertia::Full)); }, stroll},
      {"L12", "dig, fill, walk and jump on ground of 1 m cells, two to a pen", dig_floors,
       [](auto n) { return make_pens(n, digging_pen()); }, dig},
      {"L13", "the rotor and the lifts of L5 on a ship steered as in L11", machine_ship_floors,
       [](auto n) { return make_pens(n, machine_ship(world::Inertia::None)); }, stroll},
      {"L14", "loose crates pushed on foot", misprediction_floors,
       [](auto n) { return make_pens(n, crate_pen()); }, stroll},
      {"L15", "a corridor 3 m wide and 36 m long, in which all players of a region run to and fro",
       misprediction_floors, [](auto n) { return make_pens(n, corridor(half_of(n, 1))); },
       walk_lane},
      {"L15w", "one such corridor across a border between workers, for all players",
       misprediction_floors, [](auto n) { return make_pens(n, border_corridor(n)); }, walk_lane},
      {"L16",
       "lifts and pistons at 0.5 m/s that others reverse five times a second, announced 150 ms "
       "ahead",
       misprediction_floors, [](auto n) { return make_pens(n, piston_pen(unheard_m)); }, stroll},
      {"L16s",
       "the same with all machines of a region near enough to be replicated to all its players",
       misprediction_floors, [](auto n) { return make_pens(n, piston_pen(60)); }, stroll},
      {"L17", "walk and jump over the seam between two hulls that turn at 25 deg/s as one",
       seam_floors, [](auto n) { return make_pens(n, seam_pen()); }, walk_lane},
      {"crowd", "static obstacles and four players to a pen that run into each other", crowd_floors,
       [](auto n) { return make_pens(n, obstacle_pen(4)); }, stroll},
      {"play",
       "bots wander, operate doors, fly and board ships; they react to what they see",
       {.moving_share = 0.5,
        .turns = 5,
        .contacts = 0,
        .jumps = 1,
        .predicted_share = 0.9,
        .compared_share = 0.9},
       [](auto) { return GamePtr(std::make_unique<skiff::Skiff>()); },
       play},
  };
  return list;
}

}  // namespace

std::span<const Scenario> scenarios() { return all(); }

Result<Scenario> find_scenario(std::string_view name) {
  const auto found = std::ranges::find(all(), name, &Scenario::name);
  if (found != all().end()) return *found;
  std::string names;
  for (const Scenario& scenario : all()) names += " " + std::string(scenario.name);
  return Error{"no scenario '" + std::string(name) + "'; scenarios:" + names};
}

}  // namespace perigee::lab
