#include "descriptor_limit.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <atomic>

namespace perigee::host {

void reserve_descriptors(std::uint32_t count) {
  constexpr rlim_t others = 512;
  static std::atomic<rlim_t> of_ports = 0;
  const rlim_t wanted = others + (of_ports += count);
  rlimit limit{};
  getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = std::min(limit.rlim_max, std::max(limit.rlim_cur, wanted));
  setrlimit(RLIMIT_NOFILE, &limit);
}

}  // namespace perigee::host
