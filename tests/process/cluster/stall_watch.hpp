/// How much of a time the machine itself was not there: a thread that only wants to be woken every
/// 10 ms, and notes by how much it was late. Bounds on real time are judged net of that.
#pragma once

#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>
#include <vector>

namespace perigee::process_test {

class StallWatch {
 public:
  StallWatch() : thread_([this] { watch(); }) {}
  ~StallWatch() {
    stop_ = true;
    thread_.join();
  }
  StallWatch(const StallWatch&) = delete;
  StallWatch& operator=(const StallWatch&) = delete;

  static double unix_now() {
    return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch())
        .count();
  }
  /// Seconds that the machine was late between two times.
  double stalled_s(double from_s, double to_s) const {
    const std::lock_guard lock(mutex_);
    double sum = 0;
    for (const Late& late : lates_) {
      if (late.at_s >= from_s && late.at_s - late.by_s <= to_s) sum += late.by_s;
    }
    return sum;
  }

 private:
  struct Late {
    double at_s = 0, by_s = 0;
  };
  static constexpr double period_s = 0.01;
  static constexpr double noise_s = 0.002;  ///< every sleep is a little late

  void watch() {
    double before_s = unix_now();
    while (!stop_) {
      std::this_thread::sleep_for(std::chrono::duration<double>(period_s));
      const double now_s = unix_now();
      const double late_s = now_s - before_s - period_s;
      before_s = now_s;
      if (late_s < noise_s) continue;
      const std::lock_guard lock(mutex_);
      lates_.push_back({now_s, late_s});
    }
  }

  mutable std::mutex mutex_;
  std::vector<Late> lates_;
  std::atomic<bool> stop_ = false;
  std::thread thread_;
};

}  // namespace perigee::process_test
