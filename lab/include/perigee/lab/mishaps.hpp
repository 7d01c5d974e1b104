/// Faults of a cluster's processes and network: schedules drawn from a seed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "perigee/base/tick.hpp"

namespace perigee::lab {

/// An endpoint of the network between processes: a worker's index, or one of the others.
using Party = std::uint32_t;
inline constexpr Party the_gateway = 1000, the_directory = 1001;

enum class MishapKind : std::uint8_t {
  /// The worker is killed. If `b` is less than within_tick_max, this happens in the middle of a
  /// tick, and the messages of that tick reach only `b` other workers. A new process with its name
  /// starts `for_us` later.
  WorkerDies,
  WorkerStands,   ///< stopped, and resumes `for_us` later
  ClockOff,       ///< the worker's clock is `amount_us` ahead
  NetCut,         ///< no traffic between `a` and `b`
  NetSlow,        ///< everything is delayed by up to `amount_us`, and a share `lost` of datagrams
                  ///< is dropped
  GatewayDies,    ///< a new one starts `for_us` later, without its state
  DirectoryDies,  ///< a new one continues `for_us` later from its durable state
  ClientDark,     ///< no traffic between client `a` and the gateway
  StoreFails,     ///< writes wait: the store is down, or its disk is full
  RegionMoves,    ///< an operator moves the `b`th region to worker `a`
  WorkerDrains,   ///< like SIGTERM: it migrates everything away and ends; a new process with its
                  ///< name starts `for_us` later
  last = WorkerDrains
};

struct Mishap {
  MishapKind kind{};
  Micros at_us = 0;   ///< after the schedule's start
  Micros for_us = 0;  ///< duration
  Party a = 0, b = 0;
  Micros amount_us = 0;
  double lost = 0;  ///< 0..1
};
inline constexpr std::uint32_t within_tick_max = 4;

/// As one line.
std::string describe(const Mishap& mishap);

struct MishapPlan {
  std::uint32_t workers = 3;
  std::uint32_t clients = 1;
  bool store = false;      ///< the cluster has a world store
  bool drains = false;     ///< workers also drain; the directory has to balance
  Micros last_us = 0;      ///< no fault begins later than this
  Micros rest_us_min = 0;  ///< minimum pause from one fault to the next
  Micros rest_us_max = 0;
  bool apart = false;  ///< the pause counts from the end of the previous fault
};
/// In order of time.
std::vector<Mishap> draw_mishaps(std::uint64_t seed, const MishapPlan& plan);

}  // namespace perigee::lab
