/// Drawing of both paths and of their distance, for a browser.
#pragma once

#include <string>

#include "perigee/replay/recording.hpp"

namespace perigee::replay {

/// An SVG, seen from above, in the frame of the client's parent at `tick`; ticks with another
/// parent are left out.
std::string plot(const Recording& client, const Recording& worker, Tick tick);

}  // namespace perigee::replay
