#include "handoffs.hpp"

#include <algorithm>
#include <utility>

#include "ghosts.hpp"
#include "handoff_wire.hpp"
#include "perigee/world/group.hpp"

namespace perigee::worker {

using handoff::MessageKind;

std::optional<WorkerSlot> Core::Handoffs::worker_of(Life life) const {
  for (const WorkerEntry& worker : core_.map_.workers) {
    if (worker.alive && worker.handle_base / worker.handle_count == life) return worker.slot;
  }
  return std::nullopt;
}

auto Core::Handoffs::life_of(WorkerSlot slot) const -> std::optional<Life> {
  const WorkerEntry* worker = core_.map_.worker(slot);
  if (worker == nullptr || !worker->alive) return std::nullopt;
  return worker->handle_base / worker->handle_count;
}

void Core::Handoffs::on_map() {
  look_at_all_until_ = core_.next_ + look_ticks;
  settle_with_the_dead();
  forget_gone_with_their_worker();
}

// Nobody will answer for a life that has ended. What it had taken ended with it, unless it had
// given that to somebody else, who tells of it.
void Core::Handoffs::settle_with_the_dead() {
  std::vector<Message> answers;
  for (const auto& [root, group] : log_.ledger().groups) {
    if (group.place != handoff::Place::Leaving || worker_of(group.peer)) continue;
    const bool lives = core_.ghosts_->tells_of(root);
    answers.push_back({.kind = lives ? MessageKind::Taken : MessageKind::Refused,
                       .from = group.peer,
                       .to = log_.id(),
                       .epoch = log_.epoch(),
                       .group = root,
                       .gver = group.gver});
  }
  for (const Message& answer : answers) deliver(answer);
}

void Core::Handoffs::after_tick() {
  let_go_at_border();
  take_what_has_come();
  const Tick now = core_.next_;
  if (core_.ghosts_->tells_anybody()) {
    look_for_strays();
    offer_some();
  }
  if (now.count % say_again_ticks == 0) log_.poll(*this);
  greet_newcomers();
  look_after_the_gone();
  std::erase_if(moved_,
                [&](const auto& moved) { return ticks_between(moved.second, now) > rest_ticks; });
  std::erase_if(offered_, [&](const auto& offered) { return before(offered.second, now); });
}

// What is stood on goes before who stands on it.
void Core::Handoffs::let_go_at_border() {
  std::vector<std::pair<int, handoff::GroupId>> now_due;
  std::erase_if(due_, [&](const auto& due) {
    if (before(core_.next_, due.second)) return false;
    const bool here = core_.world_->find(due.first) != nullptr;
    now_due.emplace_back(here ? rank_of(due.first) : 0, due.first);
    return true;
  });
  std::sort(now_due.begin(), now_due.end());
  for (const auto& [rank, root] : now_due) {
    if (log_.leaving(root)) let_go(root);
  }
}

void Core::Handoffs::let_go(handoff::GroupId root) {
  const auto& group = log_.ledger().groups.at(root);
  const auto to = worker_of(group.peer);
  if (!to || *to == core_.slot_ || !core_.can_give(root, to) || group.effect != core_.next_) {
    return log_.stay(root, *this);
  }
  Core::Given given = core_.give_to(*to, root);
  if (given.bytes.size() > core_.settings_.group_bytes_max) {
    core_.counts_.add(Count::GroupsTooLarge);
    take_back(root, given.bytes);
    return log_.stay(root, *this);
  }
  for (std::size_t i = 0; i < given.crew.size(); ++i) {
    gone_[given.crew[i]] = {.to = *to,
                            .life = core_.map_.worker(*to)->life,
                            .client_id = given.clients[i],
                            .with = root,
                            .at = core_.next_,
                            .leaves = {}};
  }
  auto bytes = std::make_shared<const std::vector<std::byte>>(std::move(given.bytes));
  core_.counts_.add(Count::GroupsOut);
  log_.arrived_at_border(root, std::move(bytes), *this);
}

void Core::Handoffs::send(const Message& message) {
  const auto to = worker_of(message.to);
  if (!to || *to == core_.slot_) return;
  std::vector<std::byte> bytes{static_cast<std::byte>(PeerKind::Handoff)};
  const std::vector<std::byte> said = to_bytes(message);
  bytes.insert(bytes.end(), said.begin(), said.end());
  core_.to_peer(*to, bytes);
}

void Core::Handoffs::on_peer(WorkerSlot from, std::span<const std::byte> bytes) {
  const auto message = message_from_bytes(bytes);
  if (!message) return core_.drop(Count::DropMalformed);
  const bool known = from != core_.slot_ && life_of(from) == message->from &&
                     message->to == log_.id() && message->epoch == log_.epoch();
  if (!known) return core_.drop(Count::DropUnknownSender);
  if (message->kind != MessageKind::Final) return deliver(*message);
  waiting_.push_back(*message);
  take_what_has_come();
}

// What comes for a tick that is still to run waits for it; what is too late is refused.
void Core::Handoffs::take_what_has_come() {
  std::vector<Message> due;
  std::erase_if(waiting_, [&](const Message& message) {
    if (before(core_.next_, message.effect)) return false;
    due.push_back(message);
    return true;
  });
  for (const Message& message : due) deliver(message);
}

void Core::Handoffs::deliver(const Message& message) {
  const handoff::GroupId group = message.group;
  Message said = message;
  said.state = nullptr;  // the world has it: nobody asks the log
  bool wanted = true;
  if (message.kind == MessageKind::Prepare) {
    // Whoever comes finds here what was around them there.
    const auto from = worker_of(message.from);
    wanted = from && core_.ghosts_->knows_all_of(*from);
    const world::Entity* entity = core_.world_->find(group);
    const bool here = entity != nullptr && !entity->remote;
    const auto known = log_.ledger().groups.find(group);
    const bool there =
        known != log_.ledger().groups.end() && !here && known->second.place == handoff::Place::Here;
    if (there) log_.went_along(group, *this);
  }
  if (message.kind == MessageKind::Ready && not_after(message.effect, core_.next_)) {
    return log_.give_up(group);  // it came too late: another tick will be offered
  }
  if (message.kind == MessageKind::Final && !log_.answered(message)) {
    const bool in_time = ticks_between(message.effect, core_.next_) <= world::World::catch_up_ticks;
    wanted = in_time && take(group, *message.state);
    if (wanted) core_.counts_.add(Count::GroupsIn);
  }
  const State* given = log_.final_of(group);
  const State state = given != nullptr ? *given : nullptr;
  log_.on_message(said, wanted, *this);
  if (message.kind == MessageKind::Ready && log_.leaving(group)) {
    due_[group] = log_.ledger().groups.at(group).effect;
  }
  if (message.kind != MessageKind::Refused || state == nullptr || !log_.owns(group)) return;
  take_back(group, *state);
  core_.counts_.add(Count::GroupsBack);
}

void Core::Handoffs::take_back(handoff::GroupId root, std::span<const std::byte> bytes) {
  const bool back = take(root, bytes);
  PERIGEE_ASSERT(back, "what left from here can come back");
}

bool Core::Handoffs::take(handoff::GroupId root, std::span<const std::byte> bytes) {
  const auto crew = core_.take(bytes);
  if (!crew) return false;
  moved_[root] = core_.next_;
  for (const SessionId session : *crew) {
    newcomers_.push_back({session, core_.players_.at(session)->avatar, core_.next_});
    const auto back = gone_.extract(session);
    if (back && back.mapped().leaves) core_.on_leave(*back.mapped().leaves);
  }
  greet_newcomers();
  return true;
}

// Their gateways send their inputs here from now on; told several times, for datagrams get lost.
void Core::Handoffs::greet_newcomers() {
  std::erase_if(newcomers_, [&](const Newcomer& newcomer) {
    const std::int32_t since = ticks_between(newcomer.at, core_.next_);
    if (!core_.players_.contains(newcomer.session)) return true;
    const GatewayEntry* gateway = core_.map_.gateway(session_gateway(newcomer.session));
    if (gateway != nullptr && since % told_again_ticks == 0) {
      core_.fabric_.add(gateway->fabric, JoinedRecord{newcomer.session, newcomer.avatar});
    }
    return since >= told_times * told_again_ticks;
  });
}

}  // namespace perigee::worker
