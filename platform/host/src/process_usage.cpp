#include "process_usage.hpp"

#include <malloc.h>
#include <sys/resource.h>
#include <unistd.h>

#include <fstream>

namespace perigee::host {
namespace {

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

}  // namespace

ProcessUsage process_usage() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  double total_pages = 0;
  double resident_pages = 0;
  std::ifstream("/proc/self/statm") >> total_pages >> resident_pages;
  const struct mallinfo2 heap = mallinfo2();
  return {.cpu_s = seconds(used.ru_utime) + seconds(used.ru_stime),
          .resident_bytes = resident_pages * static_cast<double>(sysconf(_SC_PAGESIZE)),
          .heap_used_bytes = static_cast<double>(heap.uordblks + heap.hblkhd)};
}

}  // namespace perigee::host
