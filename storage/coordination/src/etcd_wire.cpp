#include "etcd_wire.hpp"

#include "perigee/host/grpc_channel.hpp"

namespace perigee::coordination {
namespace {

auto deadline_in(Micros us) {
  return std::chrono::system_clock::now() + std::chrono::microseconds(us);
}

}  // namespace

EtcdWire::Context EtcdWire::Calls::begin(std::optional<Micros> ends_at_us) {
  const auto context = std::make_shared<grpc::ClientContext>();
  std::vector<Context> ended;
  const std::lock_guard lock(mutex_);
  ended.swap(ended_);
  under_way_.emplace(context.get(), Call{context, ends_at_us});
  return context;
}

void EtcdWire::Calls::end(grpc::ClientContext* context) {
  const std::lock_guard lock(mutex_);
  ended_.push_back(std::move(under_way_.extract(context).mapped().context));
  changed_.notify_all();
}

void EtcdWire::Calls::cancel_all() {
  std::vector<Context> contexts;  // gRPC may end a call while it is being cancelled here
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [key, call] : under_way_) contexts.push_back(call.context);
  }
  for (const Context& context : contexts) context->TryCancel();
}

void EtcdWire::Calls::cancel_late(Micros now_us) {
  std::vector<Context> late;
  {
    const std::lock_guard lock(mutex_);
    for (auto& [key, call] : under_way_) {
      if (!call.ends_at_us || now_us < *call.ends_at_us) continue;
      call.ends_at_us.reset();
      call.late = true;
      late.push_back(call.context);
    }
  }
  for (const Context& context : late) context->TryCancel();
}

grpc::Status EtcdWire::Calls::judge(grpc::ClientContext* context, const grpc::Status& status) {
  const std::lock_guard lock(mutex_);
  const bool late = under_way_.at(context).late;
  if (!late || status.error_code() != grpc::StatusCode::CANCELLED) return status;
  return {grpc::StatusCode::DEADLINE_EXCEEDED, "no answer in time"};
}

bool EtcdWire::Calls::await_end(std::optional<std::chrono::milliseconds> most) {
  std::unique_lock lock(mutex_);
  const auto none = [this] { return under_way_.empty(); };
  if (most) return changed_.wait_for(lock, *most, none);
  changed_.wait(lock, none);
  return true;
}

/// Sends one request and receives responses until the stream ends. gRPC's threads own it until
/// then.
template <class Request, class Response>
class EtcdWire::Stream final : public grpc::ClientBidiReactor<Request, Response> {
 public:
  Stream(Calls& calls, grpc::ClientContext* context, Inbox& inbox, const Request& request,
         Received<Response> received, Ended ended)
      : calls_(calls),
        context_(context),
        inbox_(inbox),
        request_(request),
        received_(std::move(received)),
        ended_(std::move(ended)) {}

  /// Called after the stub has taken it.
  void start(bool says_no_more) {
    if (says_no_more) {
      this->StartWriteLast(&request_, {});
    } else {
      this->StartWrite(&request_);
    }
    this->StartRead(&response_);
    this->StartCall();
  }
  void OnReadDone(bool well) override {
    if (!well) return;
    inbox_.post([received = received_, response = std::move(response_)] { received(response); });
    response_ = Response();
    if (inbox_.size() > answers_max) context_->TryCancel();
    this->StartRead(&response_);
  }
  void OnDone(const grpc::Status& status) override {
    inbox_.post([ended = ended_, judged = calls_.judge(context_, status)] { ended(judged); });
    Calls& calls = calls_;
    grpc::ClientContext* const context = context_;
    delete this;
    calls.end(context);
  }

 private:
  Calls& calls_;
  grpc::ClientContext* const context_;
  Inbox& inbox_;
  const Request request_;
  Response response_;
  const Received<Response> received_;
  const Ended ended_;
};

Result<std::vector<EtcdWire::Place>> EtcdWire::open(const std::vector<std::string>& endpoints,
                                                    const host::HostTls& tls) {
  std::vector<Place> out;
  for (const std::string& name : endpoints) {
    auto channel = host::open_channel_to_host(name, tls, message_bytes_max);
    if (!channel) return Error{"etcd: " + channel.error().message};
    out.push_back({name, std::move(*channel)});
  }
  return out;
}

EtcdWire::EtcdWire(const std::vector<Place>& places, Inbox& inbox, Micros deadline_us)
    : inbox_(inbox), deadline_us_(deadline_us) {
  for (const auto& [name, channel] : places) {
    endpoints_.push_back(
        {name, pb::KV::NewStub(channel), pb::Lease::NewStub(channel), pb::Watch::NewStub(channel)});
  }
}

EtcdWire::~EtcdWire() {
  calls_.cancel_all();
  calls_.await_end({});
}

void EtcdWire::linger(std::chrono::milliseconds most) { calls_.await_end(most); }

template <class Async, class Request, class Response>
void EtcdWire::unary(Async* async,
                     void (Async::*method)(grpc::ClientContext*, const Request*, Response*,
                                           std::function<void(grpc::Status)>),
                     const Request& request, Done<Response> done) {
  struct Call {
    Request request;
    Response response;
  };
  const auto call = std::make_shared<Call>(Call{request, {}});
  grpc::ClientContext* const context = calls_.begin(host::Loop::clock_us() + deadline_us_).get();
  context->set_deadline(deadline_in(deadline_us_));
  (async->*method)(context, &call->request, &call->response,
                   [this, context, call, done = std::move(done)](const grpc::Status& received) {
                     const grpc::Status status = calls_.judge(context, received);
                     inbox_.post([call, done, status] { done(status, call->response); });
                     calls_.end(context);
                   });
}

void EtcdWire::range(const pb::RangeRequest& request, Done<pb::RangeResponse> done) {
  using Async = pb::KV::StubInterface::async_interface;
  unary<Async, pb::RangeRequest, pb::RangeResponse>(endpoints_[current_].kv->async(), &Async::Range,
                                                    request, std::move(done));
}

void EtcdWire::txn(const pb::TxnRequest& request, Done<pb::TxnResponse> done) {
  using Async = pb::KV::StubInterface::async_interface;
  unary<Async, pb::TxnRequest, pb::TxnResponse>(endpoints_[current_].kv->async(), &Async::Txn,
                                                request, std::move(done));
}

void EtcdWire::grant(const pb::LeaseGrantRequest& request, Done<pb::LeaseGrantResponse> done) {
  using Async = pb::Lease::StubInterface::async_interface;
  unary<Async, pb::LeaseGrantRequest, pb::LeaseGrantResponse>(
      endpoints_[current_].lease->async(), &Async::LeaseGrant, request, std::move(done));
}

void EtcdWire::revoke(const pb::LeaseRevokeRequest& request, Done<pb::LeaseRevokeResponse> done) {
  using Async = pb::Lease::StubInterface::async_interface;
  unary<Async, pb::LeaseRevokeRequest, pb::LeaseRevokeResponse>(
      endpoints_[current_].lease->async(), &Async::LeaseRevoke, request, std::move(done));
}

void EtcdWire::keep_alive(const pb::LeaseKeepAliveRequest& request,
                          Done<pb::LeaseKeepAliveResponse> done) {
  using One = Stream<pb::LeaseKeepAliveRequest, pb::LeaseKeepAliveResponse>;
  const auto answer = std::make_shared<pb::LeaseKeepAliveResponse>();
  grpc::ClientContext* const context = calls_.begin(host::Loop::clock_us() + deadline_us_).get();
  context->set_deadline(deadline_in(deadline_us_));
  auto* const stream = new One(
      calls_, context, inbox_, request,
      [answer](const pb::LeaseKeepAliveResponse& got) { *answer = got; },
      [answer, done = std::move(done)](const grpc::Status& status) { done(status, *answer); });
  endpoints_[current_].lease->async()->LeaseKeepAlive(context, stream);
  stream->start(true);
}

std::unique_ptr<Subscription> EtcdWire::watch(const pb::WatchRequest& request,
                                              Received<pb::WatchResponse> received, Ended ended) {
  class Interest final : public Subscription {
   public:
    Interest(Context context, std::shared_ptr<bool> dropped)
        : context_(std::move(context)), dropped_(std::move(dropped)) {}
    ~Interest() override {
      *dropped_ = true;
      context_->TryCancel();
    }

   private:
    const Context context_;
    const std::shared_ptr<bool> dropped_;
  };
  using Changes = Stream<pb::WatchRequest, pb::WatchResponse>;
  const auto dropped = std::make_shared<bool>(false);  // caller's thread only
  const Context context = calls_.begin(std::nullopt);
  auto* const stream = new Changes(
      calls_, context.get(), inbox_, request,
      [dropped, received = std::move(received)](const pb::WatchResponse& response) {
        if (!*dropped) received(response);
      },
      [dropped, ended = std::move(ended)](const grpc::Status& status) {
        if (!*dropped) ended(status);
      });
  endpoints_[current_].watch->async()->Watch(context.get(), stream);
  stream->start(false);
  return std::make_unique<Interest>(context, dropped);
}

}  // namespace perigee::coordination
