#include "failover/replica_frames.hpp"

#include "ghosts/ghost_wire.hpp"

namespace perigee::worker {

void ReplicaFrames::begin(const ReplicaHead& head) {
  head_ = head;
  frame_.clear();
  waiting_.clear();
  waiting_bytes_ = 0;
}

std::vector<std::byte>& ReplicaFrames::frame() {
  if (frame_.size() >= frame_bytes_) flush(false);
  if (frame_.empty()) {
    put_written<record_bytes_max>(frame_, [&](ByteWriter& writer) {
      return put(writer, PeerKind::Replica) && walk_replica_head(writer, head_);
    });
  }
  return frame_;
}

void ReplicaFrames::append_bytes(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    std::vector<std::byte>& out = frame();
    PERIGEE_ASSERT(out.size() < frame_bytes_, "a message has no room after its head");
    const auto part = bytes.first(std::min(bytes.size(), frame_bytes_ - out.size()));
    out.insert(out.end(), part.begin(), part.end());
    bytes = bytes.subspan(part.size());
  }
}

void ReplicaFrames::flush(bool whole) {
  if (frame_.empty()) return;
  PERIGEE_ASSERT(frame_.size() <= frame_bytes_ + player_bytes_max,
                 "a message is larger than a link carries");
  frame_.front() = static_cast<std::byte>(whole ? PeerKind::Replica : PeerKind::ReplicaPart);
  ++head_.sequence;
  if (waiting_.empty() && may_go(frame_.size())) {
    send(frame_);
    return frame_.clear();
  }
  waiting_bytes_ += frame_.size();
  waiting_.push_back(std::exchange(frame_, {}));
}

void ReplicaFrames::next_tick() {
  may_go_bytes_ = std::min(may_go_bytes_ + frame_bytes_, most());
  while (!waiting_.empty() && may_go(waiting_.front().size())) {
    const std::vector<std::byte> frame = std::move(waiting_.front());
    waiting_.pop_front();
    waiting_bytes_ -= frame.size();
    send(frame);
  }
}

void ReplicaFrames::send(std::span<const std::byte> frame) {
  may_go_bytes_ -= std::min(frame.size(), may_go_bytes_);
  send_(frame);
}

}  // namespace perigee::worker
