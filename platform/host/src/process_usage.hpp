/// CPU time and memory of this process, as the kernel and the C library count them.
#pragma once

namespace perigee::host {

struct ProcessUsage {
  double cpu_s = 0;  ///< of all threads, in user and kernel mode, since the start
  double resident_bytes = 0;
  double heap_used_bytes = 0;  ///< allocated and not freed, whether it was touched or not
};

ProcessUsage process_usage();

}  // namespace perigee::host
