/// Deeds of a soak: faults of its cluster's processes, clocks, store and network. All parameters of
/// a deed are drawn from the seed, so that a run can be described, and repeated.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "perigee/base/hash.hpp"

namespace perigee::process_test {

enum class DeedKind : std::uint8_t {
  WorkerKilled,  ///< and started again `for_ms` later, as the next ones
  GatewayKilled,
  DirectoryKilled,
  SessionKilled,
  KilledWithClockOff,  ///< any process; its clock is off before, at its start, and `for_ms` longer
  WorkerDrained,       ///< ends by itself after SIGTERM, and is started again at once
  WorkerStopped,       ///< SIGSTOP for `for_ms`, as the next ones
  GatewayStopped,
  DirectoryStopped,
  SessionStopped,
  DiskStoodStill,  ///< the world store accepts no write
  ClockStepped,    ///< the wall clock of one process
  ClocksStepped,   ///< of all processes but the players'
  NetCut,          ///< no packets between `who` and `others`
  last = NetCut
};

/// Packets that a cut drops.
enum class Way : std::uint8_t { Both, ToOthers, FromOthers };

struct Deed {
  DeedKind kind{};
  std::string who;  ///< a process by its name in logs
  std::vector<std::string> others;
  Way way = Way::Both;
  unsigned for_ms = 0;
  std::int64_t step_s = 0;  ///< that the clock is ahead
};

inline constexpr unsigned soak_workers = 3, soak_gateways = 2;

std::string_view name_of(DeedKind kind);
bool kills(DeedKind kind);
/// As one line.
std::string describe(const Deed& deed);
/// `spares`: of each kind of process one is not killed, so that it lives long enough for its memory
/// to be judged: directory, session, gateway-1, sim-2.
Deed draw_deed(Random& random, bool spares);

}  // namespace perigee::process_test
