#include "perigee/base/track_bases.hpp"

namespace perigee {

std::size_t TrackBases::find(const Key& key) const {
  for (std::size_t i = keys_.size(); i > 0; --i) {
    if (keys_[i - 1] == key) return i - 1;
  }
  return nowhere;
}

void TrackBases::add(const Key& key, const TrackSteps& steps) {
  if (const std::size_t at = find(key); at != nowhere) {
    steps_[at] = steps;
    return;
  }
  keys_.push_back(key);
  steps_.push_back(steps);
}

bool TrackBases::complete(TrackRecord& record, const GroupFrame& frame, StreamId stream,
                          double spin_damping_per_s) {
  if (record.heading_only) return true;
  if (record.basis_ticks != 0) {
    const Tick began = record.track.tick - record.basis_ticks;
    const std::size_t at = find({frame, began, stream});
    if (at == nowhere) return false;
    if (!perigee::complete(record, {frame, began, steps_[at]}, spin_damping_per_s)) return false;
  }
  add({frame, record.track.tick, stream}, record.steps);
  return true;
}

void TrackBases::forget_stream(StreamId stream) {
  const TrackBases before = *this;
  keys_.clear();
  steps_.clear();
  for (std::size_t i = 0; i < before.keys_.size(); ++i) {
    if (before.keys_[i].stream != stream) add(before.keys_[i], before.steps_[i]);
  }
}

}  // namespace perigee
