/// The tracks of all entities: one for each class of precision, shared by all observers of that
/// class. A track is encoded once, and replaced when the entity has left it by more than the bound.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "perigee/base/wire_track.hpp"
#include "perigee/replication/published.hpp"
#include "perigee/replication/sent_tracks.hpp"
#include "perigee/replication/track_histories.hpp"
#include "perigee/replication/track_holders.hpp"

namespace perigee::replication {

struct SharedTrack {
  GroupFrame frame;
  std::uint16_t version = 0;  ///< 0: none yet
  /// People turn more often than they leave their tracks. Their newest heading is in `track`
  /// and in `bytes`, and alone in `heading_bytes`.
  std::uint8_t heading = 0;
  Tick turned;
  EncodedHeading heading_bytes;
  EncodedTrack bytes;
  Track track;       ///< as receivers have it; its position is the offset from the frame's origin
  TrackSteps steps;  ///< of `track`
};

/// The name of a shared track and its heading.
inline TrackVersion version_of(const SharedTrack& shared) {
  return {shared.version, shared.frame.precision, shared.heading};
}

class TrackTable {
 public:
  /// Motion of an entity at an earlier tick, in the frame of `parent`; none if it was not there.
  using PastOf = std::function<std::optional<PastMotion>(Handle, Tick, Handle parent)>;

  /// A third of the slots can have a history: those of bodies that move. Most entities rest, and
  /// are in one ring of interest: room for all tracks is reserved, but only used memory is touched.
  explicit TrackTable(std::size_t slots_max);

  void begin(Tick now);
  /// Three steps load what current() and difference() read into the cache. Each of them reads what
  /// the step before it has loaded.
  void prefetch_slot(std::uint32_t slot) const { prefetch_lines<1>(&of_slots_[slot]); }
  void prefetch_track(std::uint32_t slot, Precision precision) const {
    const OfSlot& of_slot = of_slots_[slot];
    const Line& line = lines_[of_slot.lines[index(precision)]];
    if (of_slot.checked[index(precision)] == 0) return prefetch_all(line);
    prefetch_lines<Line::lines_of_record>(&line);
  }
  void prefetch_history(std::uint32_t slot, Precision precision) const {
    histories_.prefetch(lines_[of_slots_[slot].lines[index(precision)]].history);
  }
  /// The track of that class, replaced if it does not tell the entity's place any more.
  const SharedTrack& current(std::uint32_t slot, Precision precision, const Published& entity,
                             const PastOf& past) {
    // Inline: most calls are for a track that another observer has asked for in this tick.
    if (of_slots_[slot].checked[index(precision)] == 0) check(slot, precision, entity, past);
    return shared(slot, precision);
  }
  /// The tracks that current() has returned in this tick, for looks that TrackHolders does not end.
  const PackedVersions& checked(std::uint32_t slot) const { return of_slots_[slot].checked; }
  /// The track that current() has returned, as the difference to one that an observer has. Null:
  /// the whole track has to be sent. Valid until the next call for this track.
  const EncodedDifference* difference(std::uint32_t slot, Precision precision, Handle handle,
                                      const HeldBasis& basis);
  /// Whether the present track of the class `of` tells the place within the bound of `within`.
  bool tells(std::uint32_t slot, Precision of, Precision within, const Published& entity) const;
  const SharedTrack& shared(std::uint32_t slot, Precision precision) const {
    return lines_[of_slots_[slot].lines[index(precision)]].shared;
  }
  /// For a new entity in this slot.
  void clear(std::uint32_t slot);
  /// The observers that certainly have the newest track of a class.
  TrackHolders& holders() { return holders_; }
  const TrackHolders& holders() const { return holders_; }
  /// From the worker that had the entity before.
  void adopt(std::uint32_t slot, const SharedTrack& track, const Published& entity);

  /// Number of tracks, headings and differences that were encoded.
  std::uint64_t encoded() const { return encoded_ + histories_.encoded(); }

 private:
  struct alignas(cache_line_bytes) Line {
    /// The first cache lines, which have all that a record needs.
    static constexpr std::size_t lines_of_record = 2;
    TrackHistories::Index history = ~0U;
    SharedTrack shared;
  };
  static_assert(sizeof(Line) == 6 * cache_line_bytes);
  using LineIndex = std::uint32_t;
  /// The empty line of all tracks that were never asked for.
  static constexpr LineIndex no_line = 0;
  struct alignas(32) OfSlot {
    std::array<LineIndex, precisions> lines{};
    PackedVersions checked{};  ///< of this tick
  };
  static constexpr std::size_t index(Precision precision) {
    return static_cast<std::size_t>(precision);
  }
  /// Names the line towards the histories.
  static constexpr std::uint32_t owner(std::uint32_t slot, Precision precision) {
    return static_cast<std::uint32_t>(slot * precisions + index(precision));
  }

  void check(std::uint32_t slot, Precision precision, const Published& entity, const PastOf& past);
  /// The track's own line.
  Line& line(std::uint32_t slot, Precision precision);
  Track new_track(const Published& entity, const GroupFrame& frame, const PastOf& past) const;
  void turn(std::uint32_t slot, Line& line, const Published& entity);
  void renew(std::uint32_t slot, Line& line, Precision precision, const Published& entity,
             const PastOf& past);
  void note_checked(std::uint32_t slot, const SharedTrack& shared, const Published& entity);

  std::vector<OfSlot> of_slots_;
  std::vector<std::uint32_t> checked_slots_;
  std::vector<Line> lines_;
  std::vector<LineIndex> free_lines_;
  TrackHistories histories_;
  TrackHolders holders_;
  Tick now_;
  std::uint64_t encoded_ = 0;
};

/// Whether a person's heading is as the track tells it, within 6 degrees near by and 12 far away.
bool tells_heading(const SharedTrack& shared, const Published& entity);
/// Largest distance between a point of the entity's surface and the same point as the track tells
/// it; infinite if the track is in another frame. A person's heading does not count.
double error_of(const SharedTrack& shared, const Published& entity, Tick now);
/// The curve that explains the last four ticks best. A body's track is bent only if that explains
/// them several times better. `motion`: a straight track; the past is in its frame.
Track fitted(const Track& motion, const std::optional<PastMotion>& two_ticks_ago,
             const std::optional<PastMotion>& four_ticks_ago);
/// Gives it an angular acceleration if that explains the rotations of the last four ticks several
/// times better.
void fit_spin(Track& track, const std::optional<PastMotion>& two_ticks_ago,
              const std::optional<PastMotion>& four_ticks_ago);

}  // namespace perigee::replication
