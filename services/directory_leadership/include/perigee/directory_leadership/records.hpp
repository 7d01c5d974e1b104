/// The directory's state as records of a store. A record holds several members or regions. So a
/// change writes little, the whole state fits into one transaction, and no value exceeds the
/// store's limit.
#pragma once

#include <map>
#include <string>

#include "perigee/directory/core.hpp"
#include "perigee/host/loop.hpp"

namespace perigee::directory {

/// Prefix of every key.
inline constexpr const char* records_prefix = "directory/";

/// By key; human-readable text.
using Records = std::map<std::string, std::string>;

/// World time derived from the machine's monotonic clock: setting the wall clock moves no tick, and
/// neither does a restart or a takeover by another directory.
struct WorldClock {
  Micros offset_us = 0;  ///< to the monotonic clock
  Micros at(Micros monotonic_us) const { return monotonic_us + offset_us; }
};

struct World {
  Saved saved;
  WorldClock clock;
};

/// Where and when a record is written or read. `boot_id` identifies one boot of one kernel: the
/// monotonic clock is comparable only within it.
struct Moment {
  host::ClockPair clocks;
  std::string boot_id;
};

Records write_records(const Saved& saved, const WorldClock& clock, const Moment& now);
/// Checks that the records fit these settings; the error says why they do not.
Result<World> read_records(const Records& records, const CoreSettings& settings, const Moment& now);

}  // namespace perigee::directory
