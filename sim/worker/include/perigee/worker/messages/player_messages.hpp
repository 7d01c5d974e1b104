/// The messages between a player's client and the game, on the worker that owns the avatar.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>

#include "perigee/base/ids.hpp"
#include "perigee/base/message_pace.hpp"
#include "perigee/base/wire_messages.hpp"

namespace perigee::worker {

/// For each incarnation that has broadcast: all of its broadcasts up to this number are done.
using BroadcastsHeard = std::map<HandleBlock, std::uint32_t>;

/// What must survive a worker.
struct MessageState {
  std::uint32_t conversation = 0;  ///< the client's; 0: it has not spoken yet
  std::uint32_t heard = 0;         ///< number of the client's next message for the game
  std::uint32_t first = 0;         ///< number of the first of `told`
  std::deque<MessageBytes> told;   ///< to the client, which has not acknowledged them
  BroadcastsHeard broadcasts;
  /// Messages that came until then may have crashed the former owners: they are dropped.
  std::optional<Tick> drops_until;
};

struct PlayerMessages {
  MessageState state;
  /// Nothing is sent before the conversation is durable: a successor that did not know it would
  /// count anew what the client has.
  std::uint64_t begun_note = 0;
  std::optional<Tick> begun_at;
  std::deque<std::uint64_t> told_notes;  ///< of state.told: each may leave once it is durable
  std::deque<std::uint64_t>
      heard_notes;  ///< of the newest messages heard, which may not be durable
  struct Arrived {
    MessageBytes bytes;
    bool delayed = false;  ///< by the limit of the rate; counted
  };
  std::deque<Arrived> arrived;  ///< from `state.heard` on; the game has not heard them
  double allowance = 0;         ///< messages that the game may hear now
  std::uint32_t answered = 0;   ///< the acknowledgement that was sent last
  MessagePace pace;
};

}  // namespace perigee::worker
