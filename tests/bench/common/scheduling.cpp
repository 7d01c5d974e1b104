#include "bench/common/scheduling.hpp"

#include <sched.h>
#include <sys/resource.h>

namespace perigee::bench {

void go_first() { setpriority(PRIO_PROCESS, 0, -15); }

void run_on_processor(unsigned processor) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(processor, &set);
  sched_setaffinity(0, sizeof set, &set);
}

}  // namespace perigee::bench
