#include "cluster_watch.hpp"

#include <grpcpp/grpcpp.h>

#include <chrono>
#include <set>
#include <utility>

#include "perigee/host/grpc_channel.hpp"

namespace perigee::console {
namespace {

constexpr int observation_bytes_max = 4 << 20;

void set_deadline(grpc::ClientContext& context) {
  context.set_deadline(std::chrono::system_clock::now() +
                       std::chrono::microseconds(ClusterWatch::call_us_max));
}

}  // namespace

class ClusterWatch::Observed {
 public:
  Observed(const std::string& address, std::uint32_t slot, const Events& events)
      : stub_(sim::v1::Sim::NewStub(host::open_channel(address, observation_bytes_max))),
        thread_([this, slot, &events] { run(slot, events); }) {}
  ~Observed() {
    context_.TryCancel();
    thread_.join();
  }
  bool ended() const { return ended_; }

 private:
  void run(std::uint32_t slot, const Events& events) {
    const auto stream = stub_->Observe(&context_, {});
    sim::v1::Observation observation;
    while (stream->Read(&observation)) events.observation(slot, observation);
    stream->Finish();
    ended_ = true;
  }

  grpc::ClientContext context_;
  std::unique_ptr<sim::v1::Sim::Stub> stub_;
  std::atomic<bool> ended_{false};
  std::thread thread_;
};

ClusterWatch::ClusterWatch(std::string directory, Events events)
    : directory_(std::move(directory)), events_(std::move(events)), thread_([this] { run(); }) {}

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
    follow_observations();
    lock.lock();
    woken_.wait_for(lock, std::chrono::microseconds(period_us), [&] { return stopping_; });
  }
  lock.unlock();
  observed_.clear();
}

// With several directories, only the one that leads has a map.
bool ClusterWatch::ask_directory() {
  std::string why = "no directory is configured";
  for (std::size_t at = 0; at <= directory_.size();) {
    const std::size_t end = std::min(directory_.find(',', at), directory_.size());
    const std::string address = directory_.substr(at, end - at);
    at = end + 1;
    if (!stub_) stub_ = directory::v1::Directory::NewStub(host::open_channel(address));
    grpc::ClientContext context;
    set_deadline(context);
    const grpc::Status called = stub_->ListMap(&context, {}, &map_);
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
    if (!stub) stub = sim::v1::Sim::NewStub(host::open_channel(worker.grpc_address()));
    grpc::ClientContext context;
    set_deadline(context);
    sim::v1::StatusReply status;
    if (stub->Status(&context, {}, &status).ok()) events_.status(worker.slot(), status);
  }
  std::erase_if(workers_, [&](const auto& each) {
    return std::ranges::none_of(map_.workers(), [&](const auto& worker) {
      return worker.alive() && worker.grpc_address() == each.first;
    });
  });
}

void ClusterWatch::follow_observations() {
  std::set<std::string> wanted;
  if (observe_) {
    for (const auto& worker : map_.workers()) {
      if (worker.alive() && wanted.size() < observed_workers_max) {
        wanted.insert(worker.grpc_address());
      }
    }
  }
  std::erase_if(observed_, [&](const auto& each) {
    return each.second->ended() || !wanted.contains(each.first);
  });
  for (const auto& worker : map_.workers()) {
    if (!wanted.contains(worker.grpc_address()) || observed_.contains(worker.grpc_address())) {
      continue;
    }
    observed_.emplace(worker.grpc_address(),
                      std::make_unique<Observed>(worker.grpc_address(), worker.slot(), events_));
  }
}

}  // namespace perigee::console
