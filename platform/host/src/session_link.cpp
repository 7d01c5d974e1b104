#include "perigee/host/session_link.hpp"

#include <grpcpp/grpcpp.h>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "perigee/host/calls_under_way.hpp"
#include "perigee/host/grpc_channel.hpp"
#include "perigee/host/log.hpp"
#include "perigee/host/secrets.hpp"
#include "session.grpc.pb.h"

namespace perigee::host {
namespace v1 = session::v1;
namespace {

using namespace std::chrono_literals;
constexpr Micros watch_retry_us = 500'000;
constexpr Micros news_retry_us = 500'000;
constexpr Micros connect_period_us = 100'000;
constexpr Micros late_check_us = 100'000;
constexpr auto farewell = 300ms;

using Async = v1::SessionControl::StubInterface::async_interface;
/// The callback overload.
template <class Request, class Reply>
using Method = void (Async::*)(grpc::ClientContext*, const Request*, Reply*,
                               std::function<void(grpc::Status)>);
auto deadline_in(Micros us) {
  return std::chrono::system_clock::now() + std::chrono::microseconds(us);
}

}  // namespace

struct SessionLink::Impl : std::enable_shared_from_this<Impl> {
  Impl(Loop& l, std::string t, Events e, const ClusterTls* tls)
      : loop(l),
        events(std::move(e)),
        target(std::move(t)),
        channel(open_channel(target, {.tls = tls})),
        stub(v1::SessionControl::NewStub(channel)) {
    retry.emplace(loop, [this] { send_news(); });
    late_check.emplace(loop, [this] { calls.cancel_late(Loop::clock_us()); });
    late_check->every(late_check_us);
  }

  template <class Request, class Reply>
  struct Call {
    grpc::ClientContext context;
    Request request;
    Reply reply;
  };
  /// Begins a call; `done(status, reply)` runs on the loop's thread.
  template <class Request, class Reply, class Done>
  void begin(Request request, Micros deadline_us, Method<Request, Reply> method, Done done);
  /// The same for requests that the caller retries. Above the limit: not begun, but counted.
  template <class Request, class Reply, class Done>
  void ask(Request request, Method<Request, Reply> method, Done done);
  void add_news(const SessionNews::Item& item);
  void send_news();
  void send(const SessionRelease& release);
  void send(const TechniqueReport& report);
  void on_sent(const SessionNews::Item& item, const grpc::Status& status, SessionCall received);
  void watch();
  bool watch_once();
  void obey(const v1::Orders& orders);
  void stop();
  /// Whether the service answered.
  bool note(const grpc::Status& status);

  Loop& loop;
  const Events events;
  const std::string target;
  const std::shared_ptr<grpc::Channel> channel;
  const std::unique_ptr<v1::SessionControl::Stub> stub;
  const std::uint64_t instance = random_u64();  // distinguishes this process from its predecessor
  Counts<SessionCall> counts;                   // loop's thread only
  bool complained = false;                      // loop's thread only
  Micros connect_at_us = 0;                     // loop's thread only
  std::size_t asks_under_way = 0;               // loop's thread only
  std::size_t news_under_way = 0;               // loop's thread only
  SessionNews news;                             // loop's thread only
  std::optional<Timer> retry, late_check;  // destroyed before this object, on the loop's thread
  CallsUnderWay calls;

  std::mutex mutex;  // guards everything below
  std::condition_variable changed;
  std::size_t releases = 0;
  bool stopped = false;
  grpc::ClientContext* watching = nullptr;
  std::thread watcher;
};

template <class Request, class Reply, class Done>
void SessionLink::Impl::begin(Request request, Micros deadline_us, Method<Request, Reply> method,
                              Done done) {
  auto call = std::make_shared<Call<Request, Reply>>();
  call->request = std::move(request);
  call->context.set_deadline(deadline_in(deadline_us));
  call->context.set_wait_for_ready(deadline_us == news_deadline_us);
  constexpr bool release = std::is_same_v<Request, v1::ReleaseSessionRequest>;
  if (!calls.begin(call->context, Loop::clock_us() + deadline_us)) return;
  if (release) {
    const std::lock_guard lock(mutex);
    ++releases;
  }
  auto finished = [self = shared_from_this(), call, done](const grpc::Status& received) {
    self->calls.end(call->context, received, [&](const grpc::Status& status) {
      self->loop.post([weak = std::weak_ptr(self), call, done, status] {
        if (const auto alive = weak.lock()) done(*alive, status, call->reply);
      });
      if (!release) return;
      const std::lock_guard lock(self->mutex);
      --self->releases;
      self->changed.notify_all();
    });
  };
  (stub->async()->*method)(&call->context, &call->request, &call->reply, std::move(finished));
}

template <class Request, class Reply, class Done>
void SessionLink::Impl::ask(Request request, Method<Request, Reply> method, Done done) {
  if (asks_under_way == calls_max) return counts.add(SessionCall::Dropped);
  ++asks_under_way;
  begin(std::move(request), call_deadline_us, method,
        [done](Impl& self, const grpc::Status& status, const Reply& reply) {
          --self.asks_under_way;
          self.note(status);
          done(self, status, reply);
        });
}

void SessionLink::Impl::add_news(const SessionNews::Item& item) {
  if (!news.add(item)) counts.add(SessionCall::Dropped);
  send_news();
}

void SessionLink::Impl::send_news() {
  while (news_under_way < calls_max) {
    const auto item = news.take();
    if (!item) return;
    ++news_under_way;
    std::visit([this](const auto& what) { send(what); }, *item);
  }
}

// Unacknowledged items are retried after a pause: a service with a full disk answers at once.
void SessionLink::Impl::on_sent(const SessionNews::Item& item, const grpc::Status& status,
                                SessionCall received) {
  --news_under_way;
  if (note(status)) {
    if (status.ok()) counts.add(received);
    return send_news();
  }
  if (!news.put_back(item)) counts.add(SessionCall::Dropped);
  if (retry) retry->at(Loop::clock_us() + news_retry_us);
}

void SessionLink::Impl::send(const SessionRelease& release) {
  v1::ReleaseSessionRequest request;
  request.set_client_id(release.client_id);
  request.set_gateway_instance(instance);
  request.set_lost(release.lost);
  request.set_issue(release.issue);
  begin<v1::ReleaseSessionRequest, v1::ReleaseSessionReply>(
      std::move(request), news_deadline_us, &Async::ReleaseSession,
      [release](Impl& self, const grpc::Status& status, const v1::ReleaseSessionReply&) {
        self.on_sent(release, status, SessionCall::Released);
      });
}

void SessionLink::Impl::send(const TechniqueReport& report) {
  v1::ReportTechniquesRequest request;
  request.set_client_id(report.client_id);
  request.set_order(report.order);
  request.set_techniques(to_text(report.techniques, " "));
  begin<v1::ReportTechniquesRequest, v1::ReportTechniquesReply>(
      std::move(request), news_deadline_us, &Async::ReportTechniques,
      [report](Impl& self, const grpc::Status& status, const v1::ReportTechniquesReply&) {
        self.on_sent(report, status, SessionCall::Reported);
      });
}

bool SessionLink::Impl::note(const grpc::Status& status) {
  const bool answered = status.error_code() != grpc::StatusCode::UNAVAILABLE &&
                        status.error_code() != grpc::StatusCode::DEADLINE_EXCEEDED;
  if (!answered) {
    counts.add(SessionCall::Failed);
    const Micros now_us = Loop::clock_us();
    if (now_us >= connect_at_us) {
      connect_again(channel);
      connect_at_us = now_us + connect_period_us;
    }
  }
  if (answered != complained) return answered;
  complained = !answered;
  if (answered) {
    log_info("the session service answers again", {{"target", target}});
  } else {
    log_warning(
        "the session service does not answer: no new players can connect, connected ones play on",
        {{"target", target}, {"why", status.error_message()}});
  }
  return answered;
}

/// True if the watch was established.
bool SessionLink::Impl::watch_once() {
  grpc::ClientContext context;
  context.set_wait_for_ready(true);
  {
    const std::lock_guard lock(mutex);
    if (stopped) return false;
    watching = &context;
  }
  const auto stream = stub->WatchOrders(&context, v1::WatchOrdersRequest{});
  bool any = false;
  for (v1::Orders orders; stream->Read(&orders); any = true) {
    loop.post([weak = weak_from_this(), orders] {
      if (const auto self = weak.lock()) self->obey(orders);
    });
  }
  stream->Finish();
  const std::lock_guard lock(mutex);
  watching = nullptr;
  return any;
}

void SessionLink::Impl::obey(const v1::Orders& orders) {
  for (const std::uint64_t id : orders.kicked_client_ids()) events.kicked(id);
  for (const v1::TechniqueOrder& order : orders.techniques()) {
    if (const auto wanted = read_order(order.settings())) {
      events.ordered(order.client_id(), order.order(), *wanted);
    } else {
      log_warning("a technique order was ignored: does the session service have the same version?",
                  {{"why", wanted.error().message}});
    }
  }
}

void SessionLink::Impl::watch() {
  for (bool go_on = true; go_on;) {
    watch_once();
    std::unique_lock lock(mutex);
    go_on =
        !changed.wait_for(lock, std::chrono::microseconds(watch_retry_us), [&] { return stopped; });
  }
}

void SessionLink::Impl::stop() {
  send_news();
  retry.reset();
  late_check.reset();
  std::unique_lock lock(mutex);
  changed.wait_for(lock, farewell, [&] { return releases == 0; });
  stopped = true;
  if (watching != nullptr) watching->TryCancel();
  changed.notify_all();
  lock.unlock();
  calls.stop();
  watcher.join();
}

SessionLink::SessionLink(Loop& loop, std::string target, Events events, const ClusterTls* tls)
    : impl_(std::make_shared<Impl>(loop, std::move(target), std::move(events), tls)) {
  impl_->watcher = std::thread([impl = impl_.get()] { impl->watch(); });
}
SessionLink::~SessionLink() { impl_->stop(); }

void SessionLink::claim(const SessionClaim& claim) {
  v1::ClaimTokenRequest request;
  request.set_token_tag(claim.token_tag.data(), claim.token_tag.size());
  request.set_client_id(claim.client_id);
  request.set_issue(claim.issue);
  request.set_expires_unix_s(claim.expires_s);
  request.set_gateway_instance(impl_->instance);
  request.set_handshake(claim.claim_id);
  request.set_gateway_address(to_string(claim.gateway));
  impl_->ask<v1::ClaimTokenRequest, v1::ClaimTokenReply>(
      std::move(request), &Async::ClaimToken,
      [id = claim.claim_id](Impl& self, const grpc::Status& status,
                            const v1::ClaimTokenReply& reply) {
        if (!status.ok()) return;
        const bool granted = reply.outcome() == v1::ClaimTokenReply::GRANTED;
        self.counts.add(granted ? SessionCall::Granted : SessionCall::Refused);
        self.events.claimed(id, granted);
      });
}

void SessionLink::want_resume_token(std::uint64_t client_id) {
  v1::IssueResumeTokenRequest request;
  request.set_client_id(client_id);
  impl_->ask<v1::IssueResumeTokenRequest, v1::IssueResumeTokenReply>(
      std::move(request), &Async::IssueResumeToken,
      [client_id](Impl& self, const grpc::Status& status, const v1::IssueResumeTokenReply& reply) {
        if (status.error_code() == grpc::StatusCode::NOT_FOUND) {
          self.counts.add(SessionCall::ResumeRefused);
        }
        if (!status.ok()) return;
        self.counts.add(SessionCall::ResumeIssued);
        self.events.resume_token(client_id, std::as_bytes(std::span(reply.connect_token())));
      });
}

void SessionLink::release(const SessionRelease& release) { impl_->add_news(release); }
void SessionLink::report_techniques(const TechniqueReport& report) { impl_->add_news(report); }
const Counts<SessionCall>& SessionLink::counts() const { return impl_->counts; }

}  // namespace perigee::host
