/// Parts of a virtual cluster, except for its processes.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "perigee/base/link_simulator.hpp"
#include "perigee/client/client.hpp"
#include "perigee/client/thin_client.hpp"
#include "perigee/lab/input_flow.hpp"
#include "perigee/lab/oracle.hpp"
#include "perigee/lab/player_machine.hpp"
#include "perigee/replay/recording.hpp"
#include "perigee/worker/core.hpp"

namespace perigee::lab {

/// Makes the player behind a client, which outlives the player.
using Pilot =
    std::function<std::unique_ptr<client::InputSampler>(const client::Client&, std::uint64_t seed)>;
/// Likewise for a thin client, of which the player knows only the avatar.
using ThinPilot = std::function<std::unique_ptr<client::InputSampler>(const client::ThinAvatar&,
                                                                      std::uint64_t seed)>;

struct ClusterOptions {
  std::uint64_t seed = 1;
  std::uint32_t workers = 2;
  /// 0: as many as workers; otherwise the workers beyond that number start without a region.
  std::uint32_t regions = 0;
  Vec3 world_low{-8000, -2000, -8000};  ///< metres
  Vec3 world_high{8000, 2000, 8000};
  std::uint32_t players = 4;
  /// Players without a scene, in addition.
  std::uint32_t thin_players = 0;
  ThinPilot thin_pilot;  ///< none: they stroll like the thin players of perigee-bots
  LinkPair link;         ///< between every client and the gateway
  std::vector<std::uint32_t> frames_per_s{60, 30, 144};  ///< clients take them in turn
  Micros hitch_every_us = 10'000'000;  ///< from time to time a client's frame takes ...
  Micros hitch_us = 100'000;           ///< ... this long
  double drift_ppm_max = 100;          ///< clients' clocks, plus or minus
  Micros clock_offset_us_max = 5'000'000;
  Micros tick_cost_us = 1'500;  ///< a worker's blocks leave this long after the start of the tick
  /// Used instead, if set: processor time of a tick. The next tick cannot start before this time is
  /// over. The worker measures it and reacts to overload.
  std::function<Micros(const worker::Core&)> tick_cost;
  /// Share of a processor that the worker with this index gets, if ticks have a cost. None: a whole
  /// processor.
  std::function<double(std::size_t)> processor_share;
  worker::Settings worker;
  client::Settings client;
  /// The game that clients run; null: the workers' game.
  const world::GameModule* clients_game = nullptr;
  /// Keeps both sides of the worst correction: see VirtualCluster::worst_flight().
  bool records = false;
  /// A player logs in again a second after the end of its client, once the path allows it.
  bool keeps_logged_in = false;
  /// Workers report their load every second. The directory splits and moves regions according to
  /// it.
  bool balances = false;
  /// Workers and gateway send heartbeats every second, and the directory declares a silent one
  /// dead. Otherwise it declares a worker dead only after a suspicion. Implied by `balances`.
  bool heartbeats = false;
  /// If set, the fabric is sealed, with keys that change after this time. Needs `heartbeats`.
  std::optional<Micros> fabric_key_us;
  /// Maximum delay of a new map.
  Micros map_late_us_max = 0;
  /// Each worker has a standby, which takes over when the worker dies.
  bool standbys = false;
  /// If set, there is a world store, and writes reach it with this delay.
  std::optional<Micros> world_store_us;

  const world::GameModule& game_of_clients(const world::GameModule& of_workers) const {
    return clients_game != nullptr ? *clients_game : of_workers;
  }
};

/// Two recordings of the same seconds.
struct Flight {
  replay::Recording client, worker;
  double meters = 0;
};

struct VirtualPlayer : PlayerMachine {
  std::unique_ptr<client::Client> client;
  std::unique_ptr<client::InputSampler> pilot;
  PlayerOracle oracle;
  InputFlow flow;
};

struct ThinPlayer : PlayerMachine {
  std::unique_ptr<client::ThinClient> client;
  std::unique_ptr<client::InputSampler> pilot;
};

/// Duration of each server stage in microseconds, as exported by the real processes.
struct ServerStages {
  std::vector<double> fabric_us;           ///< gateway's stamp to worker's
  std::vector<double> input_wait_us;       ///< worker's stamp to the tick that consumes it
  std::vector<double> tick_to_gateway_us;  ///< that tick's start to its block at the gateway
  std::vector<double> hold_us;             ///< at the gateway, until it is sent
};

}  // namespace perigee::lab
