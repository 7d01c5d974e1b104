/// What is played while techniques are measured: a stage, who plays on it, and how much has to
/// happen before the figures mean anything.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "perigee/lab/virtual_cluster.hpp"

namespace perigee::lab {

/// Below one of them a cell is INVALID. Per minute and player, or shares.
struct Floors {
  double moving_share = 0.7;
  double turns = 30;
  double contacts = 6;
  double jumps = 6;
  double crossings = 0;  ///< of where a lane has its doors
  double parents = 0;    ///< changes of parent
  double shots = 0;
  double steering_share = 0;  ///< of the time at a helm
  double edits = 0;           ///< cells dug or filled
  double predicted_share = 0.99;
  double compared_share = 0.95;  ///< of the worker's words on the own avatar
};

struct Scenario {
  std::string_view name;
  std::string_view about;
  Floors floors;
  std::unique_ptr<world::GameModule> (*stage)(std::uint32_t players);
  Pilot pilot;
  /// The clients' floats come out otherwise by up to this share, frame by frame. (E1)
  double float_noise = 0;
};

/// L1 first.
std::span<const Scenario> scenarios();
/// By name, or an Error that lists the names.
Result<Scenario> find_scenario(std::string_view name);

/// Players whose controls follow from seed and tick alone, whatever they see: the same in every
/// cell of a scenario.
std::unique_ptr<client::InputSampler> make_stroller(std::uint64_t seed);
/// The same, with a pick.
std::unique_ptr<client::InputSampler> make_digger(std::uint64_t seed);
/// Up and down a lane along x, about 30 m at a time.
std::unique_ptr<client::InputSampler> make_lane_walker(std::uint64_t seed);
/// About 100 m at a time.
std::unique_ptr<client::InputSampler> make_road_walker(std::uint64_t seed);

/// Steers the ship whose helm it begins at; who begins elsewhere is a stroller.
std::unique_ptr<client::InputSampler> make_driver(const client::Client& client, std::uint64_t seed);

/// Boards the ferry beside it and leaves again, as often as it can; reacts to what it saw 100 ms
/// ago.
std::unique_ptr<client::InputSampler> make_boarder(const client::Client& client);

}  // namespace perigee::lab
