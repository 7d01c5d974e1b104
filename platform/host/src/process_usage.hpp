/// CPU time and memory of this process, as the kernel counts them.
#pragma once

namespace perigee::host {

struct ProcessUsage {
  double cpu_s = 0;  ///< of all threads, in user and kernel mode, since the start
  double resident_bytes = 0;
};

ProcessUsage process_usage();

}  // namespace perigee::host
