#include <algorithm>

#include "messages/message_codec.hpp"

namespace perigee::worker {

void MessageNote::apply(MessageLogs& logs) const {
  if (kind == MessageRecord::Gone) {
    logs.players.erase(avatar);
    return;
  }
  if (kind == MessageRecord::Broadcast) {
    logs.broadcasts[broadcast.origin][broadcast.number] = broadcast.bytes;
    return;
  }
  if (kind == MessageRecord::BroadcastGone) {
    logs.broadcasts[broadcast.origin].erase(broadcast.number);
    return;
  }
  MessageState& of = logs.players[avatar];
  switch (kind) {
    case MessageRecord::State:
      of = state;
      return;
    case MessageRecord::Begun:
      of.conversation = state.conversation;
      of.heard = state.heard;
      of.first = state.first;
      return;
    case MessageRecord::Heard:
      ++of.heard;
      return;
    case MessageRecord::Acknowledged:
      of.first += count;
      of.told.erase(of.told.begin(),
                    of.told.begin() + std::min<std::ptrdiff_t>(count, std::ssize(of.told)));
      return;
    case MessageRecord::BroadcastHeard:
      of.broadcasts[broadcast.origin] = broadcast.number;
      break;
    default:
      break;
  }
  if (!broadcast.bytes.empty()) of.told.push_back(broadcast.bytes);
}

}  // namespace perigee::worker
