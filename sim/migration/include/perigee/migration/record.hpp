/// The directory's record of one region, and all changes that it may undergo. Each is a
/// compare-and-swap on the record's version: a caller with another version has not seen the newest
/// one.
#pragma once

#include <cstdint>
#include <optional>

#include "perigee/migration/ledger.hpp"
#include "perigee/migration/rules.hpp"

namespace perigee::migration {

using WorkerId = std::uint8_t;

enum class StandbyStatus : std::uint8_t {
  None,     ///< the owner acts alone
  Copying,  ///< the standby is being filled; the owner acts alone
  InSync    ///< everything that the owner treats as durable is at the standby
};

struct Record {
  RegionId region = 0;
  Epoch epoch = 1;
  WorkerId owner = 0;
  std::optional<WorkerId> standby;
  StandbyStatus standby_status = StandbyStatus::None;
  std::uint64_t version = 1;
  friend bool operator==(const Record&, const Record&) = default;
};

/// The owner of `epoch` sets the state of its standby. False: the epoch or the version is outdated.
inline bool set_standby(Record& record, Epoch epoch, std::uint64_t version,
                        std::optional<WorkerId> standby, StandbyStatus state) {
  if (record.epoch != epoch || record.version != version) return false;
  record.standby = standby;
  record.standby_status = state;
  ++record.version;
  return true;
}

/// The standby takes over, at first alone. False: it is not in sync, or the version is outdated.
/// (R4)
template <const Rules& rules = all_rules>
bool promote(Record& record, WorkerId standby, std::uint64_t version) {
  const bool in_sync =
      record.standby_status == StandbyStatus::InSync || !rules.only_in_sync_promoted;
  if (record.version != version || record.standby != standby || !in_sync) return false;
  record.owner = standby;
  record.standby.reset();
  record.standby_status = StandbyStatus::None;
  ++record.epoch;
  ++record.version;
  return true;
}

/// Restores a region without owner and standby from the store, at `worker`. If both were wrongly
/// taken for dead, the region is set back to the last checkpoint, and nothing else breaks. False:
/// the version is outdated.
inline bool restore(Record& record, WorkerId worker, std::uint64_t version) {
  if (record.version != version) return false;
  record.owner = worker;
  record.standby.reset();
  record.standby_status = StandbyStatus::None;
  ++record.epoch;
  ++record.version;
  return true;
}

}  // namespace perigee::migration
