/// The time-stamped samples of one remote entity, and the pose to render: Hermite/slerp between
/// samples, extrapolation after the newest one, then hold.
#pragma once

#include <cstdint>

#include "perigee/base/player_input.hpp"
#include "perigee/base/ring.hpp"
#include "perigee/base/tick.hpp"
#include "perigee/base/vec.hpp"

namespace perigee {

struct Snapshot {
  Tick tick;
  Handle frame = no_entity;  ///< parent that the pose is relative to; no_entity = world
  Pose pose;
  Vec3 velocity;  ///< in the frame, m/s
  /// Offset of this sample from the position that a continuous motion would have led to. The ring
  /// sets it if no such motion leads from the previous sample to this one, because the server has
  /// rewritten the entity's state in between.
  Vec3 rewritten{};
  Tick rewritten_since{};  ///< tick of the previous sample
};

enum class SnapshotOffer : std::uint8_t { Stored, Duplicate, TooOld, last = TooOld };

class SnapshotRing {
 public:
  static constexpr std::size_t capacity = 16;
  /// Inserts by tick; a sample older than the window is dropped.
  SnapshotOffer insert(const Snapshot& snapshot);

  struct Sample {
    Handle frame = no_entity;
    Pose pose;
    Vec3 velocity;
    bool extrapolated = false;
    bool held = false;  ///< extrapolated to the limit and stopped there
  };
  /// The pose at `ticks` after `origin`, from the samples received so far. Extrapolates at most
  /// `extrapolate_ticks_max` beyond the newest sample.
  Sample sample(Tick origin, double ticks, double extrapolate_ticks_max) const;
  /// The same for rendering: an offset rewritten by the server is blended in, not jumped to.
  Sample drawn(Tick origin, double ticks, double extrapolate_ticks_max) const;

  bool empty() const { return samples_.empty(); }
  std::size_t size() const { return samples_.size(); }
  const Snapshot& newest() const { return samples_.back(); }
  /// Mean distance of the last samples in ticks, at least 1: the refresh interval of the entity
  /// here.
  double interval_ticks() const;
  void clear() { samples_.clear(); }

 private:
  void compare(std::size_t place);

  FixedVector<Snapshot, capacity> samples_;  ///< by tick
};

}  // namespace perigee
