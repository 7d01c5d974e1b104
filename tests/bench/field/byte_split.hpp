// Bytes of blocks by their meaning.
#pragma once

#include "bench/common/figures.hpp"
#include "perigee/replication/publisher.hpp"

namespace perigee::bench {

/// Bytes between two readings of a publisher's counters, a second, for each of its players.
inline void add_bytes(const replication::Publisher::Counters& before,
                      const replication::Publisher::Counters& after, double player_seconds,
                      Figures& figures) {
  const auto add = [&](const char* name, std::uint64_t bytes) {
    figures.add(name, static_cast<double>(bytes) / player_seconds, "B/s");
  };
  const std::uint64_t own = after.bytes_own - before.bytes_own;
  const std::uint64_t events = after.bytes_events - before.bytes_events;
  const std::uint64_t tracks = after.bytes_tracks - before.bytes_tracks;
  const std::uint64_t all = after.bytes - before.bytes;
  add("bytes_per_player_s", all);
  add("bytes_of_own_sections_s", own);
  add("bytes_of_events_s", events);
  add("bytes_of_tracks_s", tracks);
  add("bytes_of_block_headers_s", all - own - events - tracks);
}

}  // namespace perigee::bench
