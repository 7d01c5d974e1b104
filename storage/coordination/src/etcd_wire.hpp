/// etcd's calls for the caller's thread: started without blocking, replies go to its inbox.
#pragma once

#include <grpcpp/grpcpp.h>

#include <chrono>
#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "etcd/rpc.grpc.pb.h"
#include "inbox.hpp"
#include "perigee/base/result.hpp"
#include "perigee/base/tick.hpp"
#include "perigee/host/grpc_channel.hpp"
#include "perigee/host/loop.hpp"

namespace perigee::coordination {

namespace pb = etcdserverpb;

/// A request with a stream of responses. Destroying it cancels the stream.
class Subscription {
 public:
  virtual ~Subscription() = default;
};

class EtcdWire {
 public:
  template <class Response>
  using Done = std::function<void(const grpc::Status&, const Response&)>;
  template <class Response>
  using Received = std::function<void(const Response&)>;
  using Ended = std::function<void(const grpc::Status&)>;

  /// Responses waiting in the inbox; a stream that exceeds this is ended, to be resumed.
  static constexpr std::size_t answers_max = 1'024;
  /// Maximum batch of changes that a watch delivers after a pause.
  static constexpr int message_bytes_max = 64 * 1024 * 1024;

  struct Place {
    std::string name;
    std::shared_ptr<grpc::Channel> channel;
  };
  /// Opens a channel to each endpoint. An error: a file of `tls` is wrong.
  static Result<std::vector<Place>> open(const std::vector<std::string>& endpoints,
                                         const host::HostTls& tls);
  /// A call without an answer ends after `deadline_us`; see cancel_late().
  EtcdWire(const std::vector<Place>& places, Inbox& inbox, Micros deadline_us);
  /// Cancels calls under way and waits for their end.
  ~EtcdWire();

  const std::string& endpoint() const { return endpoints_[current_].name; }
  /// Calls from now on use the next endpoint.
  void leave_endpoint() { current_ = (current_ + 1) % endpoints_.size(); }

  void range(const pb::RangeRequest& request, Done<pb::RangeResponse> done);
  void txn(const pb::TxnRequest& request, Done<pb::TxnResponse> done);
  void grant(const pb::LeaseGrantRequest& request, Done<pb::LeaseGrantResponse> done);
  void revoke(const pb::LeaseRevokeRequest& request, Done<pb::LeaseRevokeResponse> done);
  void keep_alive(const pb::LeaseKeepAliveRequest& request, Done<pb::LeaseKeepAliveResponse> done);
  std::unique_ptr<Subscription> watch(const pb::WatchRequest& request,
                                      Received<pb::WatchResponse> received, Ended ended);
  /// Cancels calls whose deadline has passed, because gRPC's own timers stand still after a step
  /// back of the wall clock. Call it several times a second.
  void cancel_late() { calls_.cancel_late(host::Loop::clock_us()); }
  /// Gives calls under way this long to end.
  void linger(std::chrono::milliseconds most);

 private:
  using Context = std::shared_ptr<grpc::ClientContext>;  // a call may be cancelled after its end
  /// Used by gRPC's threads. They never own a context: the last reference to a channel must not be
  /// released on a thread of the channel's own queue, which would wait for itself.
  class Calls {
   public:
    Context begin(std::optional<Micros> ends_at_us);
    void end(grpc::ClientContext* context);
    void cancel_late(Micros now_us);
    /// The status to report: that of a late call is DEADLINE_EXCEEDED.
    grpc::Status judge(grpc::ClientContext* context, const grpc::Status& status);
    void cancel_all();
    bool await_end(std::optional<std::chrono::milliseconds> most);

   private:
    std::mutex mutex_;
    std::condition_variable changed_;
    struct Call {
      Context context;
      std::optional<Micros> ends_at_us;
      bool late = false;
    };
    std::map<grpc::ClientContext*, Call> under_way_;
    std::vector<Context> ended_;  // released with the next call, on the caller's thread
  };
  struct Endpoint {
    std::string name;
    std::unique_ptr<pb::KV::Stub> kv;
    std::unique_ptr<pb::Lease::Stub> lease;
    std::unique_ptr<pb::Watch::Stub> watch;
  };
  template <class Request, class Response>
  class Stream;

  template <class Async, class Request, class Response>
  void unary(Async* async,
             void (Async::*method)(grpc::ClientContext*, const Request*, Response*,
                                   std::function<void(grpc::Status)>),
             const Request& request, Done<Response> done);

  Inbox& inbox_;
  const Micros deadline_us_;
  std::vector<Endpoint> endpoints_;
  std::size_t current_ = 0;
  Calls calls_;
};

}  // namespace perigee::coordination
