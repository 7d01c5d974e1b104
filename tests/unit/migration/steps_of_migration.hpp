/// Migrations, as `sim/worker/src/migration/migrations.cpp` and `migration_queue.cpp` drive them.
/// Included by steps.hpp.
#pragma once

#include "steps.hpp"

namespace perigee::migration::checker {

template <const Rules& rules>
template <class Action>
Cluster<rules> Steps<rules>::acts(const World& from, std::size_t index, Action&& action) {
  World next = from;
  Owner<rules>& owner = next.owners[index].edit();
  Hands<rules> hands(next, owner);
  action(next, owner, hands);
  owner.region.poll(hands);
  note_simulation(next, owner);
  return next;
}

template <const Rules& rules>
void Steps<rules>::note_simulation(World& world, const Owner<rules>& owner) {
  if (!owner.region.owns(the_group)) return;
  const Group& group = owner.region.ledger().groups.at(the_group);
  // While the group leaves, it is simulated as before, and so it is if it stays after all.
  if (group.place != Place::Here) return;
  const auto [place, is_new] = world.simulated.emplace(group.gver, owner.region.id());
  if (!is_new && place->second != owner.region.id()) world.wrong = "two regions played one version";
}

// Attempts are numbered by ticks: each begins with a number that is larger than all before.
template <const Rules& rules>
bool Steps<rules>::wishes(const World& from, std::size_t index, const Found& found) {
  const auto& region = from.owners[index]->region;
  const int who = static_cast<int>(index);
  if (from.left.moves == 0 || !region.owns(the_group)) return true;
  const bool here = region.ledger().groups.at(the_group).place == Place::Here;
  for (std::uint32_t to = 0; to < regions && here && !region.moving(the_group); ++to) {
    if (to == region.id().number || from.records[to].ended) continue;
    World next = from;
    --next.left.moves;
    next.now += 3;
    next = acts(next, index, [&](World& world, auto& own, auto& fx) {
      own.region.admit(the_group, world.now, fx);
      own.region.move(the_group, LogId{to}, Tick{}, fx);
    });
    if (!found({Nature::Wish, "wants to move", who, static_cast<int>(to)}, std::move(next))) {
      return false;
    }
  }
  if (!region.moving(the_group)) return true;
  World next = acts(from, index, [&](World&, auto& own, auto&) { own.region.give_up(the_group); });
  return found({Nature::Wish, "gives up its attempt", who}, std::move(next));
}

template <const Rules& rules>
bool Steps<rules>::leaves(const World& from, std::size_t index, const Found& found) {
  const int who = static_cast<int>(index);
  if (!from.owners[index]->region.leaving(the_group)) return true;
  World next = acts(from, index, [&](World&, auto& own, auto& fx) {
    const Traits::State state = own.region.ledger().groups.at(the_group).gver;
    fx.replicate(Item{.left = state});
    own.region.arrived_at_border(the_group, state, fx);
  });
  if (!found({Nature::Progress, "arrives at the border", who}, std::move(next))) return false;
  next = acts(from, index, [&](World&, auto& own, auto& fx) { own.region.stay(the_group, fx); });
  return found({Nature::Wish, "cannot leave", who}, std::move(next));
}

// The destination has ended, and cannot answer. Where the group is, ghosts say.
template <const Rules& rules>
bool Steps<rules>::settles_with_the_dead(const World& from, std::size_t index, const Found& found) {
  const auto& region = from.owners[index]->region;
  const auto known = region.ledger().groups.find(the_group);
  if (known == region.ledger().groups.end() || known->second.place != Place::Leaving) return true;
  const Group& group = known->second;
  if (!from.records[group.peer.number].ended) return true;
  const bool known_elsewhere =
      std::any_of(from.owners.begin(), from.owners.end(), [&](const auto& other) {
        return other->region.id() != region.id() && other->region.owns(the_group) &&
               other->region.epoch() == from.records[other->region.id().number].epoch;
      });
  const bool taken = known_elsewhere && from.left.around.asks_others_before_return;
  const Message<Traits> answer{.kind = taken ? MessageKind::Taken : MessageKind::Refused,
                               .from = group.peer,
                               .to = region.id(),
                               .epoch = region.epoch(),
                               .group = the_group,
                               .gver = group.gver};
  World next = acts(from, index,
                    [&](World&, auto& own, auto& fx) { own.region.on_message(answer, true, fx); });
  return found({Nature::Progress, "settles with the dead", static_cast<int>(index)},
               std::move(next));
}

template <const Rules& rules>
bool Steps<rules>::messages(const World& from, const Found& found) {
  for (const Message<Traits>& message : *from.sent) {
    for (std::size_t index = 0; index < from.owners.size(); ++index) {
      const auto& region = from.owners[index]->region;
      if (region.id() != message.to) continue;
      const auto arrives = [&](bool wanted) {
        return acts(from, index, [&](World&, auto& own, auto& fx) {
          own.region.on_message(message, wanted, fx);
        });
      };
      const int who = static_cast<int>(index);
      const int gver = static_cast<int>(message.gver);
      if (!found({Nature::Progress, name_of(message.kind), who, gver}, arrives(true))) return false;
      const bool asked = message.kind == MessageKind::Final && !region.answered(message);
      if (!asked || from.left.refusals == 0) continue;
      World next = arrives(false);
      --next.left.refusals;
      if (!found({Nature::Failure, "does not want a FINAL", who, gver}, std::move(next))) {
        return false;
      }
    }
  }
  return true;
}

template <const Rules& rules>
void Steps<rules>::each(const World& from, const Found& found) {
  for (std::size_t index = 0; index < from.owners.size(); ++index) {
    if (!leaves(from, index, found) || !wishes(from, index, found) ||
        !settles_with_the_dead(from, index, found) || !replicates(from, index, found) ||
        !reads_record(from, index, found)) {
      return;
    }
  }
  static_cast<void>(messages(from, found) && streams(from, found) && takes_over(from, found) &&
                    reports(from, found) && standbys(from, found) && deaths(from, found) &&
                    failures(from, found));
}

}  // namespace perigee::migration::checker
