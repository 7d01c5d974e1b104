#include <algorithm>

#include "messages/message_codec.hpp"

namespace perigee::worker {
namespace {

/// Broadcasts that are kept.
void keep(MessageLogs& logs, const MessageNote& note) {
  const Broadcast& broadcast = note.broadcast;
  switch (note.kind) {
    case MessageRecord::Broadcast:
    case MessageRecord::BroadcastKept:
      logs.broadcasts[broadcast.origin][broadcast.number] = {broadcast.bytes,
                                                             note.kind == MessageRecord::Broadcast};
      return;
    case MessageRecord::BroadcastGone:
      logs.broadcasts[broadcast.origin].erase(broadcast.number);
      return;
    case MessageRecord::SenderGone:
      logs.broadcasts.erase(broadcast.origin);
      for (auto& [avatar, state] : logs.players) state.broadcasts.erase(broadcast.origin);
      return;
    default:
      return;
  }
}

bool tell(MessageState& state, const MessageBytes& bytes) {
  if (state.told.size() >= messages_waiting_max || !is_message_size(bytes.size())) return false;
  state.told.push_back(bytes);
  return true;
}

bool acknowledge(MessageState& state, std::uint8_t count) {
  if (count > state.told.size()) return false;
  state.first += count;
  state.told.erase(state.told.begin(), state.told.begin() + count);
  return true;
}

bool hear_broadcast(MessageLogs& logs, const MessageNote& note) {
  const auto& [origin, number, none] = note.broadcast;
  MessageState& state = logs.players[note.avatar];
  state.broadcasts[origin] = number;
  if (note.count == 0) return state.broadcasts.size() <= broadcasts_heard_max;
  const auto sender = logs.broadcasts.find(origin);
  if (sender == logs.broadcasts.end() || !sender->second.contains(number)) return false;
  return tell(state, sender->second.at(number).bytes);
}

}  // namespace

bool MessageNote::apply(MessageLogs& logs) const {
  switch (kind) {
    case MessageRecord::State:
      logs.players[avatar] = state;
      return true;
    case MessageRecord::Begun: {
      MessageState& of = logs.players[avatar];
      of.conversation = state.conversation;
      of.heard = state.heard;
      of.first = state.first;
      of.drops_until.reset();
      return true;
    }
    case MessageRecord::Heard:
      ++logs.players[avatar].heard;
      return true;
    case MessageRecord::Told:
      return tell(logs.players[avatar], broadcast.bytes);
    case MessageRecord::Acknowledged:
      return acknowledge(logs.players[avatar], count);
    case MessageRecord::Gone:
      logs.players.erase(avatar);
      return true;
    case MessageRecord::BroadcastHeard:
      return hear_broadcast(logs, *this);
    case MessageRecord::Broadcast:
    case MessageRecord::BroadcastKept:
    case MessageRecord::BroadcastGone:
    case MessageRecord::SenderGone:
      keep(logs, *this);
      return true;
  }
  return false;
}

}  // namespace perigee::worker
