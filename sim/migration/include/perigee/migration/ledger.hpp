/// The knowledge of a region's owner and its standby about groups that come and leave: a fold over
/// the region's replicated log. Equal entries give equal ledgers.
///
/// `Traits` gives `State` (everything that moves with a group; in a worker, bytes), `Outcome` (a
/// decision about the group that must reach the journal; with `id` and ==), `refusals_max` (the
/// number of refusals remembered per group), and `adopt(State&, Outcome)`.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "perigee/base/tick.hpp"

namespace perigee::migration {

/// A group is a parent-child closure with its players, joints and contact island; named by the
/// handle of its root.
using GroupId = std::uint32_t;
using RegionId = std::uint32_t;
/// Each owner of a region has a larger epoch than the one before.
using Epoch = std::uint32_t;
/// Numbers the attempts to move a group; never reused. (R7)
using Gver = std::uint32_t;
/// Numbers the entries of a log, from 1.
using LogIndex = std::uint64_t;

enum class EntryKind : std::uint8_t {
  Out,        ///< the group leaves for `peer` at `effect`, as attempt `gver`
  Take,       ///< received from `peer` as attempt `gver`, with `state`
  Gone,       ///< `peer` has received attempt `gver`
  Refuse,     ///< attempt `gver` of `peer` will never be accepted here
  Resume,     ///< `peer` refused: the group continues here, as `gver`
  Decide,     ///< `outcome` is decided
  Committed,  ///< the journal has `outcome`
  Floor,      ///< nothing older than `epoch` is accepted from `peer` any more
  Close,      ///< of a lost region: attempts up to `gver` have been answered, whichever way
  Restore     ///< of a lost region: the group continues here with `state`, as `gver`
};

template <class Traits>
struct Entry {
  EntryKind kind{};
  GroupId group = 0;
  Gver gver = 0;
  RegionId peer = 0;
  Epoch epoch = 0;
  Tick effect;
  typename Traits::State state{};
  /// Decide, Committed: one; Take, Resume: those that came along.
  std::vector<typename Traits::Outcome> outcomes;
};

enum class Place : std::uint8_t {
  Elsewhere,  ///< never here, or received by `peer`
  Here,
  Leaving  ///< OUT is logged, and not answered
};

/// An answer to an attempt, and the log entry that makes it binding.
struct Said {
  Gver gver = 0;
  LogIndex index = 0;
};

/// The state of one group.
template <class Traits>
struct Group {
  Place place = Place::Elsewhere;
  /// Here: its present number; else: the number of the attempt with which it left.
  Gver gver = 0;
  RegionId peer = 0;   ///< Leaving, Elsewhere: the destination; Here: the origin
  Tick effect;         ///< Leaving: its first tick at the destination
  LogIndex index = 0;  ///< the log entry that set `place`
  /// The largest attempt from elsewhere that was accepted here, and the refused ones.
  Said taken;
  std::vector<Said> refused;  ///< the newest refusals_max
  /// Older refusals: attempts up to this one are never accepted. No peer asks about them, because
  /// an attempt is made, and OUT logged durably, only after the one before was answered.
  Gver closed = 0;
  typename Traits::State state{};
  std::vector<typename Traits::Outcome> pending;  ///< decided, and not confirmed by the journal
};

template <class Traits>
struct Ledger {
  std::map<GroupId, Group<Traits>> groups;  ///< all that ever came or left (decision 0041)
  /// The groups with unfinished business: they are leaving, or have outcomes that the journal has
  /// not confirmed.
  std::set<GroupId> open;
  std::map<RegionId, Epoch> floors;
  /// Of a restored region: outcomes journalled by its former owners, for groups that come back.
  std::map<GroupId, std::vector<typename Traits::Outcome>> journalled;
  LogIndex entries = 0;

  void apply(const Entry<Traits>& entry);
  /// Copies a group from another ledger.
  void put(GroupId id, Group<Traits> group) { note(id, groups[id] = std::move(group)); }

 private:
  void note(GroupId id, const Group<Traits>& group) {
    if (group.place == Place::Leaving || !group.pending.empty()) {
      open.insert(id);
    } else {
      open.erase(id);
    }
  }
  static void refuse(Group<Traits>& group, const Said& said) {
    if (group.refused.size() < Traits::refusals_max) return group.refused.push_back(said);
    const auto oldest =
        std::min_element(group.refused.begin(), group.refused.end(),
                         [](const Said& a, const Said& b) { return a.gver < b.gver; });
    group.closed = std::max(group.closed, std::min(oldest->gver, said.gver));
    if (said.gver < oldest->gver) return;
    group.refused.erase(oldest);
    group.refused.push_back(said);
  }
  static void adopt(Group<Traits>& group, const std::vector<typename Traits::Outcome>& outcomes) {
    for (const auto& outcome : outcomes) Traits::adopt(group.state, outcome);
  }
};

template <class Traits>
void Ledger<Traits>::apply(const Entry<Traits>& entry) {
  ++entries;
  if (entry.kind == EntryKind::Floor) {
    Epoch& floor = floors[entry.peer];
    floor = std::max(floor, entry.epoch);
    return;
  }
  Group<Traits>& group = groups[entry.group];
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
      group.state = entry.state;
      group.pending = entry.outcomes;
      break;
    case EntryKind::Gone:
      moves(Place::Elsewhere);
      group.state = {};  // the receiver has a newer state
      break;
    case EntryKind::Refuse:
      refuse(group, {entry.gver, entries});
      break;
    case EntryKind::Resume:
      moves(Place::Here);
      adopt(group, entry.outcomes);
      break;
    case EntryKind::Decide:
      adopt(group, entry.outcomes);
      group.pending.insert(group.pending.end(), entry.outcomes.begin(), entry.outcomes.end());
      break;
    case EntryKind::Committed:
      for (const auto& outcome : entry.outcomes) std::erase(group.pending, outcome);
      break;
    case EntryKind::Close:
      group.taken = {entry.gver, entries};
      break;
    case EntryKind::Restore:
      moves(Place::Here);
      group.state = entry.state;
      adopt(group, entry.outcomes);
      group.pending = entry.outcomes;
      break;
    case EntryKind::Floor:
      break;
  }
  note(entry.group, group);
}

}  // namespace perigee::migration
