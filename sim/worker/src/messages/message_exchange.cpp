#include "messages/message_exchange.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "perigee/base/wire_client.hpp"

namespace perigee::worker {
namespace {

/// A client acknowledges with its next packet but one, after a round trip.
constexpr Micros acknowledged_within_us = 250'000;
constexpr std::uint8_t message_priority = 1;  // after the block with the own avatar

Micros time_of(Tick tick) {
  return static_cast<Micros>(tick.count) * 1'000'000 / default_tick_rate_hz;
}

MessageState numbers_of(const MessageState& state) {
  return {.conversation = state.conversation,
          .heard = state.heard,
          .first = state.first,
          .told = {},
          .broadcasts = {}};
}

}  // namespace

// ---- from the client

void MessageExchange::on_frame(Player& player, std::span<const std::byte> bytes) {
  MessageFrame frame;
  const auto kind = static_cast<std::uint8_t>(ClientFrame::Message);
  if (!read_messages(kind, bytes, frame)) return needs_.counts.add(metric.drop_malformed);
  PlayerMessages& messages = player.messages;
  if (frame.conversation != messages.state.conversation && !begins(player, frame)) return;
  if (!acknowledge(player, frame.received)) return needs_.counts.add(metric.drop_malformed);
  drop_suspects(player, frame);
  std::uint32_t number = frame.first;
  for (const auto& message : frame.messages) {
    const auto known = static_cast<std::uint32_t>(messages.arrived.size());
    if (number++ != messages.state.heard + known) continue;
    if (known < messages_waiting_max) {
      messages.arrived.push_back({MessageBytes(message.begin(), message.end())});
    }
  }
  if (frame.asks || !frame.messages.empty()) messages.pace.owe_answer();
}

// The client has begun anew, or this worker has not heard of it: the avatar was removed meanwhile,
// or has come from a checkpoint. Messages that a former worker may have heard are not heard again.
bool MessageExchange::begins(Player& player, const MessageFrame& frame) {
  PlayerMessages& messages = player.messages;
  if (messages.begun_at && ticks_between(*messages.begun_at, needs_.next) < begin_ticks) {
    needs_.counts.add(metric.player_messages_too_early);
    return false;
  }
  messages.begun_at = needs_.next;
  const std::int32_t suspects = messages_between(frame.first, frame.sent);
  needs_.counts.add(metric.player_messages_dropped, static_cast<std::uint64_t>(suspects));
  begin(player, {frame.conversation, frame.sent, frame.received});
  return true;
}

// Messages that the former end has not acknowledged are for this one.
void MessageExchange::begin(Player& player, const Numbers& numbers) {
  PlayerMessages& messages = player.messages;
  MessageState& state = messages.state;
  state.conversation = numbers.conversation;
  state.heard = numbers.heard;
  state.first = numbers.first;
  state.drops_until.reset();
  messages.arrived.clear();
  messages.heard_notes.clear();
  messages.answered = state.heard;
  messages.pace.restart(state.first);
  messages.begun_note = needs_.durability.append_message(MessageNote{
      .kind = MessageRecord::Begun, .avatar = player.avatar, .state = numbers_of(state)});
}

// One of the messages that the client repeats may have crashed two workers. Those that wait here
// came after that.
void MessageExchange::drop_suspects(Player& player, const MessageFrame& frame) {
  MessageState& state = player.messages.state;
  if (!state.drops_until) return;
  if (!before(needs_.next, *state.drops_until)) return state.drops_until.reset();
  const auto waiting = static_cast<std::uint32_t>(player.messages.arrived.size());
  if (messages_between(state.heard + waiting, frame.sent) <= 0) return;
  const std::int32_t suspects = messages_between(state.heard, frame.sent);
  needs_.counts.add(metric.player_messages_dropped, static_cast<std::uint64_t>(suspects));
  begin(player, {frame.conversation, frame.sent, state.first});
  player.messages.pace.owe_answer();
}

bool MessageExchange::acknowledge(Player& player, std::uint32_t received) {
  PlayerMessages& messages = player.messages;
  const std::int32_t count = messages_between(messages.state.first, received);
  if (count > std::ssize(messages.state.told)) return false;
  if (count <= 0) return true;
  messages.state.first = received;
  messages.state.told.erase(messages.state.told.begin(), messages.state.told.begin() + count);
  messages.told_notes.erase(messages.told_notes.begin(), messages.told_notes.begin() + count);
  needs_.counts.add(metric.player_messages_delivered, static_cast<std::uint64_t>(count));
  needs_.durability.append_message(MessageNote{.kind = MessageRecord::Acknowledged,
                                               .avatar = player.avatar,
                                               .count = static_cast<std::uint8_t>(count)});
  return true;
}

void MessageExchange::hear_arrived() {
  std::vector<SessionId> sessions;  // the game may add and remove players
  for (Player& player : needs_.players) {
    PlayerMessages& messages = player.messages;
    const double per_s = needs_.settings.player_messages_per_s;
    messages.allowance = std::min(messages.allowance + per_s * seconds_per_tick, per_s);
    if (!messages.arrived.empty()) sessions.push_back(player.session);
  }
  for (const SessionId session : sessions) hear_of(session);
}

bool MessageExchange::may_hear(const Player& player) const {
  const PlayerMessages& messages = player.messages;
  return player.events.size() + events_per_message <= world::events_max &&
         messages.heard_notes.size() < undurable_max;
}

void MessageExchange::hear_of(SessionId session) {
  Player* player = needs_.players.find(session);
  while (player != nullptr && !player->messages.arrived.empty() && may_hear(*player)) {
    PlayerMessages& messages = player->messages;
    if (messages.allowance < 1) {
      for (auto& waiting : messages.arrived) {
        if (!std::exchange(waiting.delayed, true))
          needs_.counts.add(metric.player_messages_delayed);
      }
      return;
    }
    if (needs_.leaving(player->avatar)) return;  // the next owner gets them from the client
    messages.allowance -= 1;
    const MessageBytes message = std::move(messages.arrived.front().bytes);
    messages.arrived.pop_front();
    ++messages.state.heard;
    messages.heard_notes.push_back(needs_.durability.append_message(
        MessageNote{.kind = MessageRecord::Heard, .avatar = player->avatar}));
    needs_.counts.add(metric.player_messages_heard);
    needs_.hear(*player, message);
    player = needs_.players.find(session);
  }
}

// ---- to the client

world::TellRefusal MessageExchange::refuse(world::TellRefusal refusal) {
  needs_.counts.add(metric.player_messages_refused);
  return refusal;
}

world::TellRefusal MessageExchange::tell(Handle actor, std::span<const std::byte> message) {
  Player* player = needs_.players.find_avatar(actor);
  if (player == nullptr || player->npc()) return refuse(world::TellRefusal::NoPlayer);
  if (!is_message_size(message.size())) return refuse(world::TellRefusal::Size);
  PlayerMessages& messages = player->messages;
  if (messages.state.told.size() >= messages_waiting_max) return refuse(world::TellRefusal::Full);
  MessageNote note{.kind = MessageRecord::Told, .avatar = actor};
  note.broadcast.bytes.assign(message.begin(), message.end());
  messages.told_notes.push_back(needs_.durability.append_message(note));
  messages.state.told.push_back(std::move(note.broadcast.bytes));
  needs_.counts.add(metric.player_messages_told);
  return world::TellRefusal::None;
}

void MessageExchange::tell(Player& player, const Broadcast& broadcast) {
  PlayerMessages& messages = player.messages;
  BroadcastsHeard& heard = messages.state.broadcasts;
  if (!heard.contains(broadcast.origin) && heard.size() >= broadcasts_heard_max) {
    return needs_.counts.add(metric.broadcasts_missed);
  }
  heard[broadcast.origin] = broadcast.number;
  const bool room = messages.state.told.size() < messages_waiting_max;
  needs_.counts.add(room ? metric.player_messages_told : metric.broadcasts_missed);
  const std::uint64_t number = needs_.durability.append_message(
      MessageNote{.kind = MessageRecord::BroadcastHeard,
                  .avatar = player.avatar,
                  .count = static_cast<std::uint8_t>(room),
                  .broadcast = {broadcast.origin, broadcast.number, {}}});
  if (!room) return;
  messages.told_notes.push_back(number);
  messages.state.told.push_back(broadcast.bytes);
}

/// Messages before this number have been heard, and survive this worker.
std::uint32_t MessageExchange::durably_heard(PlayerMessages& messages) const {
  auto& notes = messages.heard_notes;
  while (!notes.empty() && notes.front() <= needs_.durability.durable()) notes.pop_front();
  return messages.state.heard - static_cast<std::uint32_t>(notes.size());
}

void MessageExchange::send() {
  for (Player& player : needs_.players) {
    if (!player.lost && player.messages.state.conversation != 0) send_to(player);
  }
}

void MessageExchange::send_to(Player& player) {
  PlayerMessages& messages = player.messages;
  const MessageState& state = messages.state;
  if (messages.begun_note > needs_.durability.durable()) return;
  MessageFrame frame{state.conversation, durably_heard(messages), state.first, {}};
  for (std::size_t i = 0; i < state.told.size(); ++i) {
    if (messages.told_notes[i] > needs_.durability.durable()) break;
    if (!add_message(frame, state.told[i])) break;
  }
  if (frame.received != messages.answered) messages.pace.owe_answer();
  const std::uint32_t end = state.first + static_cast<std::uint32_t>(frame.messages.size());
  const Micros now_us = time_of(needs_.next);
  if (!messages.pace.due(now_us, state.first, end, acknowledged_within_us)) return;
  const GatewayEntry* gateway = needs_.cluster.gateway_of(player.session);
  if (gateway == nullptr) return;
  std::array<std::byte, MessageFrame::bytes_max> bytes;
  const BlockRecord block{player.session, message_priority,
                          write_messages(worker_message_kind, frame, bytes)};
  const bool fits = needs_.fabric.add(gateway->fabric, block);
  PERIGEE_ASSERT(fits, "a datagram must have room for a frame of messages");
  needs_.sent(player.session, block.block.size());
  messages.pace.sent(now_us, state.first, end);
  messages.answered = frame.received;
}

// ---- players come and go

void MessageExchange::enter(Player& player) {
  if (player.npc()) return;
  PlayerMessages& messages = player.messages;
  const std::uint64_t note = needs_.durability.append_message(
      MessageNote{.kind = MessageRecord::State, .avatar = player.avatar, .state = messages.state});
  messages.begun_note = note;
  messages.told_notes.assign(messages.state.told.size(), note);
  // The former owner may have acknowledged fewer of them.
  if (messages.state.conversation != 0) messages.heard_notes.assign(messages_waiting_max, note);
  messages.answered = messages.state.heard;
  messages.pace.restart(messages.state.first);
}

void MessageExchange::forget(const Player& player) {
  if (player.npc()) return;
  needs_.durability.append_message(
      MessageNote{.kind = MessageRecord::Gone, .avatar = player.avatar});
}

void MessageExchange::for_each_note(const std::function<void(const MessageNote&)>& visit) const {
  for (const Player& player : needs_.players) {
    if (player.npc()) continue;
    visit({.kind = MessageRecord::State, .avatar = player.avatar, .state = player.messages.state});
  }
}

}  // namespace perigee::worker
