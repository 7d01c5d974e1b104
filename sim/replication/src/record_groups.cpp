#include "perigee/replication/record_groups.hpp"

#include <algorithm>

namespace perigee::replication {
namespace {

constexpr std::uint64_t parent_bit = std::uint64_t{1} << 63;

std::uint64_t pack(const GroupFrame& frame) {
  const std::uint64_t head =
      std::uint64_t{frame.block} << 48 | static_cast<std::uint64_t>(frame.precision) << 56;
  if (frame.parent != no_entity) return parent_bit | head | frame.parent;
  const auto axis = [](std::int16_t v) { return std::uint64_t{static_cast<std::uint16_t>(v)}; };
  return head | axis(frame.cell.x) | axis(frame.cell.y) << 16 | axis(frame.cell.z) << 32;
}

GroupFrame unpack(std::uint64_t packed) {
  GroupFrame frame;
  frame.block = static_cast<std::uint8_t>(packed >> 48);
  frame.precision = static_cast<Precision>(packed >> 56 & 3);
  if ((packed & parent_bit) != 0) {
    frame.parent = static_cast<Handle>(packed);
  } else {
    const auto axis = [&](int at) { return static_cast<std::int16_t>(packed >> at); };
    frame.cell = {axis(0), axis(16), axis(32)};
  }
  return frame;
}

}  // namespace

const RecordCache::Line& RecordCache::line(std::uint32_t slot, Precision precision,
                                           const Published& entity) {
  Line& line = lines_[slot * precisions + static_cast<std::size_t>(precision)];
  if (line.serial != serial_) {
    const GroupFrame frame = frame_of(entity, precision);
    line = {encode_record(record_of(entity, frame), frame.precision), pack(frame), serial_};
  }
  return line;
}

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
}

void RecordGroups::add(const RecordCache::Line& line) {
  if (last_ >= frames_.size() || frames_[last_] != line.frame) {
    const auto found = std::find(frames_.begin(), frames_.end(), line.frame);
    if (found == frames_.end() && frames_.size() < frames_max) {
      frames_.push_back(line.frame);
      counts_.push_back(0);
      last_ = static_cast<std::uint32_t>(frames_.size() - 1);
    } else {
      last_ = found == frames_.end() ? static_cast<std::uint32_t>(frames_max - 1)
                                     : static_cast<std::uint32_t>(found - frames_.begin());
    }
  }
  ++counts_[last_];
  due_.push_back({&line, last_});
}

void RecordGroups::arrange() {
  std::uint32_t at = 0;
  for (std::uint32_t& count : counts_) at += std::exchange(count, at);
  arranged_.resize(due_.size());
  for (const Due& due : due_) arranged_[counts_[due.group]++] = due.line;
}

std::size_t RecordGroups::write(BlockWriter& writer, std::size_t first) const {
  bool open = false;
  std::uint64_t frame = 0;
  for (std::size_t i = first; i < arranged_.size(); ++i) {
    const RecordCache::Line& line = *arranged_[i];
    if (open && line.frame == frame && writer.encoded_record(line.bytes)) continue;
    if (!writer.begin_group(unpack(line.frame))) return i;
    writer.encoded_record(line.bytes);
    frame = line.frame;
    open = true;
  }
  return arranged_.size();
}

}  // namespace perigee::replication
