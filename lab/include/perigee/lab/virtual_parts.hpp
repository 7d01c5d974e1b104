/// What a virtual cluster is made of, but for its processes.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "perigee/client/client.hpp"
#include "perigee/lab/input_flow.hpp"
#include "perigee/lab/oracle.hpp"
#include "perigee/netcode/link_simulator.hpp"
#include "perigee/replay/recording.hpp"
#include "perigee/worker/core.hpp"

namespace perigee::lab {

/// Thrown by a game: the worker's process that plays it ends there, in the midst of whatever it was
/// at.
struct ProcessCrash {};

/// Makes the player behind a client; the client lives as long.
using Pilot =
    std::function<std::unique_ptr<client::InputSampler>(const client::Client&, std::uint64_t seed)>;

struct ClusterOptions {
  std::uint64_t seed = 1;
  std::uint32_t workers = 2;
  std::uint32_t regions = 0;  ///< 0: as many as workers; else those beyond have none at first
  std::uint32_t players = 4;
  LinkPair link;                                         ///< between every client and the gateway
  std::vector<std::uint32_t> frames_per_s{60, 30, 144};  ///< clients take them in turn
  Micros hitch_every_us = 10'000'000;  ///< now and then a client's frame takes ...
  Micros hitch_us = 100'000;           ///< ... this long
  double drift_ppm_max = 100;          ///< clients' clocks, plus or minus
  Micros clock_offset_us_max = 5'000'000;
  Micros tick_cost_us = 1'500;  ///< a worker's blocks leave this long after the tick began
  /// What a tick takes of the worker's processor, instead: the next one cannot begin before. It
  /// measures that, and does what it can about it.
  std::function<Micros(const worker::Core&)> tick_cost;
  /// What the worker in a place gets of its processor, of 1, if it costs; none: all of it.
  std::function<double(std::size_t)> processor_share;
  worker::Settings worker;
  client::Settings client;
  /// What clients take for the game; none: what the workers do.
  const world::GameModule* clients_game = nullptr;
  /// Keeps both halves of the worst correction: see VirtualCluster::worst_flight().
  bool records = false;
  /// A player logs in again a second after the end of its client, once the path carries that.
  bool keeps_logged_in = false;
  /// Workers report each second what they bear, and the directory cuts and moves regions by that.
  bool balances = false;
  /// Workers and gateway are heard of each second, and whoever is silent is buried. Else nobody is
  /// but by who suspects; balances: also then.
  bool heartbeats = false;
  /// Each hears of a new map so much later at the most.
  Micros map_late_us_max = 0;
  /// Each worker has a buddy, and what a dead one had goes on there.
  bool buddies = false;
  /// There is a world store; what is written is there this much later.
  std::optional<Micros> world_store_us;
};

/// Two recordings of the same seconds.
struct Flight {
  replay::Recording client, worker;
  double meters = 0;
};

struct VirtualPlayer {
  std::unique_ptr<client::Client> client;
  std::unique_ptr<client::InputSampler> pilot;
  PlayerOracle oracle;
  InputFlow flow;
  Address address;
  double clock_rate = 1;
  Micros clock_offset_us = 0;
  Micros frame_us = 16'667;
  Micros next_hitch_us = 0;
  Micros stands_still_us = 0;  ///< before its next frame, once
  Micros dark_until_us = 0;    ///< its link carries nothing
  Micros next_log_in_us = 0;   ///< not before, if its client has ended
  Micros up_extra_us = 0;      ///< its link takes so much longer than its profile says, each way
  Micros down_extra_us = 0;
  std::unique_ptr<LinkSimulator> up, down;
  std::uint64_t client_id = 0;
};

/// How long each stage on the servers' side took, microseconds: what their shells export.
struct ServerStages {
  std::vector<double> fabric_us;           ///< gateway's stamp to worker's
  std::vector<double> input_wait_us;       ///< worker's stamp to the tick that consumes it
  std::vector<double> tick_to_gateway_us;  ///< that tick's start to its block at the gateway
  std::vector<double> hold_us;             ///< there, until it leaves
};

}  // namespace perigee::lab
