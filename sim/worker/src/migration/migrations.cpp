#include "migration/migrations.hpp"

#include <algorithm>
#include <utility>

#include "migration/migration_wire.hpp"
#include "perigee/world/group.hpp"

namespace perigee::worker {

using migration::MessageKind;

void Migrations::Log::replicate(migration::LogIndex, const Entry& entry) {
  owner.needs_.replication.log(region.id(), entry);
}

Migrations::Migrations(Needs needs)
    : needs_(std::move(needs)),
      own_(*logs_.emplace(needs_.self, std::make_unique<Log>(*this, Region(needs_.self, Epoch{1})))
                .first->second),
      destinations_({.world = needs_.world,
                     .cluster = needs_.cluster,
                     .next = needs_.next,
                     .owner_of = [this](Handle ghost) { return needs_.ghosts.owner_of(ghost); },
                     .leaves_soon =
                         [this](Handle root) {
                           const auto at = due_.find(root);
                           return at != due_.end() &&
                                  not_after(at->second, needs_.next + ahead_ticks);
                         }}),
      queue_({.world = needs_.world,
              .destinations = destinations_,
              .next = needs_.next,
              .is_offered =
                  [this](Handle root) {
                    const auto offered = offered_.find(root);
                    return offered != offered_.end() && not_after(needs_.next, offered->second);
                  },
              .rests = [this](Handle root) { return moved_.contains(root); },
              .is_too_large = [this](const auto& group) { return is_too_large(group); },
              .offer = [this](Handle root, WorkerSlot to) { return offer(root, to); }}),
      departed_({.cluster = needs_.cluster,
                 .fabric = needs_.fabric,
                 .next = needs_.next,
                 .in_doubt = [this](Handle root) { return in_doubt(root); }}),
      arrivals_({.players = needs_.players,
                 .cluster = needs_.cluster,
                 .fabric = needs_.fabric,
                 .next = needs_.next}) {}

/// A successor answers for the incarnations that it has taken over.
std::optional<WorkerSlot> Migrations::worker_of(HandleBlock incarnation) const {
  for (const WorkerEntry& worker : needs_.cluster.map().workers) {
    if (worker.alive && worker.block() == incarnation) return worker.slot;
  }
  const FailoverRecord* failover_record = needs_.cluster.failover_record_of(incarnation);
  return failover_record != nullptr ? std::optional(failover_record->successor) : std::nullopt;
}

Epoch Migrations::epoch_of(HandleBlock incarnation) const {
  const FailoverRecord* failover_record = needs_.cluster.failover_record_of(incarnation);
  return failover_record != nullptr ? failover_record->epoch : Epoch{1};
}

std::optional<HandleBlock> Migrations::block_of(WorkerSlot slot) const {
  const WorkerEntry* worker = needs_.cluster.map().worker(slot);
  if (worker == nullptr || !worker->alive) return std::nullopt;
  return worker->block();
}

// The group may have come and left as part of others. Attempts are numbered by ticks, so numbers
// grow whichever worker made the last attempt.
bool Migrations::offer(migration::GroupId root, WorkerSlot to) {
  const auto incarnation = block_of(to);
  if (!needs_.replication.may_move()) return false;
  if (!incarnation || !needs_.ghosts.tells_all_to(to) || own_.region.leaving(root)) return false;
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

void Migrations::each_log(
    const std::function<void(Region&, migration::Effects<MigrationTraits>&)>& call) {
  for (auto& [incarnation, log] : logs_) call(log->region, *log);
}

void Migrations::take_over(HandleBlock incarnation, TakenOverLog taken_over) {
  auto& [epoch, ledger, finals, taken] = taken_over;
  for (const auto& [root, state] : finals) expect_back(root, ledger.groups[root].peer, *state);
  logs_.emplace(incarnation,
                std::make_unique<Log>(
                    *this, Region(incarnation, epoch, std::move(ledger), std::move(finals))));
  for (const auto& [root, state] : taken) come_back(root, state);
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

void Migrations::on_map() {
  queue_.on_map();
  settle_with_the_dead();
  departed_.on_map();
}

// An ended incarnation without a successor cannot answer. Groups that it had received ended with
// it, unless it had sent them on to a worker that replicates them.
void Migrations::settle_with_the_dead() {
  std::vector<Message> answers;
  for (const auto& [incarnation, log] : logs_) {
    log->region.for_each_leaving(
        [&, to = incarnation, epoch = log->region.epoch()](auto root, auto& group) {
          if (worker_of(group.peer)) return;
          const bool known = needs_.ghosts.tells_of(root);
          answers.push_back({.kind = known ? MessageKind::Taken : MessageKind::Refused,
                             .from = group.peer,
                             .to = to,
                             .epoch = epoch,
                             .group = root,
                             .gver = group.gver});
        });
  }
  for (const Message& answer : answers) deliver(answer);
}

void Migrations::after_tick() {
  send_what_was_held_back();
  let_back_those_who_wait();
  let_go_at_border();
  take_what_has_come();
  deliver_to_ourselves();
  const Tick now = needs_.next;
  queue_.keep_times();
  if (needs_.ghosts.tells_anybody()) {
    queue_.find();
    if (queue_.size() > 0 && may_more_leave()) queue_.offer_some();
  }
  if (now.count % say_again_ticks == 0) {
    each_log([](Region& log, auto& effects) { log.poll(effects); });
  }
  arrivals_.after_tick();
  departed_.after_tick();
  std::erase_if(moved_,
                [&](const auto& moved) { return ticks_between(moved.second, now) > rest_ticks; });
  std::erase_if(offered_, [&](const auto& offered) { return before(offered.second, now); });
  std::erase_if(promised_, [&](const auto& each) { return before(each.second.until, now); });
}

// Carriers leave before the entities that stand on them.
void Migrations::let_go_at_border() {
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
  if (!to || *to == needs_.cluster.self() || !needs_.transfer.can_give(root, to) || !in_time ||
      !may_more_leave() || is_too_large(needs_.world.group_of(root))) {
    return own_.region.stay(root, own_);
  }
  GroupTransfer::Given given = needs_.transfer.give_to(*to, root);
  auto bytes = std::make_shared<const std::vector<std::byte>>(std::move(given.bytes));
  if (bytes->size() > needs_.settings.group_bytes_max) {
    needs_.counts.add(metric.groups_too_large);
    come_back(root, bytes);
    return own_.region.stay(root, own_);
  }
  for (std::size_t i = 0; i < given.crew.size(); ++i) {
    departed_.add(given.crew[i], given.clients[i], *needs_.cluster.map().worker(*to), root);
  }
  needs_.counts.add(metric.groups_out);
  if (needs_.mailbox.appended() > needs_.mailbox.durable()) {
    held_until_[root] = needs_.mailbox.appended();
  }
  needs_.replication.left(needs_.self, root, bytes);  // before another worker can have it
  own_.region.arrived_at_border(root, bytes, own_);
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

void Migrations::send_what_was_held_back() {
  for (const Message& message : std::exchange(held_, {})) send(message);
}

void Migrations::send(const Message& message) {
  if (hold_back(message)) return;
  const auto to = worker_of(message.to);
  if (!to) return;
  if (*to == needs_.cluster.self()) return to_ourselves_.push_back(message);
  std::vector<std::byte> bytes{static_cast<std::byte>(PeerKind::Migration)};
  const bool asks = message.kind == MessageKind::Prepare;
  const std::vector<std::byte> said = to_bytes(asks ? with_needs(message) : message);
  bytes.insert(bytes.end(), said.begin(), said.end());
  needs_.outputs.to_peer(*to, bytes);
}

// Each answer settles something, so the loop ends.
void Migrations::deliver_to_ourselves() {
  while (!to_ourselves_.empty()) {
    for (const Message& message : std::exchange(to_ourselves_, {})) {
      if (logs_.contains(message.to)) deliver(message);
    }
  }
}

void Migrations::on_peer(WorkerSlot from, std::span<const std::byte> bytes) {
  const auto message = message_from_bytes(bytes);
  if (!message) return needs_.counts.add(metric.drop_malformed);
  const bool known = from != needs_.cluster.self() && worker_of(message->from) == from &&
                     message->epoch == epoch_of(message->from) && logs_.contains(message->to);
  if (!known) return needs_.counts.add(metric.drop_unknown_sender);
  if (message->kind != MessageKind::Final) return deliver(*message);
  waiting_.push_back(*message);
  take_what_has_come();
}

// A FINAL for a coming tick waits for it; one that is too late is refused.
void Migrations::take_what_has_come() {
  std::vector<Message> due;
  std::erase_if(waiting_, [&](const Message& message) {
    if (before(needs_.next, message.effect)) return false;
    due.push_back(message);
    return true;
  });
  for (const Message& message : due) deliver(message);
}

auto Migrations::with_needs(Message prepare) const -> Message {
  const world::Group group = needs_.world.group_of(prepare.group);
  const auto played = [&](Handle member) {
    return migration_rank(needs_.world, member) == MigrationRank::Actor &&
           needs_.players.find_avatar(member) != nullptr;
  };
  prepare.players =
      static_cast<std::uint16_t>(std::count_if(group.members.begin(), group.members.end(), played));
  prepare.things = static_cast<std::uint16_t>(group.members.size());
  return prepare;
}

// The group's surroundings must be known here first. Groups of ended incarnations are not accepted.
bool Migrations::wants_to_have(const Message& message) const {
  const auto from = worker_of(message.from);
  return message.to == needs_.self && from && needs_.replication.may_take() &&
         needs_.ghosts.knows_all_of(*from) && has_room_for(message);
}

// Checked before the group leaves: when it is refused only at its tick, its players stand still for
// that long.
bool Migrations::has_room_for(const Message& prepare) const {
  std::size_t players = needs_.players.size() + prepare.players;
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

void Migrations::deliver(const Message& message) {
  const migration::GroupId group = message.group;
  Log& log = *logs_.at(message.to);
  Region& region = log.region;
  Message said = message;
  said.state = nullptr;  // the world has it; the log does not need it
  bool wanted = true;
  if (message.kind == MessageKind::Prepare) {
    wanted = wants_to_have(message);
    const world::Entity* entity = needs_.world.find(group);
    const bool here = entity != nullptr && !entity->remote;
    const auto known = region.ledger().groups.find(group);
    const bool there = known != region.ledger().groups.end() && !here &&
                       known->second.place == migration::Place::Here;
    if (there) region.went_along(group, log);
    const Tick until = message.effect + world::World::catch_up_ticks;
    if (wanted) promised_[group] = {message.players, message.things, until};
  }
  if (message.kind == MessageKind::Final) promised_.erase(group);
  if (message.kind == MessageKind::Ready && not_after(message.effect, needs_.next)) {
    return region.give_up(group);  // too late: another tick will be offered
  }
  if (message.kind == MessageKind::Final && !region.answered(message)) {
    const bool in_time = ticks_between(message.effect, needs_.next) <= world::World::catch_up_ticks;
    wanted = in_time && take(group, *message.state, Subscribers::Stand);
    if (wanted) {
      needs_.counts.add(metric.groups_in);
      needs_.replication.came(group, message.state);
    }
  }
  const State* given = region.final_of(group);
  const State state = given != nullptr ? *given : nullptr;
  region.on_message(said, wanted, log);
  if (message.kind == MessageKind::Ready && region.leaving(group)) {
    due_[group] = region.ledger().groups.at(group).effect;
  }
  const bool answer = message.kind == MessageKind::Refused || message.kind == MessageKind::Taken;
  if (!answer || region.final_of(group) != nullptr) return;
  const bool back = message.kind == MessageKind::Refused && region.owns(group);
  const bool as_it_left = back && state != nullptr;
  needs_.settled(region.id(), group, back && !as_it_left);
  if (!as_it_left) return;
  // Without a successor, clients remove everything that the destination had replicated to them, so
  // the subscriptions are void.
  come_back(group, state, worker_of(message.from) ? Subscribers::Stand : Subscribers::Void);
  needs_.counts.add(metric.groups_back);
}

// Restores the group in its sent state. If its tick has not come here yet, or if its room has been
// taken meanwhile, it waits.
void Migrations::come_back(migration::GroupId root, const State& state, Subscribers subscribers) {
  if (ours(root) || take(root, *state, subscribers)) return;
  needs_.counts.add(metric.groups_without_room);
  const auto arrival = needs_.transfer.read(*state);
  const std::size_t players = arrival ? arrival->players.size() : 0;
  returning_.push_back(
      {root, state, needs_.next, static_cast<std::uint32_t>(players), subscribers});
  expect_back(root, needs_.self, *state);
}

bool Migrations::ours(migration::GroupId root) const {
  const world::Entity* entity = needs_.world.find(root);
  return entity != nullptr && !entity->remote;
}

void Migrations::let_back_those_who_wait() {
  std::erase_if(returning_, [&](const Returning& group) {
    return ours(group.root) || take(group.root, *group.state, group.subscribers);
  });
}

bool Migrations::take(migration::GroupId root, std::span<const std::byte> bytes,
                      Subscribers subscribers) {
  const auto crew = needs_.transfer.take(bytes, subscribers);
  if (!crew) return false;
  moved_[root] = needs_.next;
  for (const SessionId session : *crew) {
    arrivals_.add(session, needs_.players.find(session)->avatar);
    if (const auto leave = departed_.take_back(session)) needs_.on_leave(*leave);
  }
  arrivals_.send();
  return true;
}

}  // namespace perigee::worker
