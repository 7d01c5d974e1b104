/// Calls from other threads that wait for the caller's next poll.
#pragma once

#include <functional>
#include <mutex>
#include <utility>
#include <vector>

namespace perigee::coordination {

class Inbox {
 public:
  /// Any thread.
  void post(std::function<void()> call) {
    const std::lock_guard lock(mutex_);
    waiting_.push_back(std::move(call));
    if (waiting_.size() == 1 && wake_) wake_();
  }
  std::size_t size() const {
    const std::lock_guard lock(mutex_);
    return waiting_.size();
  }
  /// `wake` runs under the lock, so no thread is in the former `wake` after this returns.
  void wake_by(std::function<void()> wake) {
    const std::lock_guard lock(mutex_);
    wake_ = std::move(wake);
    if (!waiting_.empty() && wake_) wake_();
  }
  /// The caller's thread.
  void run() {
    std::vector<std::function<void()>> calls;
    {
      const std::lock_guard lock(mutex_);
      calls.swap(waiting_);
    }
    for (const auto& call : calls) call();
  }

 private:
  mutable std::mutex mutex_;
  std::function<void()> wake_;
  std::vector<std::function<void()>> waiting_;
};

}  // namespace perigee::coordination
