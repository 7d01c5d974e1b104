#include "perigee/replication/record_groups.hpp"

#include <algorithm>

namespace perigee::replication {

RecordGroups::RecordGroups(std::size_t records_max) {
  frames_.reserve(frames_max);
  counts_.reserve(frames_max + 1);
  due_.reserve(records_max);
  arranged_.reserve(records_max);
}

void RecordGroups::clear() {
  frames_.clear();
  counts_.clear();
  due_.clear();
  arranged_.clear();
  last_ = 0;
  bytes_ = 0;
}

bool RecordGroups::Due::write(BlockWriter& writer) const {
  return heading_only ? writer.record(track->heading_bytes, track->turned)
                      : writer.record(track->bytes, track->track.tick);
}

void RecordGroups::add(std::uint32_t slot, const SharedTrack& track, bool heading_only) {
  if (last_ >= frames_.size() || frames_[last_] != track.frame) {
    const auto found = std::find(frames_.begin(), frames_.end(), track.frame);
    if (found == frames_.end() && frames_.size() < frames_max) {
      frames_.push_back(track.frame);
      counts_.push_back(0);
      last_ = static_cast<std::uint32_t>(frames_.size() - 1);
    } else {
      last_ = found == frames_.end() ? static_cast<std::uint32_t>(frames_max - 1)
                                     : static_cast<std::uint32_t>(found - frames_.begin());
    }
  }
  ++counts_[last_];
  due_.push_back({&track, slot, last_, heading_only});
  bytes_ += (heading_only ? track.heading_bytes : track.bytes).size() + 1;
}

void RecordGroups::arrange() {
  std::uint32_t at = 0;
  for (std::uint32_t& count : counts_) at += std::exchange(count, at);
  arranged_.resize(due_.size());
  for (const Due& due : due_) arranged_[counts_[due.group]++] = due;
}

std::size_t RecordGroups::write(BlockWriter& writer, std::size_t first) const {
  const GroupFrame* frame = nullptr;
  for (std::size_t i = first; i < arranged_.size(); ++i) {
    const SharedTrack& track = *arranged_[i].track;
    if (frame != nullptr && *frame == track.frame && arranged_[i].write(writer)) continue;
    if (!writer.begin_group(track.frame)) return i;
    const bool fits = arranged_[i].write(writer);
    PERIGEE_ASSERT(fits, "a group begins only if its first record fits");
    frame = &track.frame;
  }
  return arranged_.size();
}

}  // namespace perigee::replication
