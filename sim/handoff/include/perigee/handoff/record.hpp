/// The directory's record of one region, and the only changes that there are. Each is a
/// compare-and-swap on the record's version: who names another one has not seen the newest word.
#pragma once

#include <cstdint>
#include <optional>

#include "perigee/handoff/ledger.hpp"
#include "perigee/handoff/rules.hpp"

namespace perigee::handoff {

using WorkerId = std::uint8_t;

enum class BuddyState : std::uint8_t {
  None,     ///< the owner acts alone
  Copying,  ///< the buddy is being filled; the owner acts alone
  InSync    ///< what the owner says is durable, the buddy has
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

/// The owner of `epoch` says what its buddy is. False: not its record any more, or not the newest.
inline bool set_buddy(Record& record, Epoch epoch, std::uint64_t version,
                      std::optional<WorkerId> buddy, BuddyState state) {
  if (record.epoch != epoch || record.version != version) return false;
  record.buddy = buddy;
  record.buddy_state = state;
  ++record.version;
  return true;
}

/// The buddy takes over, alone at first. False: it is not in sync, or somebody was quicker. (R4)
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

/// A region that has lost its owner and its buddy begins anew from the store, at `worker`. Whoever
/// wrongly took them for dead has set the region back, and broken nothing else. False: somebody was
/// quicker.
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
