#include "perigee/base/track_bases.hpp"

namespace perigee {

const TrackBasis* TrackBases::find(const GroupFrame& frame, StreamId stream, Tick tick) const {
  for (std::size_t i = bases_.size(); i > 0; --i) {
    const Basis& basis = bases_[i - 1];
    if (basis.track.tick == tick && basis.stream == stream && basis.track.frame == frame) {
      return &basis.track;
    }
  }
  return nullptr;
}

void TrackBases::add(const Basis& basis) {
  for (Basis& known : bases_) {
    if (known.track.tick != basis.track.tick || known.stream != basis.stream ||
        known.track.frame != basis.track.frame) {
      continue;
    }
    known = basis;
    return;
  }
  if (bases_.full()) bases_.erase(0);
  bases_.push_back(basis);
}

bool TrackBases::complete(TrackRecord& record, const GroupFrame& frame, StreamId stream,
                          double spin_damping_per_s) {
  if (record.heading_only) return true;
  if (record.basis_ticks != 0) {
    const TrackBasis* basis = find(frame, stream, record.track.tick - record.basis_ticks);
    if (basis == nullptr || !perigee::complete(record, *basis, spin_damping_per_s)) return false;
  }
  add({{frame, record.track.tick, record.steps}, stream});
  return true;
}

void TrackBases::forget_stream(StreamId stream) {
  for (std::size_t i = bases_.size(); i > 0; --i) {
    if (bases_[i - 1].stream == stream) bases_.erase(i - 1);
  }
}

}  // namespace perigee
