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
  /// The track, and the bytes of a difference, must not change until the records are written.
  void add(std::uint32_t slot, const SharedTrack& track,
           const EncodedDifference* difference = nullptr);
  /// A track that the observer has. It does not count for bytes(): on one worker there are no such
  /// repetitions.
  void add_repeated(std::uint32_t slot, const SharedTrack& track);
  /// Its heading alone.
  void add_heading(std::uint32_t slot, const SharedTrack& track);
  /// Must be called once, before writing.
  void arrange();
  std::size_t size() const { return due_.size(); }
  /// Of all records with their ages, as if each track were whole: so the number does not depend on
  /// the worker that an entity is on.
  std::size_t bytes() const { return bytes_; }
  std::size_t repeated_bytes() const { return repeated_bytes_; }
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
    const GroupFrame* frame;
    std::span<const std::byte> bytes;
    Tick tick;
    std::uint32_t slot;
    std::uint32_t group;
  };
  void add(std::uint32_t slot, const GroupFrame& frame, std::span<const std::byte> bytes,
           Tick tick);
  std::vector<GroupFrame> frames_;
  std::vector<std::uint32_t> counts_;
  std::vector<Due> due_;
  std::vector<Due> arranged_;
  std::uint32_t last_ = 0;
  std::size_t bytes_ = 0, repeated_bytes_ = 0;
};

}  // namespace perigee::replication
