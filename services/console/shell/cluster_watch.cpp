#include "cluster_watch.hpp"

#include <grpcpp/grpcpp.h>

#include <chrono>
#include <functional>
#include <utility>

#include "perigee/host/call_within.hpp"
#include "perigee/host/grpc_channel.hpp"

namespace perigee::console {
namespace {

constexpr int observation_bytes_max = 4 << 20;

constexpr std::chrono::microseconds watch_call_time_max{ClusterWatch::call_us_max};

}  // namespace

class ClusterWatch::Followed {
 public:
  /// `read` returns when the call ends, also because the context is cancelled.
  explicit Followed(std::function<void(grpc::ClientContext&)> read)
      : thread_([this, read = std::move(read)] {
          read(context_);
          ended_ = true;
        }) {}
  ~Followed() {
    context_.TryCancel();
    thread_.join();
  }
  bool ended() const { return ended_; }

 private:
  grpc::ClientContext context_;
  std::atomic<bool> ended_{false};
  std::thread thread_;
};

ClusterWatch::ClusterWatch(std::string directory, const host::ClusterTls* tls, Events events)
    : directory_(std::move(directory)),
      tls_(tls),
      events_(std::move(events)),
      thread_([this] { run(); }) {}

ClusterWatch::~ClusterWatch() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  woken_.notify_all();
  thread_.join();
}

void ClusterWatch::run() {
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    lock.unlock();
    if (ask_directory()) ask_workers();
    follow_streams();
    lock.lock();
    woken_.wait_for(lock, std::chrono::microseconds(period_us), [&] { return stopping_; });
  }
  lock.unlock();
  followed_.clear();
}

// With several directories, only the one that leads has a map.
bool ClusterWatch::ask_directory() {
  std::string why = "no directory is configured";
  for (std::size_t at = 0; at <= directory_.size();) {
    const std::size_t end = std::min(directory_.find(',', at), directory_.size());
    const std::string address = directory_.substr(at, end - at);
    at = end + 1;
    if (!stub_)
      stub_ = directory::v1::Directory::NewStub(host::open_channel(address, {.tls = tls_}));
    const grpc::Status called =
        host::call_within(watch_call_time_max, *stub_, &directory::v1::Directory::Stub::ListMap,
                          directory::v1::ListMapRequest{}, map_);
    if (called.ok()) {
      events_.map(map_);
      return true;
    }
    why = "the directory at " + address + " does not answer: " + called.error_message();
    if (directory_.find(',') != std::string::npos) stub_.reset();
  }
  events_.unreachable(why);
  return false;
}

void ClusterWatch::ask_workers() {
  for (const auto& worker : map_.workers()) {
    if (!worker.alive()) continue;
    auto& stub = workers_[worker.grpc_address()];
    if (!stub)
      stub = sim::v1::Sim::NewStub(host::open_channel(worker.grpc_address(), {.tls = tls_}));
    sim::v1::StatusReply status;
    const grpc::Status called = host::call_within(
        watch_call_time_max, *stub, &sim::v1::Sim::Stub::Status, sim::v1::StatusRequest{}, status);
    if (called.ok()) events_.status(worker.slot(), status);
  }
  std::erase_if(workers_, [&](const auto& each) {
    return std::ranges::none_of(map_.workers(), [&](const auto& worker) {
      return worker.alive() && worker.grpc_address() == each.first;
    });
  });
}

void ClusterWatch::follow_streams() {
  std::map<std::string, std::function<void(grpc::ClientContext&)>> wanted;
  if (wanted_.load().entities) {
    for (const auto& worker : map_.workers()) {
      if (worker.alive() && wanted.size() < followed_max) {
        wanted["entities " + worker.grpc_address()] = observations_of(worker);
      }
    }
  }
  if (wanted_.load().players) {
    for (const auto& gateway : map_.gateways()) {
      if (gateway.alive() && !gateway.grpc_address().empty() && wanted.size() < followed_max) {
        wanted["players " + gateway.grpc_address()] = players_of(gateway);
      }
    }
  }
  std::erase_if(followed_, [&](const auto& each) {
    return each.second->ended() || !wanted.contains(each.first);
  });
  for (auto& [name, read] : wanted) {
    if (!followed_.contains(name)) followed_[name] = std::make_unique<Followed>(std::move(read));
  }
}

ClusterWatch::ReadStream ClusterWatch::observations_of(const directory::v1::Worker& worker) const {
  return [this, slot = worker.slot(), address = worker.grpc_address()](auto& context) {
    const auto stub = sim::v1::Sim::NewStub(
        host::open_channel(address, {.tls = tls_, .message_bytes_max = observation_bytes_max}));
    const auto stream = stub->Observe(&context, {});
    sim::v1::Observation observation;
    while (stream->Read(&observation)) events_.observation(slot, observation);
    stream->Finish();
  };
}

ClusterWatch::ReadStream ClusterWatch::players_of(const directory::v1::Gateway& gateway) const {
  return [this, slot = gateway.slot(), address = gateway.grpc_address()](auto& context) {
    const auto stub = gateway::v1::Gateway::NewStub(
        host::open_channel(address, {.tls = tls_, .server = host::PeerRole::Gateway}));
    const auto stream = stub->WatchPlayers(&context, {});
    gateway::v1::PlayersReport report;
    while (stream->Read(&report)) events_.players(slot, report);
    stream->Finish();
  };
}

}  // namespace perigee::console
