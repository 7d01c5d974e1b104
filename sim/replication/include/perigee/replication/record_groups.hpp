/// From due entities to the groups of a block: every record is encoded at most once per tick and
/// precision. It is copied to every subscriber, together with the other records of its frame.
#pragma once

#include <cstdint>
#include <vector>

#include "perigee/base/wire_world.hpp"
#include "perigee/replication/published.hpp"

namespace perigee::replication {

class RecordCache {
 public:
  struct Line {
    EncodedRecord bytes;
    std::uint64_t frame = 0;   ///< packed
    std::uint32_t serial = 0;  ///< of the tick it was encoded in
  };
  explicit RecordCache(std::size_t slots_max) : lines_(slots_max * precisions) {}

  /// Invalidates everything encoded so far.
  void next_tick() { ++serial_; }
  const Line& line(std::uint32_t slot, Precision precision, const Published& entity);

 private:
  std::vector<Line> lines_;
  std::uint32_t serial_ = 1;
};

/// One observer's due records, by frame in the order of their first appearance.
class RecordGroups {
 public:
  explicit RecordGroups(std::size_t records_max);
  void clear();
  void add(const RecordCache::Line& line);
  /// Must be called once, before writing.
  void arrange();
  std::size_t size() const { return due_.size(); }
  /// Copies arranged records from `first` on until the block is full. Returns the first record that
  /// was not copied.
  std::size_t write(BlockWriter& writer, std::size_t first) const;

 private:
  /// Frames beyond this number share the last group, which is then restarted at every change of
  /// frame.
  static constexpr std::size_t frames_max = 256;
  struct Due {
    const RecordCache::Line* line;
    std::uint32_t group;
  };
  std::vector<std::uint64_t> frames_;
  std::vector<std::uint32_t> counts_;
  std::vector<Due> due_;
  std::vector<const RecordCache::Line*> arranged_;
  std::uint32_t last_ = 0;
};

}  // namespace perigee::replication
