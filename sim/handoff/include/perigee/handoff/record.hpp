/// The directory's record of one region, and all changes that it may undergo. Each is a
/// compare-and-swap on the record's version: a caller with another version has not seen the newest
/// one.
#pragma once

#include <cstdint>
#include <optional>

#include "perigee/handoff/ledger.hpp"
#include "perigee/handoff/rules.hpp"

namespace perigee::handoff {

using WorkerId = std::uint8_t;

enum class BuddyState : std::uint8_t {
  None,     ///< the owner acts alone
  Copying,  ///< the standby is being filled; the owner acts alone
  InSync    ///< everything that the owner treats as durable is at the standby
};

struct Record {
  RegionId region = 0;
  Epoch epoch = 1;
  WorkerId owner = 0;
  std::optional<WorkerId> buddy;
  BuddyState buddy_state = BuddyState::None;
  std::uint64_t version = 1;
  friend bool operator==(const Record&, const Record&) = default;
};

/// The owner of `epoch` sets the state of its standby. False: the epoch or the version is outdated.
inline bool set_buddy(Record& record, Epoch epoch, std::uint64_t version,
                      std::optional<WorkerId> buddy, BuddyState state) {
  if (record.epoch != epoch || record.version != version) return false;
  record.buddy = buddy;
  record.buddy_state = state;
  ++record.version;
  return true;
}

/// The standby takes over, at first alone. False: it is not in sync, or the version is outdated.
/// (R4)
template <const Rules& rules = all_rules>
bool promote(Record& record, WorkerId buddy, std::uint64_t version) {
  const bool in_sync = record.buddy_state == BuddyState::InSync || !rules.only_in_sync_promoted;
  if (record.version != version || record.buddy != buddy || !in_sync) return false;
  record.owner = buddy;
  record.buddy.reset();
  record.buddy_state = BuddyState::None;
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
  record.buddy.reset();
  record.buddy_state = BuddyState::None;
  ++record.epoch;
  ++record.version;
  return true;
}

}  // namespace perigee::handoff
