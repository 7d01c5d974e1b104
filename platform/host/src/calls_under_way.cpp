#include "perigee/host/calls_under_way.hpp"

#include "perigee/base/assert.hpp"

namespace perigee::host {

bool CallsUnderWay::begin(grpc::ClientContext& context, Micros ends_at_us) {
  const std::lock_guard lock(mutex_);
  if (stopped_) return false;
  calls_.emplace(&context, Call{.context = &context, .ends_at_us = ends_at_us});
  return true;
}

void CallsUnderWay::end(const grpc::ClientContext& context, const grpc::Status& status,
                        const std::function<void(const grpc::Status&)>& then) {
  std::unique_lock lock(mutex_);
  const auto call = calls_.find(&context);
  PERIGEE_ASSERT(call != calls_.end(), "a call ends once");
  const bool late = call->second.late && status.error_code() == grpc::StatusCode::CANCELLED;
  lock.unlock();
  then(late ? grpc::Status(grpc::StatusCode::DEADLINE_EXCEEDED, "no answer in time") : status);
  lock.lock();
  calls_.erase(&context);
  if (calls_.empty()) none_left_.notify_all();
}

void CallsUnderWay::cancel_late(Micros now_us) {
  const std::lock_guard lock(mutex_);
  for (auto& [key, call] : calls_) {
    if (call.late || now_us < call.ends_at_us) continue;
    call.late = true;
    call.context->TryCancel();
  }
}

void CallsUnderWay::stop() {
  std::unique_lock lock(mutex_);
  stopped_ = true;
  for (const auto& [key, call] : calls_) call.context->TryCancel();
  none_left_.wait(lock, [this] { return calls_.empty(); });
}

}  // namespace perigee::host
