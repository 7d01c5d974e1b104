/// What the owner of a region and its standby know about groups that come and leave: a fold over
/// the region's replicated log. Equal entries give equal ledgers.
///
/// `Traits` gives `State` (everything that moves with a group; in a worker, bytes) and
/// `refusals_max` (the number of refusals remembered per group).
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "perigee/base/ids.hpp"
#include "perigee/base/tick.hpp"

namespace perigee::migration {

/// A group is a parent-child closure with its players, joints and contact island; named by the
/// handle of its root.
using GroupId = std::uint32_t;
/// A log is named by the handle block of the incarnation that began it. Each later owner of the log
/// has a larger epoch.
using LogId = HandleBlock;
/// Numbers the attempts to move a group; never reused. (R7)
using Gver = std::uint32_t;
/// Numbers the entries of a log, from 1.
using LogIndex = std::uint64_t;

/// The values are those of the wire, which has no others.
enum class EntryKind : std::uint8_t {
  Out = 0,     ///< the group leaves for `peer` at `effect`, as attempt `gver`
  Take = 1,    ///< received from `peer` as attempt `gver`
  Gone = 2,    ///< `peer` has received attempt `gver`
  Refuse = 3,  ///< attempt `gver` of `peer` will never be accepted here
  Resume = 4,  ///< `peer` refused: the group continues here, as `gver`
  Admit = 9    ///< the group is here, also if the log said otherwise, as `gver`
};

struct Entry {
  EntryKind kind{};
  GroupId group = 0;
  Gver gver = 0;
  LogId peer;
  Tick effect;
};

enum class Place : std::uint8_t {
  Elsewhere,  ///< never here, or received by `peer`
  Here,
  Leaving  ///< OUT is logged, and not answered
};

/// An answer to an attempt, and the log entry that makes it binding.
struct Answer {
  Gver gver = 0;
  LogIndex index = 0;
};

/// One group, according to the log.
struct Group {
  Place place = Place::Elsewhere;
  /// Here: its present number; else: the number of the attempt with which it left.
  Gver gver = 0;
  LogId peer;          ///< Leaving, Elsewhere: the destination; Here: the origin
  Tick effect;         ///< Leaving: its first tick at the destination
  LogIndex index = 0;  ///< the log entry that set `place`
  /// The largest attempt from elsewhere that was accepted here, and the refused ones.
  Answer taken;
  std::vector<Answer> refused;  ///< the newest refusals_max
  /// Older refusals: attempts up to this one are never accepted. No peer asks about them, because a
  /// peer makes the next attempt, and logs OUT durably, only after the one before was answered.
  Gver closed = 0;
};

template <class Traits>
struct Ledger {
  std::map<GroupId, Group> groups;  ///< all that ever came or left (decision 0041)
  std::set<GroupId> open;           ///< the groups that are leaving
  LogIndex entries = 0;

  void apply(const Entry& entry);
  /// Copies a group from another ledger.
  void put(GroupId id, Group group) { note(id, groups[id] = std::move(group)); }

 private:
  void note(GroupId id, const Group& group) {
    if (group.place == Place::Leaving) {
      open.insert(id);
    } else {
      open.erase(id);
    }
  }
  static void refuse(Group& group, const Answer& answer) {
    if (group.refused.size() < Traits::refusals_max) return group.refused.push_back(answer);
    const auto oldest =
        std::min_element(group.refused.begin(), group.refused.end(),
                         [](const Answer& a, const Answer& b) { return a.gver < b.gver; });
    group.closed = std::max(group.closed, std::min(oldest->gver, answer.gver));
    if (answer.gver < oldest->gver) return;
    group.refused.erase(oldest);
    group.refused.push_back(answer);
  }
};

template <class Traits>
void Ledger<Traits>::apply(const Entry& entry) {
  ++entries;
  Group& group = groups[entry.group];
  const auto moves = [&](Place place) {
    group.place = place;
    group.gver = entry.gver;
    group.peer = entry.peer;
    group.effect = entry.effect;
    group.index = entries;
  };
  switch (entry.kind) {
    case EntryKind::Out:
      moves(Place::Leaving);
      break;
    case EntryKind::Take:
      moves(Place::Here);
      group.taken = {entry.gver, entries};
      break;
    case EntryKind::Gone:
      moves(Place::Elsewhere);
      break;
    case EntryKind::Refuse:
      refuse(group, {entry.gver, entries});
      break;
    case EntryKind::Resume:
    case EntryKind::Admit:
      moves(Place::Here);
      break;
  }
  note(entry.group, group);
}

}  // namespace perigee::migration
