#include "log_in_threads.hpp"

#include <utility>

namespace perigee::session {

LogInThreads::LogInThreads(std::size_t count) : waiting_max_(count) {
  for (std::size_t i = 0; i < count; ++i) threads_.emplace_back([this] { work(); });
}

LogInThreads::~LogInThreads() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

bool LogInThreads::run(std::function<void()> log_in) {
  {
    const std::lock_guard lock(mutex_);
    if (waiting_.size() == waiting_max_) return false;
    waiting_.push_back(std::move(log_in));
  }
  wake_.notify_one();
  return true;
}

void LogInThreads::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    wake_.wait(lock, [this] { return stopping_ || !waiting_.empty(); });
    if (waiting_.empty()) return;
    const auto log_in = std::move(waiting_.front());
    waiting_.pop_front();
    lock.unlock();
    log_in();
    lock.lock();
  }
}

}  // namespace perigee::session
