/// Times during which processes were ready to run and got no processor, from the kernel's schedstat
/// of each of their threads: that part of a gap in a player's updates is the machine's fault.
#pragma once

#include <sys/types.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "perigee/host/loop.hpp"

namespace perigee::process_test {

/// Times are Loop::clock_us().
class RunQueueWatch {
 public:
  void watch(pid_t process) {
    const std::lock_guard lock(mutex_);
    processes_.push_back(process);
  }
  /// Time between the two times during which at least one of the processes waited.
  Micros waited_us(Micros from_us, Micros to_us) const {
    std::vector<std::pair<Micros, Micros>> waits;
    {
      const std::lock_guard lock(mutex_);
      waits = waits_;
    }
    std::sort(waits.begin(), waits.end());
    Micros sum_us = 0;
    for (auto [began_us, ended_us] : waits) {
      began_us = std::max(began_us, from_us);
      ended_us = std::min(ended_us, to_us);
      if (ended_us <= began_us) continue;
      sum_us += ended_us - began_us;
      from_us = ended_us;
    }
    return sum_us;
  }

 private:
  static constexpr Micros wait_us_min = 2'000;          // shorter waits are normal scheduling
  static constexpr std::ptrdiff_t waits_max = 100'000;  // the newest; minutes on a busy machine

  void look() {
    const std::lock_guard lock(mutex_);
    for (const pid_t process : processes_) {
      std::error_code gone;
      const std::filesystem::path tasks = "/proc/" + std::to_string(process) + "/task";
      for (const auto& task : std::filesystem::directory_iterator(tasks, gone)) {
        std::uint64_t ran_ns = 0, waited_ns = 0;
        std::ifstream(task.path() / "schedstat") >> ran_ns >> waited_ns;
        const auto [known, is_new] = waited_ns_.emplace(task.path().string(), waited_ns);
        const std::uint64_t before_ns = std::exchange(known->second, waited_ns);
        if (is_new || waited_ns < before_ns) continue;
        const auto waited_us = static_cast<Micros>((waited_ns - before_ns) / 1'000);
        const Micros now_us = host::Loop::clock_us();
        if (waited_us < wait_us_min) continue;
        if (std::ssize(waits_) == waits_max)
          waits_.erase(waits_.begin(), waits_.begin() + waits_max / 2);
        waits_.emplace_back(now_us - waited_us, now_us);
      }
    }
  }

  mutable std::mutex mutex_;
  std::vector<pid_t> processes_;
  std::map<std::string, std::uint64_t> waited_ns_;  // by thread, so far
  std::vector<std::pair<Micros, Micros>> waits_;
  std::jthread looks_{[this](const std::stop_token& over) {
    for (; !over.stop_requested(); std::this_thread::sleep_for(std::chrono::milliseconds(20))) {
      look();
    }
  }};
};

}  // namespace perigee::process_test
