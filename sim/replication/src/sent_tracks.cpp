#include "perigee/replication/sent_tracks.hpp"

#include <algorithm>
#include <utility>

#include "perigee/base/assert.hpp"
#include "perigee/base/bits.hpp"
#include "perigee/base/interest.hpp"

namespace perigee::replication {

SentTracks::SentTracks(std::size_t slots_max)
    : entries_(std::min<std::size_t>(slots_max, known_entities_max)), bases_(bases_max) {}

auto SentTracks::take_entry(std::uint32_t slot) -> Entry* {
  if (Entry* known = entries_.find(key_of(slot))) return known;
  return entries_.full() ? nullptr : &entries_.add(key_of(slot), {});
}

SentTracks::Entry SentTracks::entry_of(const TrackVersion& track) {
  Entry out;
  out.version = track.version & ((1U << track_version_bits) - 1);
  out.heading = track.heading & ((1U << heading_version_bits) - 1);
  out.precision = static_cast<std::uint32_t>(track.precision) & 3U;
  return out;
}

TrackVersion SentTracks::track_of(const Entry& entry) {
  return {static_cast<std::uint16_t>(entry.version), static_cast<Precision>(entry.precision),
          static_cast<std::uint8_t>(entry.heading)};
}

void SentTracks::stamp(Entry& entry, Tick now) {
  entry.turn = send_slot(now) & ((1U << turn_bits) - 1);
  phase_ = now.count % send_slot_ticks;
}

void SentTracks::keep_basis(std::uint32_t slot, const Entry& before, const Entry& now) {
  Basis& basis = bases_[slot % bases_max];
  if (basis.slot != slot || before.version == 0 || before.precision != now.precision) {
    basis = {slot};
  } else if (before.has_track != 0) {
    basis = {slot, static_cast<std::uint16_t>(before.version)};
  } else {
    const std::uint32_t turns = (now.turn - before.turn) & ((1U << turn_bits) - 1);
    const bool near = turns > 0 && turns <= earlier_bits;
    const std::uint32_t sent = std::uint32_t{basis.earlier} << turns % 32 | 1U << (turns - 1) % 32;
    basis.earlier = near ? static_cast<std::uint16_t>(sent & low_bits(earlier_bits)) : 0;
  }
}

void SentTracks::note(std::uint32_t slot, const TrackVersion& track, Tick now) {
  Entry* entry = take_entry(slot);
  if (entry == nullptr) return;
  const Entry before = std::exchange(*entry, entry_of(track));
  stamp(*entry, now);
  keep_basis(slot, before, *entry);
}

HeldBasis SentTracks::basis(std::uint32_t slot, Precision precision, Tick now) const {
  const Entry& entry = entry_at(slot);
  const Basis& basis = bases_[slot % bases_max];
  if (entry.version == 0 || track_of(entry).precision != precision || basis.slot != slot) return {};
  if (entry.has_track != 0) return {static_cast<std::uint16_t>(entry.version), {}};
  const Tick newest = sent_at(entry, now);
  for (int i = 0; basis.earlier >> i != 0; ++i) {
    const Tick sent = newest - (i + 1) * send_slot_ticks;
    if ((basis.earlier >> i & 1) != 0 && arrived(sent)) return {0, sent};
  }
  return {basis.version, {}};
}

void SentTracks::note_heading(std::uint32_t slot, std::uint8_t heading, Tick now) {
  Entry* entry = entries_.find(key_of(slot));
  PERIGEE_ASSERT(entry != nullptr && entry->has_track != 0,
                 "a heading needs the track that it belongs to");
  entry->heading = heading & ((1U << heading_version_bits) - 1);
  entry->has_all = 0;
  stamp(*entry, now);
}

Tick SentTracks::sent_at(const Entry& entry, Tick now) const {
  constexpr std::uint32_t turns = 1U << turn_bits;
  const std::uint32_t ago = (send_slot(now) - entry.turn) % turns;
  return Tick{(send_slot(now) - ago) * send_slot_ticks + phase_};
}

TrackVersion SentTracks::of(std::uint32_t slot, Tick now) {
  Entry* entry = entries_.find(key_of(slot));
  if (entry == nullptr) return {};
  if (entry->version == 0 || entry->has_all != 0) return track_of(*entry);
  const Tick sent = sent_at(*entry, now);
  if (arrived(sent)) {
    entry->has_track = entry->has_all = 1;
  } else if (lost(sent, now)) {
    *entry = {};
  }
  return track_of(*entry);
}

TrackVersion SentTracks::held(std::uint32_t slot, Tick now) const {
  const Entry& entry = entry_at(slot);
  TrackVersion out = track_of(entry);
  if (entry.version == 0 || entry.has_all != 0 || arrived(sent_at(entry, now))) return out;
  if (entry.has_track == 0) return {};
  out.heading = heading_after(out.heading, -1);
  return out;
}

void SentTracks::adopt(std::uint32_t slot, const TrackVersion& track) {
  if (track.version == 0) {
    forget(slot);
  } else if (Entry* entry = take_entry(slot)) {
    *entry = entry_of(track);
    entry->has_track = entry->has_all = 1;
  }
  if (bases_[slot % bases_max].slot == slot) bases_[slot % bases_max] = {};
}

void SentTracks::forget_all() { entries_.clear(); }

bool SentTracks::arrived(Tick tick) const {
  return arrived_[tick.count / TickMask::step_ticks % arrived_.size()] == tick;
}

bool SentTracks::lost(Tick sent, Tick now) const {
  if (arrived(sent)) return false;
  const bool overtaken =
      newest_arrived_ && ticks_between(sent, *newest_arrived_) >= overtaken_ticks;
  return overtaken || ticks_between(sent, now) >= unheard_ticks_max;
}

void SentTracks::acknowledge(Tick newest, TickMask complete) {
  for (std::int32_t i = 0; complete.bits != 0; ++i, complete.bits >>= 1) {
    const Tick tick = newest - i * TickMask::step_ticks;
    if ((complete.bits & 1) == 0 || !newest_sent_ || before(*newest_sent_, tick)) continue;
    auto& arrived = arrived_[tick.count / TickMask::step_ticks % arrived_.size()];
    if (std::exchange(arrived, tick) != tick) ++delivery_.arrived;
    if (!newest_arrived_ || before(*newest_arrived_, tick)) newest_arrived_ = tick;
  }
}

}  // namespace perigee::replication
