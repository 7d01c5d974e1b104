/// A memory limit for one process, like a container's: a cgroup if this user may create one, else a
/// limit of its data segment.
#pragma once

#include <filesystem>
#include <string>

#include <sys/types.h>

namespace perigee::process_test {

class MemoryGroup {
 public:
  MemoryGroup(std::uint64_t bytes_max, std::uint64_t threads_max);
  /// Its process continues without the limit.
  ~MemoryGroup();
  MemoryGroup(const MemoryGroup&) = delete;
  MemoryGroup& operator=(const MemoryGroup&) = delete;
  /// False: this machine does not permit any limit.
  bool add(pid_t process);

 private:
  std::uint64_t bytes_max_, threads_max_;
  std::filesystem::path home_;    ///< the cgroup of this test
  std::filesystem::path folder_;  ///< empty: no cgroup
  pid_t process_ = 0;
};

/// A figure of /proc/PID/status: kB of memory, or a count. 0 once the process has ended.
std::uint64_t status_of(pid_t process, const std::string& name);

}  // namespace perigee::process_test
