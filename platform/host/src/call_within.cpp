#include "perigee/host/call_within.hpp"

#include <string>

namespace perigee::host {

grpc::Status CallEnd::wait(std::chrono::microseconds limit, grpc::ClientContext& context) {
  std::unique_lock lock(mutex_);
  const auto ended = [this] { return status_.has_value(); };
  if (ended_.wait_for(lock, limit, ended)) return *status_;
  lock.unlock();
  context.TryCancel();
  lock.lock();
  ended_.wait(lock, ended);
  if (status_->error_code() != grpc::StatusCode::CANCELLED) return *status_;
  return {grpc::StatusCode::DEADLINE_EXCEEDED,
          "no answer within " +
              std::to_string(std::chrono::duration_cast<std::chrono::milliseconds>(limit).count()) +
              " ms"};
}

}  // namespace perigee::host
