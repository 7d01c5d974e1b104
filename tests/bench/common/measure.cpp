#include "bench/common/measure.hpp"

#include <unistd.h>

#include <ctime>
#include <filesystem>
#include <fstream>
#include <string>

namespace perigee::bench {
namespace {

std::int64_t read_ns(clockid_t clock) {
  timespec time{};
  if (clock_gettime(clock, &time) != 0) return 0;
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

std::filesystem::path proc(pid_t pid, const char* file) {
  return std::filesystem::path("/proc") / std::to_string(pid) / file;
}

}  // namespace

std::int64_t now_ns() { return read_ns(CLOCK_MONOTONIC); }
std::int64_t thread_time_ns() { return read_ns(CLOCK_THREAD_CPUTIME_ID); }

std::int64_t cpu_time_ns(pid_t pid) {
  // In nanoseconds; /proc/PID/stat has hundredths of a second.
  clockid_t clock{};
  return clock_getcpuclockid(pid, &clock) == 0 ? read_ns(clock) : 0;
}

std::size_t resident_bytes(pid_t pid) {
  std::size_t total = 0;
  std::size_t resident = 0;
  std::ifstream(proc(pid, "statm")) >> total >> resident;
  return resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

std::size_t open_descriptors(pid_t pid) {
  std::error_code error;
  std::size_t count = 0;
  for (std::filesystem::directory_iterator i(proc(pid, "fd"), error), end; !error && i != end;
       i.increment(error)) {
    ++count;
  }
  return count;
}

double reference_ns() {
  constexpr std::uint64_t steps = 200'000;
  std::uint64_t state = 1;
  std::vector<double> runs;
  for (int run = 0; run < 9; ++run) {
    runs.push_back(ns_per_call(steps, [&] {
      state = state * 6364136223846793005U + 1442695040888963407U;
      keep(state);
    }));
  }
  return median(runs);
}

}  // namespace perigee::bench
