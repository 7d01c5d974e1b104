/// Unary calls that are answered later, from another thread, each once. No call stays open when the
/// server stops.
#pragma once

#include <grpcpp/grpcpp.h>

#include <memory>
#include <mutex>
#include <set>

namespace perigee::host {

class OpenCalls {
 public:
  /// More open calls are refused.
  explicit OpenCalls(std::size_t calls_max) : calls_max_(calls_max) {}

  /// A call; finish() ends it. Its request and reply are valid until then.
  class Call {
   public:
    explicit Call(grpc::ServerUnaryReactor* reactor) : reactor_(reactor) {}

   private:
    friend class OpenCalls;
    grpc::ServerUnaryReactor* const reactor_;
  };
  using Handle = std::shared_ptr<Call>;

  /// Null: the call has ended, because too many are open, or after stop(). Any thread.
  Handle open(grpc::ServerUnaryReactor* reactor) {
    std::unique_lock lock(mutex_);
    const bool full = calls_.size() == calls_max_;
    if (!stopped_ && !full) return *calls_.insert(std::make_shared<Call>(reactor)).first;
    const grpc::Status why = stopped_ ? stopping() : too_many();
    lock.unlock();
    reactor->Finish(why);
    return nullptr;
  }
  /// Any thread.
  void finish(const Handle& call, const grpc::Status& status) {
    {
      const std::lock_guard lock(mutex_);
      if (calls_.erase(call) == 0) return;
    }
    call->reactor_->Finish(status);
  }
  /// Ends all calls. Their requests and replies are invalid from then on.
  void stop() {
    std::set<Handle> left;
    {
      const std::lock_guard lock(mutex_);
      stopped_ = true;
      left.swap(calls_);
    }
    for (const Handle& call : left) call->reactor_->Finish(stopping());
  }
  static grpc::Status too_many() {
    return {grpc::StatusCode::RESOURCE_EXHAUSTED, "too many calls wait; try again in a second"};
  }
  static grpc::Status stopping() {
    return {grpc::StatusCode::UNAVAILABLE, "the process is stopping"};
  }

 private:
  const std::size_t calls_max_;
  std::mutex mutex_;
  std::set<Handle> calls_;  // guarded by mutex_
  bool stopped_ = false;    // guarded by mutex_
};

}  // namespace perigee::host
