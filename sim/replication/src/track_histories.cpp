#include "perigee/replication/track_histories.hpp"

#include "perigee/replication/track_table.hpp"

namespace perigee::replication {

TrackHistories::History* TrackHistories::find(std::uint32_t owner, Index index) {
  return index < all_.size() && all_[index].owner == owner ? &all_[index] : nullptr;
}

TrackHistories::History* TrackHistories::take(std::uint32_t owner, Index& index) {
  if (all_.size() < all_.capacity()) {
    all_.push_back({.owner = owner});
    index = static_cast<Index>(all_.size() - 1);
    return &all_.back();
  }
  for (std::size_t i = 0; i < std::min(tries_max, all_.size()); ++i) {
    next_ = (next_ + 1) % all_.size();
    History& history = all_[next_];
    if (serial_ - history.used < unused_ticks) continue;
    history = {};
    history.owner = owner;
    index = static_cast<Index>(next_);
    return &history;
  }
  return nullptr;
}

void TrackHistories::note(std::uint32_t owner, Index& index, const SharedTrack& replaced) {
  History* history = find(owner, index);
  if (history == nullptr) history = take(owner, index);
  if (history == nullptr) return;
  history->used = serial_;
  history->differences.clear();
  std::size_t place = history->earlier.size();
  if (history->earlier.full()) {
    place = history->earlier[0].place;
    history->earlier.erase(0);
  }
  history->earlier.push_back(
      {replaced.track.tick, replaced.version, static_cast<std::uint16_t>(place)});
  history->bases[place] = {replaced.frame, replaced.track.tick, replaced.steps};
}

// The version that an observer got at a tick is the newest one that had begun by then.
const EncodedDifference* TrackHistories::difference(std::uint32_t owner, Index index, Handle handle,
                                                    const SharedTrack& track,
                                                    const HeldBasis& basis) {
  History* history = basis.any() ? find(owner, index) : nullptr;
  if (history == nullptr || (basis.sent && !before(*basis.sent, track.track.tick))) return nullptr;
  const auto is_basis = [&](const Earlier& earlier) {
    return basis.sent ? not_after(earlier.tick, *basis.sent) : earlier.version == basis.version;
  };
  std::size_t at = history->earlier.size();
  while (at > 0 && !is_basis(history->earlier[at - 1])) --at;
  if (at == 0) return nullptr;
  const Earlier& from = history->earlier[at - 1];
  const TrackBasis& from_basis = history->bases[from.place];
  if (from_basis.frame != track.frame) return nullptr;
  for (const Difference& known : history->differences) {
    if (known.version == from.version) return known.bytes.empty() ? nullptr : &known.bytes;
  }
  ++encoded_;
  const Difference made{from.version,
                        encode_difference(handle, track.steps, track.track.tick, from_basis,
                                          track.track.spin_damping_per_s, track.bytes.size())};
  if (!history->differences.full()) {
    history->differences.push_back(made);
    history->next_difference = 0;
    const EncodedDifference& bytes = history->differences.back().bytes;
    return bytes.empty() ? nullptr : &bytes;
  }
  Difference& oldest = history->differences[history->next_difference++ % differences_max];
  oldest = made;
  return made.bytes.empty() ? nullptr : &oldest.bytes;
}

void TrackHistories::forget_differences(std::uint32_t owner, Index index) {
  if (History* history = find(owner, index)) history->differences.clear();
}

}  // namespace perigee::replication
