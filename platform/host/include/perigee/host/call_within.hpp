/// Blocking gRPC calls that end in time. gRPC's own timers wait by the wall clock: after it was set
/// back by an hour, a deadline comes an hour late. These calls are ended by the monotonic clock.
#pragma once

#include <grpcpp/grpcpp.h>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace perigee::host {

/// Cancels a call, unless it is destroyed before `limit` has passed. The context lives longer.
class CallDeadline {
 public:
  CallDeadline(grpc::ClientContext& context, std::chrono::microseconds limit);
  /// The status of the call: DEADLINE_EXCEEDED if this object has cancelled it.
  grpc::Status judge(const grpc::Status& status);

 private:
  const std::chrono::microseconds limit_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  bool passed_ = false;  ///< guarded by mutex_
  std::jthread thread_;
};

/// Calls a method of `stub`, such as &Directory::Stub::GetTime, and blocks until the call has
/// ended: with the server's status, with CANCELLED if another thread has cancelled `context`, or
/// with DEADLINE_EXCEEDED after `limit`.
template <class Stub, class Request, class Reply>
grpc::Status call_within(std::chrono::microseconds limit, grpc::ClientContext& context, Stub& stub,
                         grpc::Status (Stub::*method)(grpc::ClientContext*, const Request&, Reply*),
                         const Request& request, Reply& reply) {
  // gRPC's deadline tells the server when its answer is no longer awaited.
  context.set_deadline(std::chrono::system_clock::now() + limit);
  CallDeadline deadline(context, limit);
  return deadline.judge((stub.*method)(&context, request, &reply));
}
template <class Stub, class Request, class Reply>
grpc::Status call_within(std::chrono::microseconds limit, Stub& stub,
                         grpc::Status (Stub::*method)(grpc::ClientContext*, const Request&, Reply*),
                         const Request& request, Reply& reply) {
  grpc::ClientContext context;
  return call_within(limit, context, stub, method, request, reply);
}

}  // namespace perigee::host
