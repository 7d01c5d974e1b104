/// The processor and priority of a benchmark.
#pragma once

namespace perigee::bench {

/// On a busy machine, gives this process and its future children a higher priority, if that is
/// permitted.
void go_first();

/// Binds this process and its future children to this processor. Does nothing on a machine without
/// such a processor.
void run_on_processor(unsigned processor);

}  // namespace perigee::bench
