#include "failover/replica_frames.hpp"

#include "ghosts/ghost_wire.hpp"

namespace perigee::worker {

void ReplicaWords::begin(const ReplicaHead& head) {
  head_ = head;
  word_.clear();
  waiting_.clear();
  waiting_bytes_ = 0;
}

std::vector<std::byte>& ReplicaWords::word() {
  if (word_.size() >= word_bytes_) flush(false);
  if (word_.empty()) {
    put_written<record_bytes_max>(word_, [&](ByteWriter& writer) {
      return put(writer, PeerKind::Replica) && walk_replica_head(writer, head_);
    });
  }
  return word_;
}

void ReplicaWords::say_bytes(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    std::vector<std::byte>& out = word();
    PERIGEE_ASSERT(out.size() < word_bytes_, "a message has no room after its head");
    const auto part = bytes.first(std::min(bytes.size(), word_bytes_ - out.size()));
    out.insert(out.end(), part.begin(), part.end());
    bytes = bytes.subspan(part.size());
  }
}

void ReplicaWords::flush(bool whole) {
  if (word_.empty()) return;
  PERIGEE_ASSERT(word_.size() <= word_bytes_ + player_bytes_max,
                 "a message is larger than a link carries");
  word_.front() = static_cast<std::byte>(whole ? PeerKind::Replica : PeerKind::ReplicaPart);
  ++head_.sequence;
  if (waiting_.empty() && may_go(word_.size())) {
    send(word_);
    return word_.clear();
  }
  waiting_bytes_ += word_.size();
  waiting_.push_back(std::exchange(word_, {}));
}

void ReplicaWords::next_tick() {
  may_go_bytes_ = std::min(may_go_bytes_ + word_bytes_, most());
  while (!waiting_.empty() && may_go(waiting_.front().size())) {
    const std::vector<std::byte> word = std::move(waiting_.front());
    waiting_.pop_front();
    waiting_bytes_ -= word.size();
    send(word);
  }
}

void ReplicaWords::send(std::span<const std::byte> word) {
  may_go_bytes_ -= std::min(word.size(), may_go_bytes_);
  send_(word);
}

}  // namespace perigee::worker
