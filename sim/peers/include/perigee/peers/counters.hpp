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
    CountRow<Count>{Count::Linked, "linked", "Handshakes that ended well."},
    CountRow<Count>{Count::LostClosed, "closed", "Links that the other side or the network ended."},
    CountRow<Count>{Count::LostSilent, "silent", "Links on which nothing was heard for 2 s."},
    CountRow<Count>{Count::LostOverflow, "overflow",
                    "Links whose other side did not read what waited for it."},
    CountRow<Count>{Count::LostBroken, "broken",
                    "Links that carried what their other side had not sealed."},
    CountRow<Count>{Count::LostReplaced, "replaced", "Links that gave way to a newer one."},
    CountRow<Count>{Count::LostUnwanted, "unwanted",
                    "Links to workers that the map does not name any more, or otherwise."},
    CountRow<Count>{Count::RefusedGarbage, "garbage", "Connections that began with no hello."},
    CountRow<Count>{Count::RefusedVersion, "other_version",
                    "Hellos of a build whose workers speak another version with each other."},
    CountRow<Count>{Count::RefusedSecret, "wrong_secret",
                    "Hellos and answers that were made with another key."},
    CountRow<Count>{Count::RefusedUnknown, "unknown",
                    "Hellos of or to a worker, a life or a cluster that is not in our map."},
    CountRow<Count>{Count::RefusedSlow, "slow", "Handshakes that took more than 2 s."},
    CountRow<Count>{Count::RefusedCrowd, "crowd",
                    "The oldest of too many connections without a handshake."},
    CountRow<Count>{Count::RefusedByPeer, "turned_away",
                    "Connections that ended before their handshake did."},
    CountRow<Count>{Count::Unreachable, "unreachable", "Dials that found nobody."},
    CountRow<Count>{Count::WordsIn, "words_in", "Messages delivered."},
    CountRow<Count>{Count::WordsOut, "words_out", "Messages sent."},
    CountRow<Count>{Count::WordsUnsent, "words_unsent", "Messages without a link."},
    CountRow<Count>{Count::BytesIn, "bytes_in", "Read from connections, good or bad."},
    CountRow<Count>{Count::BytesOut, "bytes_out", "Given to connections."},
};
static_assert(one_row_each(count_rows), "give every Count one row, in enum order");

}  // namespace perigee::peers
