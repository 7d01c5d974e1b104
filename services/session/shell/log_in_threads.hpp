/// Threads for log-ins that wait for another service: gRPC's own threads never wait.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace perigee::session {

class LogInThreads {
 public:
  /// `count` at once, and as many that wait for a thread.
  explicit LogInThreads(std::size_t count);
  /// Ends all log-ins that run() has accepted.
  ~LogInThreads();
  LogInThreads(const LogInThreads&) = delete;
  LogInThreads& operator=(const LogInThreads&) = delete;

  /// False: too many wait; `log_in` will not be called.
  bool run(std::function<void()> log_in);

 private:
  void work();

  const std::size_t waiting_max_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::function<void()>> waiting_;  // guarded by mutex_
  bool stopping_ = false;                      // guarded by mutex_
  std::vector<std::thread> threads_;
};

}  // namespace perigee::session
