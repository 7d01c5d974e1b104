#include "perigee/host/directory_client.hpp"

#include <grpcpp/grpcpp.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <optional>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "call_slot.hpp"
#include "directory.grpc.pb.h"
#include "perigee/base/assert.hpp"
#include "perigee/base/speaks.hpp"
#include "perigee/host/build.hpp"
#include "perigee/host/call_within.hpp"
#include "perigee/host/fabric_keys_proto.hpp"
#include "perigee/host/grpc_channel.hpp"
#include "perigee/host/log.hpp"
#include "perigee/host/map_difference.hpp"
#include "perigee/host/process.hpp"
#include "perigee/host/report_proto.hpp"
#include "perigee/host/secrets.hpp"

namespace perigee::host {
namespace v1 = directory::v1;
namespace {

using Calls = v1::Directory::Stub;
constexpr int first_samples = 8;  // as many as ClockSync keeps
constexpr Micros sign_off_deadline_us = 2'000'000;
constexpr Micros first_samples_apart_us = 20'000;  // so the clock locks within 0.2 s

}  // namespace

struct DirectoryClient::Impl : std::enable_shared_from_this<Impl> {
  Impl(Loop& l, DirectoryOptions o, Events e)
      : loop(l), options(std::move(o)), events(std::move(e)), targets(parts_of(options.target)) {
    PERIGEE_ASSERT(!targets.empty(), "options.target must name a directory");
    for (const std::string& target : targets) {
      channels.push_back(open_channel(target, {.tls = options.tls}));
      stubs.push_back(v1::Directory::NewStub(channels.back()));
    }
  }

  void start() {
    member_thread = std::thread([this] {
      member();
      sign_off();
    });
    watch_thread = std::thread([this] { watch(); });
  }
  void stop() {
    member_call.stop();
    watch_call.stop();
    member_thread.join();
    watch_thread.join();
  }

  // On the member thread.
  void member();
  bool enrol();
  template <class Request>
  void sign(Request& request) const;
  grpc::Status heartbeat();
  bool has_news() {
    const std::lock_guard lock(report_mutex);
    return unsent;
  }
  bool sample_clock();
  void sign_off();
  // On the watch thread.
  void watch();
  bool watch_once();

  template <class Request, class Reply>
  grpc::Status unary(grpc::Status (Calls::*method)(grpc::ClientContext*, const Request&, Reply*),
                     const Request& request, Reply& reply) {
    grpc::ClientContext context;
    return member_call.run(context, [&] {
      return call_within(std::chrono::microseconds(call_deadline_us), context, *stubs[asked],
                         method, request, reply);
    });
  }
  /// Runs on the loop, unless the client is destroyed by then.
  template <class Call>
  void deliver(Call call) {
    loop.post([weak = weak_from_this(), call = std::move(call)] {
      if (const auto self = weak.lock()) call(*self);
    });
  }
  void note(const grpc::Status& status);
  void note_refusal(const grpc::Status& status);
  void use_keys(const v1::FabricKeys& message);
  void ask_next(const grpc::Status& status);
  void stay();

  Loop& loop;
  const DirectoryOptions options;
  const Speaks speaks;
  const Events events;
  const std::uint64_t instance = random_u64();  // distinguishes this process from its predecessor
  const std::vector<std::string> targets;
  std::vector<std::shared_ptr<grpc::Channel>> channels;     // one per target
  std::vector<std::unique_ptr<v1::Directory::Stub>> stubs;  // one per target
  std::atomic<std::size_t> leader =
      0;  // the last target that answered as leader; the map is watched there
  CallSlot member_call;
  CallSlot watch_call;
  /// The deal of keys that the loop's thread has taken.
  std::atomic<std::uint32_t> fabric_deal = 0;
  std::thread member_thread;
  std::thread watch_thread;
  std::mutex report_mutex;
  std::optional<WorkerReport> report;  // the newest, guarded by report_mutex
  bool unsent = false;                 // guarded by report_mutex: not sent with a heartbeat yet

  // Member thread only.
  std::size_t asked = 0;    // index into targets
  std::size_t refused = 0;  // consecutive failures
  Registration granted;
  std::string refusal;  // as last reported to the loop's thread
  bool enrolled = false;
  bool reached = false;
  bool complained = false;

  // Watch thread only.
  struct {
    std::uint32_t cluster_id = 0;
    std::uint64_t version = 0;
  } newest;

  // Loop thread only.
  ClockSync clock;
  bool registered = false;
  bool mapped = false;
  std::string refused_because;
};

/// Asks the next directory if this one does not lead, or is dead or stalled (no answer).
void DirectoryClient::Impl::ask_next(const grpc::Status& status) {
  switch (status.error_code()) {
    case grpc::StatusCode::ABORTED:
    case grpc::StatusCode::UNAVAILABLE:
    case grpc::StatusCode::DEADLINE_EXCEEDED:
      ++refused;
      asked = (asked + 1) % targets.size();
      return;
    default:
      refused = 0;
  }
}

/// The asked directory leads: maps are watched there from now on.
void DirectoryClient::Impl::stay() {
  refused = 0;
  if (leader.exchange(asked) == asked) return;
  log_info("following another directory, which leads", {{"target", targets[asked]}});
  watch_call.interrupt();
}

void DirectoryClient::Impl::note_refusal(const grpc::Status& status) {
  const auto code = status.error_code();
  const bool refuses = code == grpc::StatusCode::INVALID_ARGUMENT ||
                       code == grpc::StatusCode::ALREADY_EXISTS ||
                       code == grpc::StatusCode::RESOURCE_EXHAUSTED;
  if (!refuses && !status.ok()) return;
  std::string why = refuses ? status.error_message() : std::string();
  if (why == refusal) return;
  refusal = why;
  deliver([why = std::move(why)](Impl& self) { self.refused_because = why; });
}

void DirectoryClient::Impl::note(const grpc::Status& status) {
  const bool reaches = status.error_code() != grpc::StatusCode::UNAVAILABLE &&
                       status.error_code() != grpc::StatusCode::DEADLINE_EXCEEDED;
  if (!reaches) connect_again(channels[asked]);
  if (reaches != reached) {
    reached = reaches;
    deliver([reaches](Impl& self) {
      if (self.events.reachable) self.events.reachable(reaches);
    });
  }
  if (status.error_code() == grpc::StatusCode::FAILED_PRECONDITION) {
    log_warning("the directory no longer knows this process; registering again",
                {{"target", targets[asked]}});
  } else if (status.ok()) {
    if (std::exchange(complained, false)) {
      log_info("the directory answers again", {{"target", targets[asked]}});
    }
  } else if (!member_call.stopped() && !std::exchange(complained, true)) {
    log_warning(reaches ? "the directory refuses this process; retrying"
                        : "the directory does not answer; is perigee-directory running? retrying",
                {{"target", targets[asked]}, {"why", status.error_message()}});
  }
  ask_next(status);
}

bool DirectoryClient::Impl::enrol() {
  grpc::Status status;
  v1::FabricKeys keys;
  if (options.role == DirectoryRole::Worker) {
    v1::RegisterWorkerRequest request;
    request.set_name(options.name);
    request.set_fabric_address(to_string(options.fabric));
    request.set_grpc_address(to_string(options.grpc));
    request.set_schema_hash(options.schema_hash);
    request.set_instance(instance);
    request.set_fabric_version(speaks.fabric);
    request.set_workers_version(speaks.workers);
    request.set_build(build_name());
    request.set_fabric_run(options.fabric_run);
    v1::RegisterWorkerReply reply;
    status = unary(&Calls::RegisterWorker, request, reply);
    granted = {static_cast<std::uint16_t>(reply.slot()), HandleBase{reply.handle_base()},
               reply.handle_count(), reply.cluster_id()};
    keys.Swap(reply.mutable_fabric_keys());
  } else {
    v1::RegisterGatewayRequest request;
    request.set_name(options.name);
    request.set_fabric_address(to_string(options.fabric));
    request.set_public_udp_address(to_string(options.public_udp));
    if (options.grpc.valid()) request.set_grpc_address(to_string(options.grpc));
    request.set_instance(instance);
    request.set_fabric_version(speaks.fabric);
    request.set_build(build_name());
    request.set_fabric_run(options.fabric_run);
    v1::RegisterGatewayReply reply;
    status = unary(&Calls::RegisterGateway, request, reply);
    granted = {static_cast<std::uint16_t>(reply.slot()), HandleBase{}, 0, reply.cluster_id()};
    keys.Swap(reply.mutable_fabric_keys());
  }
  note(status);
  note_refusal(status);
  if (!status.ok()) return false;
  deliver([grant = granted](Impl& self) {
    self.registered = true;
    if (self.events.registered) self.events.registered(grant);
  });
  use_keys(keys);
  return true;
}

/// Those of a reply; deal 0: the reply has none.
void DirectoryClient::Impl::use_keys(const v1::FabricKeys& message) {
  if (message.deal() == 0) return;
  const auto keys = read_fabric_keys(message, granted.cluster_id);
  if (!keys) return log_error(keys.error().message);
  deliver([keys = *keys](Impl& self) {
    if (self.events.fabric_keys) self.events.fabric_keys(keys);
    self.fabric_deal = keys.deal;
  });
}

/// Adds the sender's identity.
template <class Request>
void DirectoryClient::Impl::sign(Request& request) const {
  request.set_name(options.name);
  request.set_cluster_id(granted.cluster_id);
  if (options.role == DirectoryRole::Worker) {
    request.set_worker_slot(granted.slot);
  } else {
    request.set_gateway_slot(granted.slot);
  }
}

grpc::Status DirectoryClient::Impl::heartbeat() {
  if (options.role == DirectoryRole::Watcher) return grpc::Status::OK;
  v1::HeartbeatRequest request;
  request.set_instance(instance);
  request.set_fabric_deal(fabric_deal);
  sign(request);
  {
    const std::lock_guard lock(report_mutex);
    if (report) write_report(*report, *request.mutable_report());
    unsent = false;
  }
  v1::HeartbeatReply reply;
  const grpc::Status status = unary(&Calls::Heartbeat, request, reply);
  if (status.ok()) use_keys(reply.fabric_keys());
  note(status);
  return status;
}

bool DirectoryClient::Impl::sample_clock() {
  v1::GetTimeReply reply;
  ClockSample sample{.asked_us = Loop::clock_us()};
  const grpc::Status status = unary(&Calls::GetTime, v1::GetTimeRequest{}, reply);
  sample.answered_us = Loop::clock_us();
  sample.directory_us = reply.wall_us();
  note(status);
  if (!status.ok()) return false;
  stay();
  deliver([sample](Impl& self) { self.clock.add(sample); });
  return true;
}

void DirectoryClient::Impl::member() {
  enrolled = options.role == DirectoryRole::Watcher;
  const Micros pause_us_max = targets.size() > 1 ? round_us_max : retry_us_max;
  // A worker's next report is its next heartbeat, unless the report is late.
  const Micros silence_us =
      heartbeat_us + (options.role == DirectoryRole::Worker ? reported_within_us : 0);
  Micros retry_us = retry_us_min;
  Micros beat_at_us = 0;
  for (int samples = 0; !member_call.stopped();) {
    bool well = true;
    if (!enrolled) well = enrolled = enrol();
    if (well && (Loop::clock_us() >= beat_at_us || has_news())) {
      beat_at_us = Loop::clock_us() + silence_us;
      const grpc::Status status = heartbeat();
      // The directory does not know this member: its store is new. Register again at once.
      if (status.error_code() == grpc::StatusCode::FAILED_PRECONDITION) enrolled = false;
      well = status.ok();
    }
    well = well && sample_clock();
    if (!well) {
      beat_at_us = 0;
      if (refused % targets.size() != 0) continue;  // the next directory may lead
      if (!member_call.sleep_whole(retry_us)) return;
      retry_us = std::min(2 * retry_us, pause_us_max);
      continue;
    }
    retry_us = retry_us_min;
    const bool hurry = ++samples < first_samples;
    if (!member_call.sleep(hurry ? first_samples_apart_us : silence_us)) return;
  }
}

/// Best effort, without retries: a failed sign-off is detected as silence 5 s later.
void DirectoryClient::Impl::sign_off() {
  if (options.role == DirectoryRole::Watcher || !enrolled || !reached) return;
  v1::SignOffRequest request;
  request.set_instance(instance);
  sign(request);
  v1::SignOffReply reply;
  call_within(std::chrono::microseconds(sign_off_deadline_us), *stubs[asked], &Calls::SignOff,
              request, reply);
}

/// True if at least one map arrived.
bool DirectoryClient::Impl::watch_once() {
  grpc::ClientContext context;
  context.set_wait_for_ready(true);  // the member thread reports failures; this one only waits
  return watch_call.run(context, [&] {
    v1::WatchMapRequest request;
    request.set_differences(true);
    const auto stream = stubs[leader]->WatchMap(&context, request);
    bool any = false;
    FollowedMap followed;
    for (v1::ClusterMap message; stream->Read(&message);) {
      auto map = followed.take(std::move(message));
      if (!map) {
        log_error(map.error().message);
        context.TryCancel();
        break;
      }
      any = true;
      // Sent by a former leader.
      if (map->cluster_id == newest.cluster_id && map->version < newest.version) continue;
      newest = {map->cluster_id, map->version};
      deliver([map = std::move(map).value()](Impl& self) {
        self.mapped = true;
        if (self.events.map) self.events.map(map);
      });
    }
    stream->Finish();
    return any;
  });
}

void DirectoryClient::Impl::watch() {
  Micros retry_us = retry_us_min;
  do {
    retry_us = watch_once() ? retry_us_min : std::min(2 * retry_us, retry_us_max);
  } while (watch_call.sleep(retry_us));
}

DirectoryClient::DirectoryClient(Loop& loop, DirectoryOptions options, Events events)
    : impl_(std::make_shared<Impl>(loop, std::move(options), std::move(events))) {
  impl_->registered = impl_->options.role == DirectoryRole::Watcher;
  impl_->start();
}
DirectoryClient::~DirectoryClient() { impl_->stop(); }

void DirectoryClient::report(const WorkerReport& report) {
  {
    const std::lock_guard lock(impl_->report_mutex);
    impl_->report = report;
    impl_->unsent = true;
  }
  impl_->member_call.nudge();
}

const ClockSync& DirectoryClient::clock() const { return impl_->clock; }
const std::string& DirectoryClient::refused_because() const { return impl_->refused_because; }
bool DirectoryClient::ready() const {
  return impl_->registered && impl_->mapped && impl_->clock.ready();
}

}  // namespace perigee::host
