/// What happens to a cluster's processes and to the net between them: schedules that follow from a
/// seed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "perigee/netcode/tick.hpp"

namespace perigee::lab {

/// An end of the net between processes: a worker's index, or one of the others.
using Party = std::uint32_t;
inline constexpr Party the_gateway = 1000, the_directory = 1001;

enum class MishapKind : std::uint8_t {
  /// Killed, within a tick of which `b` others hear if that is less than within_tick_max; another
  /// process starts under its name `for_us` later.
  WorkerDies,
  WorkerStands,   ///< stopped, and goes on `for_us` later as if nothing had happened
  ClockOff,       ///< the worker's clock is `amount_us` ahead
  NetCut,         ///< nothing comes from `a` to `b`, or back
  NetSlow,        ///< all comes up to `amount_us` later, and of datagrams `lost` never
  GatewayDies,    ///< another one starts `for_us` later, without a memory
  DirectoryDies,  ///< another one goes on `for_us` later with what was on the disk
  ClientDark,     ///< nothing comes from client `a` to the gateway, or back
  StoreFails,     ///< what should be written waits: it is down, or its disk is full
  RegionMoves,    ///< an operator gives a region, of those the `b`th, to worker `a`
  last = RegionMoves
};

struct Mishap {
  MishapKind kind{};
  Micros at_us = 0;   ///< after the schedule's begin
  Micros for_us = 0;  ///< then it is over
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
  bool store = false;      ///< there is one
  Micros last_us = 0;      ///< nothing begins later than this
  Micros rest_us_min = 0;  ///< from one to the next, at least: from its end if they are `apart`
  Micros rest_us_max = 0;
  bool apart = false;  ///< nothing begins before what was before is over
};
/// In order of time.
std::vector<Mishap> draw_mishaps(std::uint64_t seed, const MishapPlan& plan);

}  // namespace perigee::lab
