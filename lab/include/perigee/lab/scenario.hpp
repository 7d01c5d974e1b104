/// A scenario in which techniques are measured: a stage, its players, and the minimum activity that
/// makes the figures meaningful.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string_view>

#include "perigee/lab/virtual_cluster.hpp"

namespace perigee::lab {

/// A cell below one of the floors is INVALID. Floors are per minute and player, or shares.
struct Floors {
  double moving_share = 0.7;
  double turns = 30;
  double contacts = 6;
  double jumps = 6;
  double crossings = 0;  ///< of the planes of a lane's doors
  double parents = 0;    ///< changes of parent
  double shots = 0;
  double steering_share = 0;  ///< of the time at the controls of a vehicle
  double edits = 0;           ///< cells dug or filled
  double predicted_share = 0.99;
  double compared_share = 0.95;  ///< of the worker's final states of the own avatar
};

struct Scenario {
  std::string_view name;
  std::string_view about;
  Floors floors;
  std::function<std::unique_ptr<world::GameModule>(std::uint32_t players)> stage;
  Pilot pilot;
  /// The clients' floating-point results deviate by up to this share, frame by frame.
  double float_noise = 0;
};

/// L1 first.
std::span<const Scenario> scenarios();
/// By name, or an Error that lists the names.
Result<Scenario> find_scenario(std::string_view name);

/// Players with controls that follow from seed and tick alone, independent of their view: the same
/// in every cell of a scenario.
std::unique_ptr<client::InputSampler> make_stroller(std::uint64_t seed);
/// The same, with a digging tool.
std::unique_ptr<client::InputSampler> make_digger(std::uint64_t seed);
/// Walks back and forth in a lane along x, about 30 m at a time.
std::unique_ptr<client::InputSampler> make_lane_walker(std::uint64_t seed);
/// The same on a road, about 100 m at a time.
std::unique_ptr<client::InputSampler> make_road_walker(std::uint64_t seed);

/// Steers the ship if it begins at the controls of one. A player that begins elsewhere is a
/// stroller.
std::unique_ptr<client::InputSampler> make_driver(const client::Client& client, std::uint64_t seed);

/// Boards the ferry beside it and leaves the ferry again, as often as possible. Reacts to its view
/// of 100 ms ago.
std::unique_ptr<client::InputSampler> make_boarder(const client::Client& client);

}  // namespace perigee::lab
