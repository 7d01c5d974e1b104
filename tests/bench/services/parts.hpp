/// The parts of the suite.
#pragma once

#include "bench/common/suite.hpp"

namespace perigee::bench {

/// directory::Core in this process: the cost of its duties, by the number of workers.
Result<Ok> measure_deciding(const Run& run, Figures& figures);
/// perigee-directory with realistic members; and the size of a map.
Result<Ok> measure_directory(const Run& run, Figures& figures);
/// perigee-session with log-ins, claims, resume tokens and ends of sessions.
Result<Ok> measure_session(const Run& run, Figures& figures);

}  // namespace perigee::bench
