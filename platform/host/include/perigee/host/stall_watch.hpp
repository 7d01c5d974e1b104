/// Records when this process was runnable but got no processor time. A gap in a measurement during
/// such a stall may be the machine's fault and not the server's.
#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

#include "perigee/base/tick.hpp"

namespace perigee::host {

/// Times are Loop::clock_us().
class StallWatch {
 public:
  static constexpr Micros period_us = 10'000;
  static constexpr std::size_t stalls_max = 65'536;

  /// Shorter stalls are normal scheduling and are not recorded.
  explicit StallWatch(Micros stall_us_min);
  ~StallWatch();
  StallWatch(const StallWatch&) = delete;
  StallWatch& operator=(const StallWatch&) = delete;

  Micros longest_us() const;
  /// Stalled time between the two times.
  Micros stalled_us(Micros from_us, Micros to_us) const;

 private:
  struct Stall {
    Micros from_us = 0;
    Micros to_us = 0;
  };
  void watch();
  const Micros stall_us_min_;
  mutable std::mutex mutex_;
  std::condition_variable stop_;
  bool stopped_ = false;
  std::vector<Stall> stalls_;
  std::thread thread_;
};

}  // namespace perigee::host
