/// A client's end of a conversation with the game.
#pragma once

#include <algorithm>
#include <deque>
#include <span>
#include <string>
#include <vector>

#include "fixture.hpp"

namespace perigee::worker {

using Texts = std::vector<std::string>;

inline Bytes to_bytes(const std::string& text) {
  const auto bytes = as_bytes_of(text.data(), text.size());
  return {bytes.begin(), bytes.end()};
}
inline std::string to_text(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// A client's end of a conversation.
struct Speaker {
  std::uint32_t n = 0;  ///< of the player
  std::uint32_t conversation = 5;
  SessionId session = session_of(n);
  std::deque<std::string> unheard;
  std::uint32_t first = 0;  ///< number of the first of `unheard`
  std::uint32_t received = 0;
  std::uint32_t sent = 0;  ///< all messages before this number
  bool confirmed = true;   ///< false: it waits for an answer first, as clients do
  Texts got;

  void say(Bench& to) {
    MessageFrame frame{conversation, received, first, {}, sent, !confirmed};
    for (const std::string& text : unheard) {
      if (!confirmed || !add_message(frame, as_bytes_of(text.data(), text.size()))) break;
    }
    sent = std::max(sent, first + static_cast<std::uint32_t>(frame.messages.size()));
    Bytes space(MessageFrame::bytes_max);
    const auto bytes =
        write_messages(static_cast<std::uint8_t>(ClientFrame::Message), frame, space);
    to.gateway_says(InputRecord{session, to.now_fine(), stream_owner, bytes});
  }
  /// Reads what the worker has sent since the last call.
  void listen(const Bench& to, std::size_t& from) {
    for (; from < to.messages_sent.size(); ++from) {
      const Bench::MessagesSent& frame = to.messages_sent[from];
      if (frame.session != session || frame.conversation != conversation) continue;
      confirmed = true;
      while (messages_between(first, frame.received) > 0 && !unheard.empty()) {
        unheard.pop_front();
        ++first;
      }
      std::uint32_t number = frame.first;
      for (const Bytes& message : frame.messages) {
        if (number++ != received) continue;
        got.push_back(to_text(message));
        ++received;
      }
    }
  }
};

}  // namespace perigee::worker
