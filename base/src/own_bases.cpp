#include "perigee/base/own_bases.hpp"

#include <algorithm>

namespace perigee {

void OwnBases::add(StreamId stream, const OwnSection& own) {
  const bool newer = !newest_ || before(*newest_, own.tick);
  if (stream != stream_) {
    if (!newer) return;
    *this = {};
    stream_ = stream;
  }
  if (newer) newest_ = own.tick;
  if (own.becomes_basis) kept_[added_++ % kept_.size()] = own;
}

const OwnBasis* OwnBases::find(StreamId stream, Tick tick) const {
  if (stream != stream_) return nullptr;
  const auto end = kept_.begin() + static_cast<std::ptrdiff_t>(std::min(added_, kept_.size()));
  const auto found =
      std::find_if(kept_.begin(), end, [&](const OwnBasis& kept) { return kept.tick == tick; });
  return found == end ? nullptr : &*found;
}

void OwnBases::forget_stream(StreamId stream) {
  if (stream == stream_) *this = {};
}

}  // namespace perigee
