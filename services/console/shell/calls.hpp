/// Calls of other services on behalf of browsers, on a few threads: a call may take seconds.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace perigee::console {

class Calls {
 public:
  static constexpr std::size_t threads = 4;
  static constexpr std::size_t waiting_max = 64;

  Calls();
  /// Waits for the calls that run; those that wait are dropped.
  ~Calls();
  Calls(const Calls&) = delete;
  Calls& operator=(const Calls&) = delete;

  /// False: waiting_max calls wait already.
  bool run(std::function<void()> call);

 private:
  void work();

  std::mutex mutex_;
  std::condition_variable woken_;
  std::deque<std::function<void()>> waiting_;
  bool stopping_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace perigee::console
