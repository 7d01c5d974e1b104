/// The parts of the suite.
#pragma once

#include "bench/common/suite.hpp"

namespace perigee::bench {

/// directory::Core in this process: its duty, by the number of workers.
Result<Ok> measure_deciding(const Run& run, Figures& figures);
/// perigee-directory under members that say what members say; and what a map weighs.
Result<Ok> measure_directory(const Run& run, Figures& figures);
/// perigee-session under log-ins, claims, resume tokens and ends.
Result<Ok> measure_session(const Run& run, Figures& figures);

}  // namespace perigee::bench
