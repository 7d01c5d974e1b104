#include "memory_group.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <fstream>

namespace perigee::process_test {
namespace fs = std::filesystem;
namespace {

/// This process's cgroup in the hierarchy of the controller `memory` (version 1), or in the unified
/// one (version 2).
fs::path own_group() {
  std::ifstream groups("/proc/self/cgroup");
  fs::path unified;
  for (std::string line; std::getline(groups, line);) {
    const std::size_t path = line.rfind(':') + 2;
    if (line.find(":memory:") != std::string::npos) {
      return fs::path("/sys/fs/cgroup/memory") / line.substr(path);
    }
    if (line.starts_with("0::")) unified = fs::path("/sys/fs/cgroup") / line.substr(path);
  }
  return unified;
}

bool write(const fs::path& file, std::uint64_t value) {
  std::ofstream out(file);
  out << value << std::flush;
  return out.good();
}

}  // namespace

MemoryGroup::MemoryGroup(std::uint64_t bytes_max, std::uint64_t threads_max)
    : bytes_max_(bytes_max), threads_max_(threads_max), home_(own_group()) {
  static int made = 0;
  const fs::path folder =
      home_ / ("perigee-test-" + std::to_string(getpid()) + "-" + std::to_string(++made));
  std::error_code failed;
  if (!fs::create_directory(folder, failed)) return;
  folder_ = folder;
  for (const char* file : {"memory.limit_in_bytes", "memory.max"}) {
    if (fs::exists(folder / file) && write(folder / file, bytes_max)) return;
  }
  fs::remove(folder, failed);
  folder_.clear();
}

MemoryGroup::~MemoryGroup() {
  if (folder_.empty()) return;
  if (process_ > 0) write(home_ / "cgroup.procs", static_cast<std::uint64_t>(process_));
  std::error_code failed;
  fs::remove(folder_, failed);
}

bool MemoryGroup::add(pid_t process) {
  process_ = process;
  if (!folder_.empty() && write(folder_ / "cgroup.procs", static_cast<std::uint64_t>(process))) {
    return true;
  }
  constexpr rlim_t stack_bytes = 8U << 20U;  // reserved for each thread, and counted
  const rlim_t all = bytes_max_ + threads_max_ * stack_bytes;
  const rlimit limit{all, all};
  return prlimit(process, RLIMIT_DATA, &limit, nullptr) == 0;
}

std::uint64_t status_of(pid_t process, const std::string& name) {
  std::ifstream status("/proc/" + std::to_string(process) + "/status");
  for (std::string word; status >> word;) {
    std::uint64_t value = 0;
    if (word == name + ":" && status >> value) return value;
  }
  return 0;
}

}  // namespace perigee::process_test
