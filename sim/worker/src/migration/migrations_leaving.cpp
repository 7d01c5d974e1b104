// Groups that leave: offers, and the tick at which they go.
#include <algorithm>
#include <utility>

#include "migration/migrations.hpp"
#include "perigee/world/group.hpp"

namespace perigee::worker {

using migration::MessageKind;

// The group may have come and left as part of other groups. Attempts are numbered by ticks, so the
// numbers grow, whichever worker made the last attempt.
bool Migrations::offer(migration::GroupId root, WorkerSlot to) {
  const auto incarnation = block_of(to);
  if (!needs_.replication.may_move()) return false;
  if (!incarnation || !needs_.ghosts.has_sent_all_to(to) || own_.region.leaving(root)) return false;
  // The receiver was not ready in time.
  if (own_.region.moving(root)) own_.region.give_up(root);
  own_.region.admit(root, needs_.next.count, own_);
  own_.region.move(root, *incarnation, needs_.next + ahead_ticks, own_);
  offered_[root] = needs_.next + ahead_ticks;
  return true;
}

/// No message can carry the group: it stays where it is, whichever region that is.
bool Migrations::is_too_large(const world::Group& group) const {
  const auto hinges = needs_.world.hinges_among(group.members);
  const bool large =
      group.members.size() > world::group_things_max || hinges > world::group_hinges_max;
  if (large) needs_.counts.add(metric.groups_too_large);
  return large;
}

// Carriers leave before the entities that stand on them.
void Migrations::release_at_border() {
  std::vector<std::pair<MigrationRank, migration::GroupId>> now_due;
  std::erase_if(due_, [&](const auto& due) {
    if (before(needs_.next, due.second)) return false;
    const bool here = needs_.world.find(due.first) != nullptr;
    now_due.emplace_back(here ? migration_rank(needs_.world, due.first) : MigrationRank::Fixture,
                         due.first);
    return true;
  });
  std::sort(now_due.begin(), now_due.end());
  for (const auto& [rank, root] : now_due) {
    if (own_.region.leaving(root)) let_go(root);
  }
}

void Migrations::let_go(migration::GroupId root) {
  const auto& group = own_.region.ledger().groups.at(root);
  const auto to = worker_of(group.peer);
  const bool in_time = group.effect == needs_.next;
  if (!to || *to == needs_.cluster.self() || !needs_.transfer.can_send(root, to) || !in_time ||
      !may_more_leave() || is_too_large(needs_.world.group_of(root))) {
    return own_.region.stay(root, own_);
  }
  GroupTransfer::SentGroup sent = needs_.transfer.send_to(*to, root);
  auto bytes = std::make_shared<const std::vector<std::byte>>(std::move(sent.bytes));
  if (bytes->size() > needs_.settings.group_bytes_max) {
    needs_.counts.add(metric.groups_too_large);
    come_back(root, bytes);
    return own_.region.stay(root, own_);
  }
  for (std::size_t i = 0; i < sent.crew.size(); ++i) {
    departed_.add(sent.crew[i], sent.clients[i], *needs_.cluster.map().worker(*to), root);
  }
  needs_.counts.add(metric.groups_out);
  if (needs_.mailbox.appended() > needs_.mailbox.durable()) {
    held_until_[root] = needs_.mailbox.appended();
  }
  needs_.replication.left(needs_.self, root, bytes);  // before another worker can have it
  own_.region.arrived_at_border(root, bytes, own_);
}

auto Migrations::with_needs(Message prepare) const -> Message {
  const world::Group group = needs_.world.group_of(prepare.group);
  const auto played = [&](Handle member) {
    if (migration_rank(needs_.world, member) != MigrationRank::Actor) return false;
    const Player* player = needs_.players.find_avatar(member);
    return player != nullptr && !player->npc();
  };
  prepare.players =
      static_cast<std::uint16_t>(std::count_if(group.members.begin(), group.members.end(), played));
  prepare.things = static_cast<std::uint16_t>(group.members.size());
  return prepare;
}

/// Messages that a group has sent and read must be durable here before the group leaves.
bool Migrations::hold_back(const Message& message) {
  if (message.kind != MessageKind::Final) return false;
  const auto until = held_until_.find(message.group);
  if (until == held_until_.end()) return false;
  if (needs_.mailbox.durable() >= until->second) {
    held_until_.erase(until);
    return false;
  }
  const bool known = std::any_of(held_.begin(), held_.end(), [&](const Message& held) {
    return held.group == message.group && held.gver == message.gver;
  });
  if (!known) held_.push_back(message);
  return true;
}

void Migrations::send_held_back() {
  for (const Message& message : std::exchange(held_, {})) send(message);
}

}  // namespace perigee::worker
