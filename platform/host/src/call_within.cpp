#include "perigee/host/call_within.hpp"

#include <string>

namespace perigee::host {

CallDeadline::CallDeadline(grpc::ClientContext& context, std::chrono::microseconds limit)
    : limit_(limit), thread_([this, &context](const std::stop_token& ended) {
        std::unique_lock lock(mutex_);
        changed_.wait_for(lock, ended, limit_, [] { return false; });
        if (ended.stop_requested()) return;
        passed_ = true;
        context.TryCancel();
      }) {}

grpc::Status CallDeadline::judge(const grpc::Status& status) {
  const std::lock_guard lock(mutex_);
  if (!passed_ || status.error_code() != grpc::StatusCode::CANCELLED) return status;
  const auto limit = std::chrono::duration_cast<std::chrono::milliseconds>(limit_);
  return {grpc::StatusCode::DEADLINE_EXCEEDED,
          "no answer within " + std::to_string(limit.count()) + " ms"};
}

}  // namespace perigee::host
