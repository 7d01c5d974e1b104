/// From due tracks to the groups of a block: each is copied together with the other records of its
/// frame.
#pragma once

#include <cstdint>
#include <vector>

#include "perigee/base/wire_world.hpp"
#include "perigee/replication/track_table.hpp"

namespace perigee::replication {

/// One observer's due records, by frame in the order of their first appearance.
class RecordGroups {
 public:
  explicit RecordGroups(std::size_t records_max);
  void clear();
  /// The track must not change until the records are written.
  void add(std::uint32_t slot, const SharedTrack& track, bool heading_only = false);
  /// Must be called once, before writing.
  void arrange();
  std::size_t size() const { return due_.size(); }
  /// Of all records, with their ages.
  std::size_t bytes() const { return bytes_; }
  /// Slot of an arranged record.
  std::uint32_t slot(std::size_t at) const { return arranged_[at].slot; }
  /// Copies arranged records from `first` on until the block is full. Returns the first record that
  /// was not copied.
  std::size_t write(BlockWriter& writer, std::size_t first) const;

 private:
  /// Frames beyond this number share the last group, which is then restarted at every change of
  /// frame.
  static constexpr std::size_t frames_max = 256;
  struct Due {
    const SharedTrack* track;
    std::uint32_t slot;
    std::uint32_t group;
    bool heading_only;
    bool write(BlockWriter& writer) const;
  };
  std::vector<GroupFrame> frames_;
  std::vector<std::uint32_t> counts_;
  std::vector<Due> due_;
  std::vector<Due> arranged_;
  std::uint32_t last_ = 0;
  std::size_t bytes_ = 0;
};

}  // namespace perigee::replication
