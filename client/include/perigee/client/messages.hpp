/// Messages between the game's server side and this client: reliable and in order, both ways. They
/// survive a new session, and the worker's death.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>

#include "perigee/base/frames.hpp"
#include "perigee/base/message_pace.hpp"
#include "perigee/base/wire_messages.hpp"

namespace perigee::client {

enum class MessageRefusal : std::uint8_t {
  None,
  Size,  ///< it is empty, or longer than message_bytes_max
  Full,  ///< messages_waiting_max messages wait for the game: the client sends too many, or the
         ///< path carries nothing
};

class Messages {
 public:
  /// The client asks so often whether the worker still knows its numbers.
  static constexpr Micros greeting_us = 5'000'000;

  /// Another conversation: all messages of the former one are dropped. `name` is not that of any
  /// other.
  void begin(std::uint32_t name);
  /// In a new session, or another world, the worker may not know the numbers. Messages wait for its
  /// answer.
  void greet_again();
  /// Keeps the message until the game has it.
  MessageRefusal send(std::span<const std::byte> message);
  /// Messages that the game does not have for certain yet.
  std::size_t waiting() const { return unheard_.size(); }
  /// The next message of the game, once.
  std::optional<MessageBytes> take();
  /// A frame of a worker. False: malformed.
  bool on_frame(std::span<const std::byte> bytes);

  bool due(Micros now_us, Micros rtt_us) const;
  /// False, and nothing is written: there is no room left.
  bool write(FrameWriter& frames, Micros now_us, Micros rtt_us);

 private:
  bool greets(Micros now_us, Micros rtt_us) const;
  MessageFrame next_frame(Micros now_us, Micros rtt_us) const;

  std::uint32_t name_ = 1;
  std::deque<MessageBytes> unheard_;
  std::uint32_t first_ = 0;  ///< number of the first of `unheard_`
  std::uint32_t sent_ = 0;   ///< all messages before this number were in a frame
  std::deque<MessageBytes> untaken_;
  std::uint32_t received_ = 0;
  MessagePace pace_;
  bool greet_ = true;       ///< with the next frame
  bool confirmed_ = false;  ///< a worker has answered since the newest greet_again()
  std::optional<Micros> greeted_us_;
};

}  // namespace perigee::client
