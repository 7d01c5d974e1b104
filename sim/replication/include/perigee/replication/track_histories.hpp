/// The earlier versions of shared tracks, and the present one as the difference to them. Only
/// tracks that were replaced lately have a history: there is a fixed number of them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "perigee/base/ring.hpp"
#include "perigee/base/wire_track.hpp"
#include "perigee/replication/prefetch.hpp"
#include "perigee/replication/sent_tracks.hpp"

namespace perigee::replication {

struct SharedTrack;

class TrackHistories {
 public:
  using Index = std::uint32_t;

  /// Memory is touched when a history is needed.
  explicit TrackHistories(std::size_t count) { all_.reserve(count); }

  void begin() { ++serial_; }
  /// Loads what a search reads into the cache.
  void prefetch(Index index) const {
    constexpr std::size_t lines = (offsetof(History, bases) - 1) / cache_line_bytes + 1;
    if (index < all_.size()) prefetch_lines<lines>(&all_[index]);
  }
  /// `replaced` is replaced by a newer version. `owner` names a track, `index` was set by the last
  /// call for it. If all histories are in use, it gets none.
  void note(std::uint32_t owner, Index& index, const SharedTrack& replaced);
  /// The track as the difference to `basis`. Null: that is not known any more, or the difference is
  /// not shorter. Valid until the next call for this track.
  const EncodedDifference* difference(std::uint32_t owner, Index index, Handle handle,
                                      const SharedTrack& track, const HeldBasis& basis);
  /// The track has another heading.
  void forget_differences(std::uint32_t owner, Index index);
  /// Number of differences that were encoded.
  std::uint64_t encoded() const { return encoded_; }

 private:
  static constexpr std::size_t earlier_max = 7;
  static constexpr std::size_t differences_max = 4;
  /// A track that was not replaced for so long gives its history to another one.
  static constexpr std::uint32_t unused_ticks = 600;
  static constexpr std::size_t tries_max = 16;

  struct Earlier {
    Tick tick;
    std::uint16_t version = 0;
    std::uint16_t place = 0;  ///< in `bases`
  };
  struct Difference {
    std::uint16_t version = 0;  ///< of the basis
    EncodedDifference bytes;
  };
  /// A search reads the members before `bases`, and one of the bases.
  struct alignas(64) History {
    std::uint32_t owner = ~0U;
    std::uint32_t used = 0;                     ///< serial of the tick
    FixedVector<Earlier, earlier_max> earlier;  ///< oldest first
    FixedVector<Difference, differences_max> differences;
    std::uint32_t next_difference = 0;  ///< is overwritten
    std::array<TrackBasis, earlier_max> bases;
  };
  History* find(std::uint32_t owner, Index index);
  History* take(std::uint32_t owner, Index& index);

  std::vector<History> all_;
  std::size_t next_ = 0;
  std::uint32_t serial_ = unused_ticks;
  std::uint64_t encoded_ = 0;
};

}  // namespace perigee::replication
