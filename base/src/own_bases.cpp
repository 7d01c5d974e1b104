#include "perigee/base/own_bases.hpp"

namespace perigee {

OwnBases::Kept* OwnBases::place_for(StreamId stream, Tick tick) {
  std::size_t of_stream = 0;
  Kept* free = nullptr;
  Kept* oldest = nullptr;
  Kept* oldest_of_others = nullptr;
  for (Kept& kept : kept_) {
    if (kept.stream == 0) {
      free = &kept;
      continue;
    }
    if (kept.stream == stream) {
      if (kept.basis.tick == tick) return &kept;
      ++of_stream;
    }
    Kept*& older = kept.stream == stream ? oldest : oldest_of_others;
    if (older == nullptr || before(kept.basis.tick, older->basis.tick)) older = &kept;
  }
  if (of_stream == OwnBasis::kept_max) {
    return before(oldest->basis.tick, tick) ? oldest : nullptr;
  }
  return free != nullptr ? free : oldest_of_others;
}

void OwnBases::add(StreamId stream, const OwnSection& own) {
  if (!own.becomes_basis) return;
  if (Kept* place = place_for(stream, own.tick)) *place = {stream, own};
}

const OwnBasis* OwnBases::find(StreamId stream, Tick tick) const {
  for (const Kept& kept : kept_) {
    if (kept.stream == stream && kept.basis.tick == tick) return &kept.basis;
  }
  return nullptr;
}

void OwnBases::forget_stream(StreamId stream) {
  for (Kept& kept : kept_) {
    if (kept.stream == stream) kept.stream = 0;
  }
}

}  // namespace perigee
