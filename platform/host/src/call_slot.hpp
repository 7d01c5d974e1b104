/// For a thread that makes one call after another with pauses: lets other threads stop it or end
/// its pause.
#pragma once

#include <grpcpp/grpcpp.h>

#include <chrono>
#include <condition_variable>
#include <mutex>

#include "perigee/base/tick.hpp"

namespace perigee::host {

/// The call that a thread is in, so that stopping can cancel it.
class CallSlot {
 public:
  void stop() {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    if (current_ != nullptr) current_->TryCancel();
    wake_.notify_all();
  }
  bool stopped() {
    const std::lock_guard lock(mutex_);
    return stopped_;
  }
  /// False once stopped. A nudge ends this pause, or the next one.
  bool sleep(Micros us) {
    std::unique_lock lock(mutex_);
    wake_.wait_for(lock, std::chrono::microseconds(us), [&] { return stopped_ || nudged_; });
    nudged_ = false;
    return !stopped_;
  }
  /// A pause that a nudge does not end.
  bool sleep_whole(Micros us) {
    std::unique_lock lock(mutex_);
    return !wake_.wait_for(lock, std::chrono::microseconds(us), [&] { return stopped_; });
  }
  void nudge() {
    const std::lock_guard lock(mutex_);
    nudged_ = true;
    wake_.notify_all();
  }
  /// Cancels the current call and skips the pause after it.
  void interrupt() {
    const std::lock_guard lock(mutex_);
    if (current_ != nullptr) current_->TryCancel();
    nudged_ = true;
    wake_.notify_all();
  }
  template <class Call>
  auto run(grpc::ClientContext& context, Call call) {
    enter(&context);
    auto result = call();
    enter(nullptr);
    return result;
  }

 private:
  void enter(grpc::ClientContext* context) {
    const std::lock_guard lock(mutex_);
    current_ = context;
    if (stopped_ && context != nullptr) context->TryCancel();
  }
  std::mutex mutex_;
  std::condition_variable wake_;
  grpc::ClientContext* current_ = nullptr;
  bool stopped_ = false;
  bool nudged_ = false;
};

}  // namespace perigee::host
