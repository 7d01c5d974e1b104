/// The time-stamped store of one remote entity, and where to draw it: Hermite/slerp between
/// samples, extrapolation when they run out, then hold. (mission B1-B3, K5-K7, K18, V5, S13)
#pragma once

#include <cstdint>

#include "perigee/netcode/player_input.hpp"
#include "perigee/netcode/ring.hpp"
#include "perigee/netcode/tick.hpp"
#include "perigee/netcode/vec.hpp"

namespace perigee {

struct Snapshot {
  Tick tick;
  Handle frame = no_entity;  ///< parent that the pose is relative to; no_entity = world
  Pose pose;
  Vec3 velocity;  ///< in the frame, m/s
  /// No motion leads here from the sample before, the server has changed its mind in between: so
  /// far it is beside where one would have led. Found by the ring. (S13)
  Vec3 rewritten{};
  Tick rewritten_since{};  ///< of the sample before
};

enum class SnapshotOffer : std::uint8_t { Stored, Duplicate, TooOld, last = TooOld };

class SnapshotRing {
 public:
  static constexpr std::size_t capacity = 16;
  /// Sorted into place; a sample older than the window is dropped (K6).
  SnapshotOffer insert(const Snapshot& snapshot);

  struct Sample {
    Handle frame = no_entity;
    Pose pose;
    Vec3 velocity;
    bool extrapolated = false;
    bool held = false;  ///< extrapolated to the limit and stopped there (K7)
  };
  /// Where it is at `ticks` after `origin`, as far as is known now. At most `extrapolate_ticks_max`
  /// beyond the newest sample.
  Sample sample(Tick origin, double ticks, double extrapolate_ticks_max) const;
  /// The same for the eye: what the server has rewritten is not jumped to, but glided. (S13)
  Sample drawn(Tick origin, double ticks, double extrapolate_ticks_max) const;

  bool empty() const { return samples_.empty(); }
  std::size_t size() const { return samples_.size(); }
  const Snapshot& newest() const { return samples_.back(); }
  /// Mean distance of the last samples in ticks, at least 1: how often it is refreshed here.
  double interval_ticks() const;
  void clear() { samples_.clear(); }

 private:
  void compare(std::size_t place);

  FixedVector<Snapshot, capacity> samples_;  ///< by tick
};

}  // namespace perigee
