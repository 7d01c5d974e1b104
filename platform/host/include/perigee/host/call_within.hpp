/// Unary gRPC calls that end in time. gRPC's own timers wait by the wall clock: after it was set
/// back by an hour, a deadline comes an hour late. These calls are ended by the monotonic clock.
#pragma once

#include <grpcpp/grpcpp.h>

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>

namespace perigee::host {

/// The end of one call that was begun with a callback.
class CallEnd {
 public:
  /// The callback of the call. This object must live until then.
  std::function<void(grpc::Status)> callback() {
    return [this](grpc::Status status) {
      const std::lock_guard lock(mutex_);
      status_ = std::move(status);
      ended_.notify_all();
    };
  }
  /// Blocks until the callback has run. A call that lasts for longer than `limit` is cancelled, and
  /// its status is DEADLINE_EXCEEDED.
  grpc::Status wait(std::chrono::microseconds limit, grpc::ClientContext& context);

 private:
  std::mutex mutex_;
  std::condition_variable ended_;
  std::optional<grpc::Status> status_;
};

/// Calls a method of `stub`, such as &Directory::Stub::async_interface::GetTime, and blocks until
/// the call has ended: with the server's status, with CANCELLED if another thread has cancelled
/// `context`, or with DEADLINE_EXCEEDED after `limit`.
template <class Stub, class Request, class Reply>
grpc::Status call_within(std::chrono::microseconds limit, grpc::ClientContext& context, Stub& stub,
                         void (Stub::async_interface::*method)(grpc::ClientContext*, const Request*,
                                                               Reply*,
                                                               std::function<void(grpc::Status)>),
                         const Request& request, Reply& reply) {
  // So the server learns when its answer is no longer awaited.
  context.set_deadline(std::chrono::system_clock::now() + limit);
  CallEnd end;
  (stub.async()->*method)(&context, &request, &reply, end.callback());
  return end.wait(limit, context);
}
template <class Stub, class Request, class Reply>
grpc::Status call_within(std::chrono::microseconds limit, Stub& stub,
                         void (Stub::async_interface::*method)(grpc::ClientContext*, const Request*,
                                                               Reply*,
                                                               std::function<void(grpc::Status)>),
                         const Request& request, Reply& reply) {
  grpc::ClientContext context;
  return call_within(limit, context, stub, method, request, reply);
}

}  // namespace perigee::host
