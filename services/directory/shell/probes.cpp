#include "probes.hpp"

#include <grpcpp/grpcpp.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <utility>

#include "perigee/host/grpc_channel.hpp"
#include "perigee/host/loop.hpp"
#include "sim.grpc.pb.h"

namespace perigee::directory {

struct Probes::Probe {
  WorkerIncarnation suspect;
  Micros asked_at_us = 0;
  std::unique_ptr<sim::v1::Sim::Stub> stub;
  grpc::ClientContext context;
  sim::v1::StatusRequest request;
  sim::v1::StatusReply reply;
  bool late = false;  // guarded by the mutex of Probes, like the following
  bool ended = false;
  bool answered = false;
};

Probes::Probes(const host::ClusterTls* tls, std::function<void(const Outcome&)> settle)
    : tls_(tls), settle_(std::move(settle)), thread_([this] { run(); }) {}

Probes::~Probes() {
  std::unique_lock lock(mutex_);
  stopping_ = true;
  for (const auto& probe : probes_) probe->context.TryCancel();
  changed_.notify_all();
  lock.unlock();
  thread_.join();
}

void Probes::ask(const WorkerIncarnation& suspect, const Address& grpc) {
  const auto probe = std::make_shared<Probe>();
  probe->suspect = suspect;
  probe->asked_at_us = host::Loop::clock_us();
  {
    const std::lock_guard lock(mutex_);
    const bool asked =
        std::ranges::any_of(probes_, [&](const auto& known) { return known->suspect == suspect; });
    if (stopping_ || asked || probes_.size() == probes_max) return;
    probes_.push_back(probe);
    changed_.notify_all();
  }
  probe->stub = sim::v1::Sim::NewStub(host::open_channel(to_string(grpc), {.tls = tls_}));
  probe->context.set_deadline(std::chrono::system_clock::now() +
                              std::chrono::microseconds(answer_us_max));
  probe->stub->async()->Status(&probe->context, &probe->request, &probe->reply,
                               [this, probe](const grpc::Status& status) {
                                 const std::lock_guard lock(mutex_);
                                 probe->ended = true;
                                 probe->answered = status.ok();
                                 changed_.notify_all();
                               });
}

// gRPC's own deadline stands still after a step back of the wall clock.
Micros Probes::cancel_late(Micros now_us) {
  Micros next_us = std::numeric_limits<Micros>::max();
  for (const auto& probe : probes_) {
    if (probe->ended || probe->late) continue;
    const Micros until_us = probe->asked_at_us + answer_us_max;
    if (until_us <= now_us) {
      probe->late = true;
      probe->context.TryCancel();
    } else {
      next_us = std::min(next_us, until_us);
    }
  }
  return next_us;
}

void Probes::run() {
  std::unique_lock lock(mutex_);
  while (!stopping_ || !probes_.empty()) {
    const auto ended =
        std::ranges::find_if(probes_, [](const auto& probe) { return probe->ended; });
    if (ended != probes_.end()) {
      const std::shared_ptr<Probe> probe = *ended;
      probes_.erase(ended);
      if (stopping_) continue;
      lock.unlock();
      settle_({probe->suspect, probe->answered, probe->asked_at_us});
      lock.lock();
      continue;
    }
    const Micros now_us = host::Loop::clock_us();
    const Micros next_us = cancel_late(now_us);
    if (next_us == std::numeric_limits<Micros>::max()) {
      changed_.wait(lock);
    } else {
      changed_.wait_for(lock, std::chrono::microseconds(next_us - now_us));
    }
  }
}

}  // namespace perigee::directory
