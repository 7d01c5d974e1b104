/// The replication stream to a standby, cut into messages that links can carry. A record may begin
/// in one message and end in the next. Large data, such as all logs and groups in doubt, is spread
/// over several ticks.
#pragma once

#include <algorithm>
#include <deque>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "failover/replica_codec.hpp"
#include "put_written.hpp"

namespace perigee::worker {

class ReplicaFrames {
 public:
  /// This many messages are sent at once, then one per tick. More: a link with a slower reader is
  /// lost; less: a new standby takes longer to complete.
  static constexpr std::size_t frames_at_once = 16;
  /// Limit for one record without states and hinges, or for one group of a log.
  static constexpr std::size_t record_bytes_max = 384;
  /// A player is never split, and may end its message.
  static constexpr std::size_t player_bytes_max = 1 << 20;

  using Send = std::function<void(std::span<const std::byte> frame)>;
  ReplicaFrames(std::size_t frame_bytes, Send send)
      : frame_bytes_(frame_bytes),
        may_go_bytes_(frames_at_once * frame_bytes),
        send_(std::move(send)) {}

  /// Starts a stream; `head` has its first number. Unsent data of the former one is dropped.
  void begin(const ReplicaHead& head);
  /// A record of up to record_bytes_max bytes.
  template <class Write>
  void append(Write&& write) {
    put_written<record_bytes_max>(frame(), write);
  }
  /// Data of any size, after a record.
  void append_bytes(std::span<const std::byte> bytes);
  /// The current message, to append up to player_bytes_max bytes.
  std::vector<std::byte>& frame();
  /// Ends the current message, which is sent before everything that follows. `whole`: the message
  /// completes a tick.
  void flush(bool whole);
  void next_tick();

  /// Sequence number of the message that is being written.
  std::uint32_t sequence() const { return head_.sequence; }
  /// Bytes flushed, and not sent.
  std::size_t waiting_bytes() const { return waiting_bytes_; }

 private:
  bool may_go(std::size_t bytes) const { return bytes <= may_go_bytes_ || may_go_bytes_ == most(); }
  std::size_t most() const { return frames_at_once * frame_bytes_; }
  void send(std::span<const std::byte> frame);

  const std::size_t frame_bytes_;
  std::size_t may_go_bytes_;
  const Send send_;
  ReplicaHead head_;
  std::vector<std::byte> frame_;
  std::deque<std::vector<std::byte>> waiting_;
  std::size_t waiting_bytes_ = 0;
};

}  // namespace perigee::worker
