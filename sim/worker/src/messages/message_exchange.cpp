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
  if (frame.conversation != messages.state.conversation) begin(player, frame);
  if (!acknowledge(player, frame.received)) return needs_.counts.add(metric.drop_malformed);
  if (drops(player, frame)) return;
  std::uint32_t number = frame.first;
  for (const auto& message : frame.messages) {
    const auto known = static_cast<std::uint32_t>(messages.arrived.size());
    if (number++ != messages.state.heard + known) continue;
    if (known < messages_waiting_max) {
      messages.arrived.push_back({MessageBytes(message.begin(), message.end())});
    }
  }
  if (!frame.messages.empty()) messages.pace.owe_answer();
}

// The client has begun anew, or this worker has not heard of it. Messages that the former end has
// not acknowledged are for this one.
void MessageExchange::begin(Player& player, const MessageFrame& frame) {
  MessageState& state = player.messages.state;
  state.conversation = frame.conversation;
  state.heard = frame.first;
  state.first = frame.received;
  player.messages.arrived.clear();
  player.messages.heard_notes.clear();
  player.messages.answered = state.heard;
  player.messages.pace.restart(state.first);
  player.messages.begun_note = needs_.durability.append_message(MessageNote{
      .kind = MessageRecord::Begun, .avatar = player.avatar, .state = numbers_of(state)});
}

bool MessageExchange::drops(Player& player, const MessageFrame& frame) {
  PlayerMessages& messages = player.messages;
  if (!messages.drops_until) return false;
  const std::uint32_t end = frame.first + static_cast<std::uint32_t>(frame.messages.size());
  const std::int32_t unheard = messages_between(messages.state.heard, end);
  if (!before(needs_.next, *messages.drops_until)) messages.drops_until.reset();
  if (!messages.drops_until || unheard <= 0) return false;
  messages.drops_until.reset();
  needs_.counts.add(metric.player_messages_dropped, static_cast<std::uint64_t>(unheard));
  begin(player, {frame.conversation, messages.state.first, end, {}});
  messages.pace.owe_answer();
  return true;
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

void MessageExchange::hear_of(SessionId session) {
  Player* player = needs_.players.find(session);
  while (player != nullptr && !player->messages.arrived.empty()) {
    PlayerMessages& messages = player->messages;
    if (player->events.size() + events_per_message > world::events_max) return;
    if (needs_.leaving(player->avatar)) return;  // the next owner gets them from the client
    if (messages.allowance < 1) {
      for (auto& waiting : messages.arrived) {
        if (!std::exchange(waiting.delayed, true))
          needs_.counts.add(metric.player_messages_delayed);
      }
      return;
    }
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
  MessageNote note{
      .kind = MessageRecord::BroadcastHeard, .avatar = player.avatar, .broadcast = broadcast};
  const bool room = messages.state.told.size() < messages_waiting_max;
  needs_.counts.add(room ? metric.player_messages_told : metric.player_messages_refused);
  if (!room) note.broadcast.bytes.clear();
  messages.state.broadcasts[broadcast.origin] = broadcast.number;
  const std::uint64_t number = needs_.durability.append_message(note);
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
  if (!needs_.fabric.add(gateway->fabric, block)) return needs_.counts.add(metric.blocks_oversized);
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
