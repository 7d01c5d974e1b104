/// A network of our own: what floods and saturates must not meet anybody else's traffic.
#pragma once

#include "perigee/netcode/result.hpp"

namespace perigee::bench {

/// Moves this process, and the children it will start, into a fresh network namespace with nothing
/// but a loopback interface. Works for root, and for others where unprivileged user namespaces are
/// allowed. Before any thread is started.
Result<Ok> enter_own_network();

/// On a busy machine, this process and the children it will start go before others, where that is
/// permitted.
void go_first();

/// This process and the children it will start run on this processor from now on. Does nothing on
/// a machine that has no such processor.
void run_on_processor(unsigned processor);

}  // namespace perigee::bench
