#include "perigee/replication/record_groups.hpp"

#include <algorithm>

namespace perigee::replication {
namespace {

constexpr std::size_t age_bytes = 1;  ///< of each record

}  // namespace

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
  bytes_ = repeated_bytes_ = 0;
}

void RecordGroups::add(std::uint32_t slot, const SharedTrack& track,
                       const EncodedDifference* difference) {
  const auto whole = std::span(track.bytes.begin(), track.bytes.size());
  add(slot, track.frame,
      difference != nullptr ? std::span(difference->begin(), difference->size()) : whole,
      track.track.tick);
  bytes_ += whole.size() + age_bytes;
}

void RecordGroups::add_repeated(std::uint32_t slot, const SharedTrack& track) {
  add(slot, track.frame, {track.bytes.begin(), track.bytes.size()}, track.track.tick);
  repeated_bytes_ += track.bytes.size() + age_bytes;
}

void RecordGroups::add_heading(std::uint32_t slot, const SharedTrack& track) {
  const auto bytes = std::span(track.heading_bytes.begin(), track.heading_bytes.size());
  add(slot, track.frame, bytes, track.turned);
  bytes_ += bytes.size() + age_bytes;
}

void RecordGroups::add(std::uint32_t slot, const GroupFrame& frame,
                       std::span<const std::byte> bytes, Tick tick) {
  if (last_ >= frames_.size() || frames_[last_] != frame) {
    const auto found = std::find(frames_.begin(), frames_.end(), frame);
    if (found == frames_.end() && frames_.size() < frames_max) {
      frames_.push_back(frame);
      counts_.push_back(0);
      last_ = static_cast<std::uint32_t>(frames_.size() - 1);
    } else {
      last_ = found == frames_.end() ? static_cast<std::uint32_t>(frames_max - 1)
                                     : static_cast<std::uint32_t>(found - frames_.begin());
    }
  }
  ++counts_[last_];
  due_.push_back({&frame, bytes, tick, slot, last_});
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
    const Due& due = arranged_[i];
    if (frame != nullptr && *frame == *due.frame && writer.record(due.bytes, due.tick)) continue;
    if (!writer.begin_group(*due.frame)) return i;
    const bool fits = writer.record(due.bytes, due.tick);
    PERIGEE_ASSERT(fits, "a group begins only if its first record fits");
    frame = due.frame;
  }
  return arranged_.size();
}

}  // namespace perigee::replication
