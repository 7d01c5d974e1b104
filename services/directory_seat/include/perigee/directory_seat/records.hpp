/// A directory's memory as the records of a store: in packs, so that a change writes little of it,
/// all of it fits into one transaction, and no value is larger than a store takes.
#pragma once

#include <map>
#include <string>

#include "perigee/directory/core.hpp"
#include "perigee/host/loop.hpp"

namespace perigee::directory {

/// Every key begins with it.
inline constexpr const char* records_prefix = "directory/";

/// By key; text that people can read.
using Records = std::map<std::string, std::string>;

/// World time, told from the machine's clocks: setting the machine's wall clock moves no tick, and
/// neither does a restart, or another directory that takes over.
struct WorldClock {
  Micros offset_us = 0;  ///< to the monotonic clock
  Micros at(Micros monotonic_us) const { return monotonic_us + offset_us; }
};

struct World {
  Saved saved;
  WorldClock clock;
};

/// Where and when a record is written or read. `boot_id` names one boot of one kernel: only within
/// it the monotonic clock means anything.
struct Moment {
  host::ClockPair clocks;
  std::string boot_id;
};

Records write_records(const Saved& saved, const WorldClock& clock, const Moment& now);
/// Of this world under these settings, or why that cannot be.
Result<World> read_records(const Records& records, const CoreSettings& settings, const Moment& now);

}  // namespace perigee::directory
