/// The tracks that were sent to one observer: for each entity the newest, and whether it has
/// arrived.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "perigee/base/interest.hpp"
#include "perigee/base/tick.hpp"
#include "perigee/base/wire_client.hpp"
#include "perigee/base/wire_track.hpp"
#include "perigee/replication/arrived_ticks.hpp"
#include "perigee/replication/entity_slots.hpp"
#include "perigee/replication/prefetch.hpp"
#include "perigee/replication/slot_pages.hpp"

namespace perigee::replication {

/// Versions wrap: an observer's look, once a second at least, never misses as many.
inline constexpr int track_version_bits = 10, heading_version_bits = 6;
constexpr std::uint16_t next_version(std::uint16_t version) {
  return static_cast<std::uint16_t>(version % ((1U << track_version_bits) - 1) + 1);
}
constexpr std::uint8_t heading_after(std::uint8_t heading, int steps = 1) {
  return static_cast<std::uint8_t>((heading + steps) & ((1 << heading_version_bits) - 1));
}

/// One of an entity's shared tracks, by its number; 0: none. And the heading on it.
struct TrackVersion {
  std::uint16_t version = 0;
  Precision precision = Precision::Finest;
  std::uint8_t heading = 0;
  friend bool operator==(const TrackVersion&, const TrackVersion&) = default;
};
/// Both numbers of a track of known precision. 0: none.
using PackedVersion = std::uint16_t;
static_assert(track_version_bits + heading_version_bits == 16);
constexpr std::uint32_t track_version_mask = (1U << track_version_bits) - 1;
constexpr PackedVersion packed(const TrackVersion& track) {
  const std::uint32_t heading = track.heading;
  return static_cast<PackedVersion>((track.version & track_version_mask) |
                                    heading << track_version_bits);
}
constexpr TrackVersion unpacked(PackedVersion both, Precision precision) {
  return {static_cast<std::uint16_t>(both & track_version_mask), precision,
          static_cast<std::uint8_t>(both >> track_version_bits)};
}
/// Of one entity, by precision.
using PackedVersions = std::array<PackedVersion, precisions>;

/// An earlier track that an observer certainly has. Either its version, or the tick at which the
/// observer was sent the version of that tick.
struct HeldBasis {
  std::uint16_t version = 0;
  std::optional<Tick> sent;
  bool any() const { return version != 0 || sent.has_value(); }
};

class SentTracks {
 public:
  SentTracks() = default;
  /// With room for the entities that an observer can know, or all slots if they are fewer. Of
  /// others, nothing may be remembered: their tracks are sent again with each look.
  explicit SentTracks(std::size_t slots_max);

  /// In the observer's send slots: the track goes into a block of `now`.
  void note(std::uint32_t slot, const TrackVersion& track, Tick now);
  /// The same for the heading alone; only if has_track().
  void note_heading(std::uint32_t slot, std::uint8_t heading, Tick now);
  /// The track that of() returned went into the block of the observer's previous slot, and nothing
  /// is known of that block yet.
  bool sent_a_slot_ago(std::uint32_t slot, Tick now) const {
    const Entry& entry = entry_at(slot);
    return entry.track != 0 && entry.has_all == 0 &&
           ticks_between(sent_at(entry, now), now) == send_slot_ticks;
  }
  /// What a track of that class may be the difference to. After of(), and before note().
  HeldBasis basis(std::uint32_t slot, Precision precision, Tick now) const;
  /// The observer certainly has the track that of() returned, if perhaps not its heading.
  bool has_track(std::uint32_t slot) const {
    const Entry& entry = entry_at(slot);
    return entry.has_track != 0 || entry.has_all != 0;
  }
  /// The observer has the track that of() returned from another worker, and nothing from this one.
  bool is_adopted(std::uint32_t slot) const { return is_adopted(entry_at(slot)); }
  /// It was adopted, and nothing from this worker is certain to have arrived.
  bool is_unproven(std::uint32_t slot) const { return basis_at(slot).is_unproven != 0; }
  /// It was adopted, and the first track from this worker was lost, or none of `unproven_sent_max`
  /// has arrived. The observer may not know the entity. After of().
  bool is_refused(std::uint32_t slot) const {
    return basis_at(slot).unproven_sent == unproven_sent_max;
  }
  /// The entity is spawned again, which needs no further proof.
  void note_spawned_again(std::uint32_t slot);
  /// A block of `now` is sent, with or without tracks.
  void note_block(Tick now) {
    if (newest_sent_ != now) ++delivery_.sent;
    newest_sent_ = now;
  }
  /// Of the blocks so far.
  std::optional<Tick> newest_sent() const { return newest_sent_; }
  /// Ticks with blocks that were sent, and that were acknowledged, since the last call.
  struct Delivery {
    std::uint32_t sent = 0;
    std::uint32_t arrived = 0;
  };
  Delivery take_delivery() { return std::exchange(delivery_, {}); }
  /// Loads the slot's page into the cache.
  void prefetch(std::uint32_t slot) const { prefetch_all(pages_.read(slot)); }
  /// Loads the index of pages, which prefetch() and of() read first, for slots below `end`.
  void prefetch_index(std::uint32_t end) const { pages_.prefetch_index(end); }
  /// The track that the observer has, or that is on its way to it. Version 0: it was sent none, or
  /// the last one was lost. Entities in reach are looked at every second; after four minutes
  /// without a call, a track that was not acknowledged may count as just sent.
  TrackVersion of(std::uint32_t slot, Tick now) {
    const Entry& entry = entry_at(slot);
    if (entry.track != 0 && entry.has_all == 0) update(slot, now);
    return track_of(entry);
  }
  /// The track that the observer certainly has.
  TrackVersion held(std::uint32_t slot, Tick now) const;
  /// The observer certainly has the track that of() returned, and the heading on it.
  bool has_all(std::uint32_t slot) const { return entry_at(slot).has_all != 0; }
  /// The observer has it, by what another worker knows. It is no basis: that is of one stream. It
  /// is adopted until this worker sends a track.
  void adopt(std::uint32_t slot, const TrackVersion& track);
  /// The track that of() returned did not go into a block.
  void note_left_out(std::uint32_t slot);
  void forget(std::uint32_t slot);
  void forget_all();

  /// Ignored if the newest tick is after the newest one sent.
  void acknowledge(Tick newest, TickMask complete);
  /// All blocks of that tick have certainly arrived.
  bool arrived(Tick tick) const { return arrived_.contains(tick); }
  /// The blocks of that tick count as lost: a later one has arrived, or nothing for long.
  bool lost(Tick sent, Tick now) const;

 private:
  /// A track is lost if none of these ticks has arrived, but a later one has.
  static constexpr std::int32_t overtaken_ticks = send_slot_ticks;
  /// Without any acknowledgement of this or a later tick, a track is lost after this time.
  static constexpr std::int32_t unheard_ticks_max = 240;
  static constexpr int turn_bits = 12, unproven_bits = 4;
  static constexpr std::uint32_t unproven_sent_max = (1U << unproven_bits) - 1;
  struct Entry {
    PackedVersion track = 0;
    std::uint16_t turn : turn_bits = 0;  ///< number of the send slot in which it was sent
    std::uint16_t precision : 2 = 0;
    std::uint16_t has_track : 1 = 0;  ///< acknowledged
    std::uint16_t has_all : 1 = 0;    ///< with the heading; without has_track: it was adopted
    friend bool operator==(const Entry&, const Entry&) = default;
  };
  static_assert(sizeof(Entry) == 4);
  /// The tracks before the newest one. Without it the whole track is sent.
  struct Basis {
    std::uint16_t version : track_version_bits = 0;  ///< was acknowledged; 0: none
    std::uint16_t is_known : 1 = 0;                  ///< false after adopt()
    std::uint16_t is_unproven : 1 = 0;
    std::uint16_t unproven_sent : unproven_bits = 0;  ///< tracks from this worker, while unproven
    /// Bit i: a later version was sent i + 1 send slots before the newest one.
    std::uint16_t earlier = 0;
    friend bool operator==(const Basis&, const Basis&) = default;
  };
  static constexpr int earlier_bits = 16;
  static_assert(sizeof(Basis) == 4);
  /// Most looks read entries only: those of a page are one cache line.
  struct alignas(128) Page {
    static constexpr std::size_t slots = slots_per_page;
    std::array<Entry, slots> entries;
    std::array<Basis, slots> bases;
    Entry& entry(std::uint32_t slot) { return entries[slot % slots]; }
    Basis& basis(std::uint32_t slot) { return bases[slot % slots]; }
    friend bool operator==(const Page&, const Page&) = default;
  };
  static_assert(sizeof(Page) == 128);
  const Entry& entry_at(std::uint32_t slot) const {
    return pages_.read(slot).entries[slot % Page::slots];
  }
  const Basis& basis_at(std::uint32_t slot) const {
    return pages_.read(slot).bases[slot % Page::slots];
  }
  static void prove(Basis& basis) {
    basis.is_unproven = 0;
    basis.unproven_sent = 0;
  }
  static bool is_adopted(const Entry& entry) { return entry.has_all != 0 && entry.has_track == 0; }
  static Entry entry_of(const TrackVersion& track);
  static TrackVersion track_of(const Entry& entry) {
    return unpacked(entry.track, static_cast<Precision>(entry.precision));
  }
  /// For a track that was not acknowledged: notes whether its block has arrived by now, or is lost.
  void update(std::uint32_t slot, Tick now);
  void stamp(Entry& entry, Tick now);
  static void keep_basis(Basis& basis, const Entry& before, const Entry& now);
  void count_unproven(std::uint32_t slot, Basis& basis, const Entry& before, Tick now) const;
  Tick sent_at(const Entry& entry, Tick now) const;

  SlotPages<Page> pages_;
  ArrivedTicks arrived_;
  std::optional<Tick> newest_sent_;
  Delivery delivery_;
  std::uint32_t phase_ = 0;  ///< of the observer's ticks in the send slots
};

}  // namespace perigee::replication
