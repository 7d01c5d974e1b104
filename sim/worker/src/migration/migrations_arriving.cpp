// Groups that arrive, or that come back because their destination refused them.
#include "migration/migrations.hpp"

namespace perigee::worker {

// A FINAL for a coming tick waits for that tick. One that is too late is refused.
void Migrations::receive_incoming() {
  std::vector<Message> due;
  std::erase_if(waiting_, [&](const Message& message) {
    if (before(needs_.next, message.effect)) return false;
    due.push_back(message);
    return true;
  });
  for (const Message& message : due) deliver(message);
}

// The group's surroundings must be known here first. Groups of ended incarnations are not accepted.
bool Migrations::wants_to_have(const Message& message) const {
  const auto from = worker_of(message.from);
  return message.to == needs_.self && from && needs_.replication.may_take() &&
         needs_.ghosts.knows_all_of(*from) && has_room_for(message);
}

// Checked before the group leaves: if a group is refused only at its tick, its players stand still
// until it has come back.
bool Migrations::has_room_for(const Message& prepare) const {
  std::size_t players = needs_.players.clients() + prepare.players;
  std::size_t things = needs_.world.size();
  const auto add_things = [&](migration::GroupId root, std::size_t count) {
    if (needs_.world.find(root) == nullptr) things += count;  // else it is here as a ghost
  };
  add_things(prepare.group, prepare.things);
  for (const auto& [root, promised] : promised_) {
    if (root == prepare.group) continue;
    players += promised.players;
    add_things(root, promised.things);
  }
  for (const Returning& group : returning_) players += group.players;
  return (prepare.players == 0 || players <= needs_.settings.players_max) &&
         things <= needs_.settings.entities_max;
}

bool Migrations::receive(migration::GroupId root, std::span<const std::byte> bytes,
                         Subscribers subscribers) {
  const auto crew = needs_.transfer.receive(bytes, subscribers);
  if (!crew) return false;
  moved_[root] = needs_.next;
  for (const SessionId session : *crew) {
    arrivals_.add(session, needs_.players.find(session)->avatar);
    if (const auto leave = departed_.take_back(session)) needs_.on_leave(*leave);
  }
  arrivals_.send();
  return true;
}

// Restores the group in its sent state. If its tick has not come here yet, or if its room has been
// taken meanwhile, it waits.
void Migrations::come_back(migration::GroupId root, const State& state, Subscribers subscribers) {
  if (ours(root) || receive(root, *state, subscribers)) return;
  needs_.counts.add(metric.groups_without_room);
  const auto arrival = needs_.transfer.read(*state);
  const std::size_t players = arrival ? clients_among(arrival->players) : 0;
  returning_.push_back(
      {root, state, needs_.next, static_cast<std::uint32_t>(players), subscribers});
  expect_back(root, needs_.self, *state);
}

/// Remembers the players of a group that may come back, for workers that ask for them.
void Migrations::expect_back(migration::GroupId root, HandleBlock to,
                             std::span<const std::byte> final) {
  const auto arrival = needs_.transfer.read(final);
  const WorkerEntry* worker =
      needs_.cluster.map().worker(worker_of(to).value_or(needs_.cluster.self()));
  if (!arrival || worker == nullptr) return;
  for (const auto& player : arrival->players) {
    departed_.add(player->session, player->client_id, *worker, root);
  }
}

void Migrations::receive_returning() {
  std::erase_if(returning_, [&](const Returning& group) {
    return ours(group.root) || receive(group.root, *group.state, group.subscribers);
  });
}

bool Migrations::ours(migration::GroupId root) const {
  const world::Entity* entity = needs_.world.find(root);
  return entity != nullptr && !entity->remote;
}

}  // namespace perigee::worker
