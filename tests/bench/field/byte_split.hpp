// Looks, records, and the bytes of blocks by their meaning.
#pragma once

#include <string>

#include "bench/common/figures.hpp"
#include "perigee/replication/publisher.hpp"

namespace perigee::bench {

/// Between two readings of a publisher's counters, a second, for each of its players.
inline void add_replication(const replication::Publisher::Counters& before,
                            const replication::Publisher::Counters& after, double player_seconds,
                            Figures& figures, const std::string& suffix = {}) {
  const auto add = [&](const char* name, std::uint64_t count, const char* unit = "B/s") {
    figures.add(name + suffix, static_cast<double>(count) / player_seconds, unit);
  };
  add("looks_per_player_s", after.looks - before.looks, "1/s");
  add("records_per_player_s", after.records - before.records, "1/s");
  const std::uint64_t own = after.bytes_own - before.bytes_own;
  const std::uint64_t events = after.bytes_events - before.bytes_events;
  const std::uint64_t tracks = after.bytes_tracks - before.bytes_tracks;
  const std::uint64_t cues = after.bytes_cues - before.bytes_cues;
  const std::uint64_t all = after.bytes - before.bytes;
  add("bytes_per_player_s", all);
  add("bytes_of_own_sections_s", own);
  add("bytes_of_events_s", events);
  add("bytes_of_tracks_s", tracks);
  add("bytes_of_cues_s", cues);
  add("bytes_of_block_headers_s", all - own - events - tracks - cues);
}

}  // namespace perigee::bench
