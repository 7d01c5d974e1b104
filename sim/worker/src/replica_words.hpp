/// What a buddy is told, cut into words that links carry: a record may begin in one and end in the
/// next. What is much, as all logs and all that is in doubt, goes over several ticks.
#pragma once

#include <algorithm>
#include <deque>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "put_written.hpp"
#include "replica_codec.hpp"

namespace perigee::worker {

class ReplicaWords {
 public:
  /// So many go at once, and then one each tick. More: a link whose other end does not read as fast
  /// is given up; less: a new buddy waits longer.
  static constexpr std::size_t words_at_once = 16;
  /// Of one record but for states and hinges, or of one group of a log.
  static constexpr std::size_t record_bytes_max = 384;
  /// A player goes whole, and may be the last thing in its word.
  static constexpr std::size_t player_bytes_max = 1 << 20;

  using Send = std::function<void(std::span<const std::byte> word)>;
  ReplicaWords(std::size_t word_bytes, Send send)
      : word_bytes_(word_bytes),
        may_go_bytes_(words_at_once * word_bytes),
        send_(std::move(send)) {}

  /// Another stream; `head` has its first number. What was not sent of the former is forgotten.
  void begin(const ReplicaHead& head);
  /// A record of up to record_bytes_max bytes.
  template <class Write>
  void say(Write&& write) {
    put_written<record_bytes_max>(word(), write);
  }
  /// Behind a record, of any size.
  void say_bytes(std::span<const std::byte> bytes);
  /// To append to, up to player_bytes_max bytes.
  std::vector<std::byte>& word();
  /// What has been said so far is on its way before all that follows. `whole`: with it all of a
  /// tick has been said.
  void flush(bool whole);
  void next_tick();

  /// Of the word that is being written.
  std::uint32_t sequence() const { return head_.sequence; }
  /// Flushed, and not sent.
  std::size_t waiting_bytes() const { return waiting_bytes_; }

 private:
  bool may_go(std::size_t bytes) const { return bytes <= may_go_bytes_ || may_go_bytes_ == most(); }
  std::size_t most() const { return words_at_once * word_bytes_; }
  void send(std::span<const std::byte> word);

  const std::size_t word_bytes_;
  std::size_t may_go_bytes_;
  const Send send_;
  ReplicaHead head_;
  std::vector<std::byte> word_;
  std::deque<std::vector<std::byte>> waiting_;
  std::size_t waiting_bytes_ = 0;
};

}  // namespace perigee::worker
