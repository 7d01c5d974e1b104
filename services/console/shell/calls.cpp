#include "calls.hpp"

#include <utility>

namespace perigee::console {

Calls::Calls() {
  for (std::size_t i = 0; i < threads; ++i) threads_.emplace_back([this] { work(); });
}

Calls::~Calls() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    waiting_.clear();
  }
  woken_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

bool Calls::run(std::function<void()> call) {
  const std::lock_guard lock(mutex_);
  if (stopping_ || waiting_.size() == waiting_max) return false;
  waiting_.push_back(std::move(call));
  woken_.notify_one();
  return true;
}

void Calls::work() {
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    if (waiting_.empty()) {
      woken_.wait(lock);
      continue;
    }
    const auto call = std::move(waiting_.front());
    waiting_.pop_front();
    lock.unlock();
    call();
    lock.lock();
  }
}

}  // namespace perigee::console
