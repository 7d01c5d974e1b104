// Messages of the migration protocol, to and from the logs here.
#include <optional>
#include <utility>

#include "migration/migration_wire.hpp"
#include "migration/migrations.hpp"

namespace perigee::worker {

using migration::MessageKind;

namespace {

/// The step of the migration here when this message is sent. None: it is no step.
std::optional<MigrationStep> step_of(MessageKind sent) {
  switch (sent) {
    case MessageKind::Prepare:
      return MigrationStep::Offered;
    case MessageKind::Ready:
      return MigrationStep::Promised;
    case MessageKind::Final:
      return MigrationStep::Left;
    case MessageKind::Taken:
      return MigrationStep::Received;
    case MessageKind::Refused:
      return MigrationStep::Refused;
    case MessageKind::Ask:
      break;
  }
  return std::nullopt;
}

}  // namespace

void Migrations::tell(std::optional<MigrationStep> step, const Message& message,
                      HandleBlock with) const {
  if (!step || !needs_.outputs.on_migration) return;
  const auto peer = worker_of(with);
  if (peer) needs_.outputs.on_migration({*step, message.group, message.gver, *peer});
}

void Migrations::Log::replicate(migration::LogIndex, const Entry& entry) {
  owner.needs_.replication.log(region.id(), entry);
}

void Migrations::send(const Message& message) {
  if (hold_back(message)) return;
  const auto to = worker_of(message.to);
  if (!to) return;
  if (*to == needs_.cluster.self()) return to_ourselves_.push_back(message);
  tell(step_of(message.kind), message, message.to);
  std::vector<std::byte> bytes{static_cast<std::byte>(PeerKind::Migration)};
  const bool asks = message.kind == MessageKind::Prepare;
  const std::vector<std::byte> body = to_bytes(asks ? with_needs(message) : message);
  bytes.insert(bytes.end(), body.begin(), body.end());
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
  receive_incoming();
}

void Migrations::deliver(const Message& message) {
  const migration::GroupId group = message.group;
  Log& log = *logs_.at(message.to);
  Region& region = log.region;
  Message noted = message;
  noted.state = nullptr;  // the world has it; the log does not need it
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
    wanted = in_time && receive(group, *message.state, Subscribers::Stand);
    if (wanted) {
      needs_.counts.add(metric.groups_in);
      needs_.replication.came(group, message.state);
    }
  }
  const State* given = region.final_of(group);
  const State state = given != nullptr ? *given : nullptr;
  region.on_message(noted, wanted, log);
  if (message.kind == MessageKind::Taken) tell(MigrationStep::Settled, message, message.from);
  if (message.kind == MessageKind::Refused) tell(MigrationStep::Refused, message, message.from);
  if (message.kind == MessageKind::Ready && region.leaving(group)) {
    due_[group] = region.ledger().groups.at(group).effect;
  }
  const bool answer = message.kind == MessageKind::Refused || message.kind == MessageKind::Taken;
  if (!answer || region.final_of(group) != nullptr) return;
  const bool back = message.kind == MessageKind::Refused && region.owns(group);
  const bool as_it_left = back && state != nullptr;
  needs_.settled(region.id(), group, back && !as_it_left);
  if (!as_it_left) return;
  // If the destination has no successor, clients remove everything that it had replicated to them,
  // so the subscriptions are void.
  come_back(group, state, worker_of(message.from) ? Subscribers::Stand : Subscribers::Void);
  needs_.counts.add(metric.groups_back);
}

// An ended incarnation without a successor cannot answer. Groups that it had received ended with
// it, unless it had sent them on to a worker that replicates them.
void Migrations::settle_with_ended() {
  std::vector<Message> answers;
  for (const auto& [incarnation, log] : logs_) {
    log->region.for_each_leaving(
        [&, to = incarnation, epoch = log->region.epoch()](auto root, auto& group) {
          if (worker_of(group.peer)) return;
          const bool known = needs_.ghosts.replicated(root);
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

}  // namespace perigee::worker
