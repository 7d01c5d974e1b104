/// Both paths and how far they are apart, as a drawing for a browser.
#pragma once

#include <string>

#include "perigee/replay/recording.hpp"

namespace perigee::replay {

/// SVG. Seen from above, in the frame of the parent that the client had at `tick`; ticks with
/// another parent are left out.
std::string plot(const Recording& client, const Recording& worker, Tick tick);

}  // namespace perigee::replay
