/// A client's asynchronous calls that have not ended. They end in time also after the wall clock
/// was set back; see call_within.hpp.
#pragma once

#include <grpcpp/grpcpp.h>

#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>

#include "perigee/base/tick.hpp"

namespace perigee::host {

class CallsUnderWay {
 public:
  /// True: the call's callback must call end(). False: it must not be begun, because of stop(). Any
  /// thread.
  bool begin(grpc::ClientContext& context, Micros ends_at_us);
  /// Runs `then` with the call's status, which is DEADLINE_EXCEEDED if cancel_late() has cancelled
  /// it. stop() returns only after that. Any thread.
  void end(const grpc::ClientContext& context, const grpc::Status& status,
           const std::function<void(const grpc::Status&)>& then);
  /// Cancels the calls whose time is over. Call it several times a second. Any thread.
  void cancel_late(Micros now_us);
  /// Cancels all, and waits for their ends.
  void stop();

 private:
  struct Call {
    grpc::ClientContext* context = nullptr;
    Micros ends_at_us = 0;
    bool late = false;
  };
  std::mutex mutex_;  ///< guards all below
  std::condition_variable none_left_;
  std::map<const grpc::ClientContext*, Call> calls_;
  bool stopped_ = false;
};

}  // namespace perigee::host
