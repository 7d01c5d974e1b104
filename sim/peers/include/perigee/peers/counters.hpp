/// Counters of links between workers; the shell exports them.
#pragma once

#include <array>
#include <cstdint>

#include "perigee/netcode/counts.hpp"

namespace perigee::peers {

enum class Count : std::uint8_t {
  Linked,
  LostClosed,
  LostSilent,
  LostOverflow,
  LostBroken,
  LostReplaced,
  LostUnwanted,
  RefusedGarbage,
  RefusedVersion,
  RefusedSecret,
  RefusedUnknown,
  RefusedSlow,
  RefusedCrowd,
  RefusedByPeer,
  Unreachable,
  WordsIn,
  WordsOut,
  WordsUnsent,
  BytesIn,
  BytesOut,
  last = BytesOut
};

inline constexpr std::array count_rows = {
    CountRow<Count>{Count::Linked, "linked", "Handshakes completed."},
    CountRow<Count>{Count::LostClosed, "closed", "Links closed by the other side or the network."},
    CountRow<Count>{Count::LostSilent, "silent", "Links on which nothing was received for 2 s."},
    CountRow<Count>{Count::LostOverflow, "overflow",
                    "Links on which too many bytes waited for the other side."},
    CountRow<Count>{Count::LostBroken, "broken",
                    "Links that received bytes not sealed by the other side."},
    CountRow<Count>{Count::LostReplaced, "replaced", "Links replaced by a newer one."},
    CountRow<Count>{Count::LostUnwanted, "unwanted",
                    "Links to workers that are no longer in the map, or differ there."},
    CountRow<Count>{Count::RefusedGarbage, "garbage",
                    "Connections that did not begin with a hello."},
    CountRow<Count>{Count::RefusedVersion, "other_version",
                    "Hellos of a build with another version of the protocol between workers."},
    CountRow<Count>{Count::RefusedSecret, "wrong_secret",
                    "Hellos and replies made with another key."},
    CountRow<Count>{Count::RefusedUnknown, "unknown",
                    "Hellos from or to a worker or incarnation that is not in this worker's map, "
                    "or of another cluster id."},
    CountRow<Count>{Count::RefusedSlow, "slow", "Handshakes that took more than 2 s."},
    CountRow<Count>{Count::RefusedCrowd, "crowd",
                    "Connections dropped as the oldest of too many without a handshake."},
    CountRow<Count>{Count::RefusedByPeer, "turned_away",
                    "Connections that the other side ended before the handshake was complete."},
    CountRow<Count>{Count::Unreachable, "unreachable", "Dials to unreachable addresses."},
    CountRow<Count>{Count::WordsIn, "words_in", "Messages delivered."},
    CountRow<Count>{Count::WordsOut, "words_out", "Messages sent."},
    CountRow<Count>{Count::WordsUnsent, "words_unsent", "Messages without a link."},
    CountRow<Count>{Count::BytesIn, "bytes_in",
                    "Bytes read from connections, including invalid ones."},
    CountRow<Count>{Count::BytesOut, "bytes_out", "Bytes written to connections."},
};
static_assert(one_row_each(count_rows), "give every Count one row, in enum order");

}  // namespace perigee::peers
