/// Own sections that later ones build on: those of the stream that sent the newest one.
#pragma once

#include <array>
#include <cstddef>
#include <optional>

#include "perigee/base/own_section.hpp"
#include "perigee/base/streams.hpp"

namespace perigee {

class OwnBases {
 public:
  /// A late section of another stream is dropped: that worker has given the avatar away.
  void add(StreamId stream, const OwnSection& own);
  const OwnBasis* find(StreamId stream, Tick tick) const;
  void forget_stream(StreamId stream);

 private:
  StreamId stream_ = 0;  ///< 0: none
  std::optional<Tick> newest_;
  std::array<OwnBasis, OwnBasis::kept_max> kept_{};
  std::size_t added_ = 0;
};

}  // namespace perigee
