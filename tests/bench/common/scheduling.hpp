/// Which processor a benchmark runs on, and before whom.
#pragma once

namespace perigee::bench {

/// On a busy machine, this process and the children it will start go before others, where that is
/// permitted.
void go_first();

/// This process and the children it will start run on this processor from now on. Does nothing on
/// a machine that has no such processor.
void run_on_processor(unsigned processor);

}  // namespace perigee::bench
