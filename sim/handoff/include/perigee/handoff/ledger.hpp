/// What a region's owner and its buddy know of the groups that come and go: a fold over the
/// region's replicated log. Who has the same entries has the same ledger.
///
/// `Traits` gives `State` (all that moves with a group: in a worker, bytes), `Outcome` (what was
/// decided about it and must reach the journal; with `id`, and ==), `adopt(State&, Outcome)`, and
/// `refusals_max`: how many of them are remembered of a group.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "perigee/netcode/tick.hpp"

namespace perigee::handoff {

/// Of a parent-child closure with its crew, joints and contact island: the root's handle.
using GroupId = std::uint32_t;
using RegionId = std::uint32_t;
/// Of a region's owners: each has a larger one than the owner before.
using Epoch = std::uint32_t;
/// Of a group: one more with each attempt to move it, never the same twice. (R7)
using Gver = std::uint32_t;
/// Of a log's entries: 1 is the first.
using LogIndex = std::uint64_t;

enum class EntryKind : std::uint8_t {
  Out,        ///< the group leaves for `peer` at `effect`, as attempt `gver`
  Take,       ///< it came from `peer` as attempt `gver`, with `state`
  Gone,       ///< `peer` has taken attempt `gver`
  Refuse,     ///< attempt `gver` of `peer` will never be taken here
  Resume,     ///< `peer` refused: it goes on here, as `gver`
  Decide,     ///< `outcome` is decided
  Committed,  ///< the journal has `outcome`
  Floor,      ///< nothing is taken from `peer` any more that is older than `epoch`
  Close,      ///< of a lost region: attempts up to `gver` have been answered, whatever was said
  Restore     ///< of a lost region: the group goes on here with `state`, as `gver`
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
  std::vector<typename Traits::Outcome> outcomes;  ///< Decide, Committed: one; Take, Resume: along
};

enum class Place : std::uint8_t {
  Elsewhere,  ///< never here, or taken by `peer`
  Here,
  Leaving  ///< OUT, without an answer
};

/// An answer to an attempt, and the entry that makes it binding.
struct Said {
  Gver gver = 0;
  LogIndex index = 0;
};

/// What is known of one group.
template <class Traits>
struct Group {
  Place place = Place::Elsewhere;
  Gver gver = 0;       ///< Here: as which it is; else: as which it left
  RegionId peer = 0;   ///< Leaving, Elsewhere: for where; Here: where it came from
  Tick effect;         ///< Leaving: its first tick there
  LogIndex index = 0;  ///< of the entry that says so
  /// The largest attempt from elsewhere that was taken here; and those that never will be.
  Said taken;
  std::vector<Said> refused;  ///< the newest refusals_max
  /// What was refused before those: attempts up to this one are never taken, and nobody asks about
  /// them. For an attempt is made, and durably left as, only after the one before had its answer.
  Gver closed = 0;
  typename Traits::State state{};
  std::vector<typename Traits::Outcome> pending;  ///< decided; the journal has not confirmed them
};

template <class Traits>
struct Ledger {
  std::map<GroupId, Group<Traits>> groups;  ///< all that ever came or went (decision 0041)
  /// Those of them about which something is still to be said: they leave, or the journal has not
  /// confirmed all that was decided about them.
  std::set<GroupId> open;
  std::map<RegionId, Epoch> floors;
  /// Of a restored region: what its former owners have journalled, for groups that come back.
  std::map<GroupId, std::vector<typename Traits::Outcome>> journalled;
  LogIndex entries = 0;

  void apply(const Entry<Traits>& entry);
  /// As another ledger has it.
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
      group.state = {};  // who has it has that, and more
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

}  // namespace perigee::handoff
