#include "perigee/replication/sent_tracks.hpp"

#include <utility>

#include "perigee/base/assert.hpp"
#include "perigee/base/bits.hpp"
#include "perigee/base/interest.hpp"

namespace perigee::replication {

SentTracks::SentTracks(std::size_t slots_max) : pages_(slots_max, known_entities_max) {}

SentTracks::Entry SentTracks::entry_of(const TrackVersion& track) {
  Entry out;
  out.track = packed(track);
  out.precision = static_cast<std::uint32_t>(track.precision) & 3U;
  return out;
}

void SentTracks::stamp(Entry& entry, Tick now) {
  entry.turn = send_slot(now) & ((1U << turn_bits) - 1);
  phase_ = now.count % send_slot_ticks;
}

void SentTracks::keep_basis(Basis& basis, const Entry& before, const Entry& now) {
  if (basis.is_known == 0 || before.track == 0 || before.precision != now.precision) {
    basis.version = 0;
    basis.earlier = 0;
  } else if (before.has_track != 0) {
    basis.earlier = 0;
    basis.version = track_of(before).version & track_version_mask;
  } else {
    const std::uint32_t turns = (now.turn - before.turn) & ((1U << turn_bits) - 1);
    const bool near = turns > 0 && turns <= earlier_bits;
    const std::uint32_t sent = std::uint32_t{basis.earlier} << turns % 32 | 1U << (turns - 1) % 32;
    basis.earlier = near ? static_cast<std::uint16_t>(sent & low_bits(earlier_bits)) : 0;
  }
  basis.is_known = 1;
}

// With a new track in each slot, none is ever known to be lost.
void SentTracks::count_unproven(std::uint32_t slot, Basis& basis, const Entry& before,
                                Tick now) const {
  if (basis.is_unproven == 0) return;
  const HeldBasis held = this->basis(slot, static_cast<Precision>(before.precision), now);
  if (held.any()) {
    prove(basis);
  } else if (basis.unproven_sent < unproven_sent_max) {
    ++basis.unproven_sent;
  }
}

void SentTracks::note_spawned_again(std::uint32_t slot) {
  Page* page = pages_.find(slot);
  if (page != nullptr) prove(page->basis(slot));
}

void SentTracks::note(std::uint32_t slot, const TrackVersion& track, Tick now) {
  Page* page = pages_.take(slot);
  if (page == nullptr) return;
  count_unproven(slot, page->basis(slot), page->entry(slot), now);
  Entry& entry = page->entry(slot);
  const Entry before = std::exchange(entry, entry_of(track));
  stamp(entry, now);
  keep_basis(page->basis(slot), before, entry);
}

HeldBasis SentTracks::basis(std::uint32_t slot, Precision precision, Tick now) const {
  const Entry& entry = entry_at(slot);
  const Basis& basis = basis_at(slot);
  if (entry.track == 0 || track_of(entry).precision != precision || basis.is_known == 0) {
    return {};
  }
  if (entry.has_track != 0) return {track_of(entry).version, {}};
  const Tick newest = sent_at(entry, now);
  for (int i = 0; basis.earlier >> i != 0; ++i) {
    const Tick sent = newest - (i + 1) * send_slot_ticks;
    if ((basis.earlier >> i & 1) != 0 && arrived(sent)) return {0, sent};
  }
  return {static_cast<std::uint16_t>(basis.version), {}};
}

void SentTracks::note_heading(std::uint32_t slot, std::uint8_t heading, Tick now) {
  Page* page = pages_.find(slot);
  PERIGEE_ASSERT(page != nullptr && has_track(slot),
                 "a heading needs the track that it belongs to");
  Entry& entry = page->entry(slot);
  count_unproven(slot, page->basis(slot), entry, now);
  entry.track = packed({track_of(entry).version, Precision::Finest, heading});
  entry.has_track = 1;
  entry.has_all = 0;
  stamp(entry, now);
}

Tick SentTracks::sent_at(const Entry& entry, Tick now) const {
  constexpr std::uint32_t turns = 1U << turn_bits;
  const std::uint32_t ago = (send_slot(now) - entry.turn) % turns;
  return Tick{(send_slot(now) - ago) * send_slot_ticks + phase_};
}

void SentTracks::update(std::uint32_t slot, Tick now) {
  Page& page = *pages_.find(slot);
  Entry& entry = page.entry(slot);
  const Tick sent = sent_at(entry, now);
  if (arrived(sent)) {
    entry.has_track = entry.has_all = 1;
    prove(page.basis(slot));
  } else if (lost(sent, now)) {
    entry = {};
    if (is_unproven(slot)) page.basis(slot).unproven_sent = unproven_sent_max;
  }
}

TrackVersion SentTracks::held(std::uint32_t slot, Tick now) const {
  const Entry& entry = entry_at(slot);
  TrackVersion out = track_of(entry);
  if (entry.track == 0 || entry.has_all != 0 || arrived(sent_at(entry, now))) return out;
  if (entry.has_track == 0) return {};
  out.heading = heading_after(out.heading, -1);
  return out;
}

void SentTracks::adopt(std::uint32_t slot, const TrackVersion& track) {
  Page* page = pages_.take(slot);
  if (page == nullptr) return;
  Entry& entry = page->entry(slot) = track.version != 0 ? entry_of(track) : Entry{};
  entry.has_all = track.version != 0 ? 1 : 0;
  page->basis(slot) = {};
  page->basis(slot).is_unproven = 1;
}

void SentTracks::note_left_out(std::uint32_t slot) {
  Page* page = pages_.find(slot);
  if (page == nullptr) return;
  const bool is_unproven = page->basis(slot).is_unproven != 0;
  forget(slot);
  if (is_unproven) adopt(slot, {});
}

void SentTracks::forget(std::uint32_t slot) {
  Page* page = pages_.find(slot);
  if (page == nullptr) return;
  page->entry(slot) = {};
  page->basis(slot) = {};
  pages_.release_if_empty(slot);
}

void SentTracks::forget_all() { pages_.clear(); }

bool SentTracks::lost(Tick sent, Tick now) const {
  if (arrived(sent)) return false;
  const std::optional<Tick> newest = arrived_.newest();
  const bool overtaken = newest && ticks_between(sent, *newest) >= overtaken_ticks;
  return overtaken || ticks_between(sent, now) >= unheard_ticks_max;
}

void SentTracks::acknowledge(Tick newest, TickMask complete) {
  if (!newest_sent_ || before(*newest_sent_, newest)) return;
  delivery_.arrived += arrived_.note(newest, complete);
}

}  // namespace perigee::replication
