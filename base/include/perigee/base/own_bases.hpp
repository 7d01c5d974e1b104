/// Own sections that later ones build on. A worker builds on any that the client has acknowledged,
/// so they are kept whatever other streams send meanwhile: the stream of a new owner may be behind
/// that of the former one, or alternate with it.
#pragma once

#include <array>
#include <cstddef>

#include "perigee/base/own_section.hpp"
#include "perigee/base/streams.hpp"

namespace perigee {

class OwnBases {
 public:
  /// Keeps the section if it becomes a basis: of each stream the newest OwnBasis::kept_max. A third
  /// stream takes the room of the others' oldest ones.
  void add(StreamId stream, const OwnSection& own);
  const OwnBasis* find(StreamId stream, Tick tick) const;
  void forget_stream(StreamId stream);

 private:
  static constexpr std::size_t streams_kept = 2;
  struct Kept {
    StreamId stream = 0;  ///< 0: none
    OwnBasis basis;
  };
  /// Null: there are enough newer ones.
  Kept* place_for(StreamId stream, Tick tick);

  std::array<Kept, streams_kept * OwnBasis::kept_max> kept_{};
};

}  // namespace perigee
