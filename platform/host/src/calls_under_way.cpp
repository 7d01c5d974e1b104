#include "perigee/host/calls_under_way.hpp"

#include "perigee/base/assert.hpp"

namespace perigee::host {

bool CallsUnderWay::begin(grpc::ClientContext& context, Micros ends_at_us) {
  const std::lock_guard lock(mutex_);
  if (stopped_) return false;
  calls_.emplace(&context, Call{.context = &context, .ends_at_us = ends_at_us});
  return true;
}

grpc::Status CallsUnderWay::end(const grpc::ClientContext& context, const grpc::Status& status) {
  const std::lock_guard lock(mutex_);
  const auto call = calls_.find(&context);
  PERIGEE_ASSERT(call != calls_.end(), "a call ends once");
  const bool late = call->second.late;
  calls_.erase(call);
  if (calls_.empty()) none_left_.notify_all();
  if (!late || status.error_code() != grpc::StatusCode::CANCELLED) return status;
  return {grpc::StatusCode::DEADLINE_EXCEEDED, "no answer in time"};
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
