/// The newest tracks of one entity that have arrived: records may be differences to one of them.
#pragma once

#include <cstdint>

#include "perigee/base/ring.hpp"
#include "perigee/base/streams.hpp"
#include "perigee/base/wire_track.hpp"

namespace perigee {

class TrackBases {
 public:
  /// A record of `stream` has arrived. A difference becomes a track. False: its basis has not
  /// arrived in the same stream, or it is no track. Records of headings are left as they are.
  bool complete(TrackRecord& record, const GroupFrame& frame, StreamId stream,
                double spin_damping_per_s);
  /// The worker of the stream has been replaced.
  void forget_stream(StreamId stream);

 private:
  /// A worker builds on one of its last 8 tracks of a class.
  static constexpr std::size_t capacity = 8;
  /// Apart from the steps, so that a search reads little.
  struct Key {
    GroupFrame frame;
    Tick tick;
    StreamId stream = 0;
    friend bool operator==(const Key&, const Key&) = default;
  };
  static constexpr std::size_t nowhere = capacity;
  std::size_t find(const Key& key) const;
  void add(const Key& key, const TrackSteps& steps);

  /// In the order of their arrival, both.
  NewestOf<Key, capacity> keys_;
  NewestOf<TrackSteps, capacity> steps_;
};

}  // namespace perigee
