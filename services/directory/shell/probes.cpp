#include "probes.hpp"

#include <grpcpp/grpcpp.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "perigee/host/call_within.hpp"
#include "perigee/host/grpc_channel.hpp"
#include "perigee/host/loop.hpp"
#include "sim.grpc.pb.h"

namespace perigee::directory {

/// A thread for each: a blocking call notices its answer at once. gRPC's threads for callbacks
/// sleep for up to 0.1 s when there was little to do, which is as long as a suspect has.
struct Probes::Probe {
  WorkerIncarnation suspect;
  Address grpc;
  Micros asked_at_us = 0;
  grpc::ClientContext context;
  bool over = false;  ///< guarded by the mutex of Probes
  std::thread thread;
};

Probes::Probes(const host::ClusterTls* tls, std::function<void(const Outcome&)> settle,
               Micros answer_us)
    : tls_(tls), settle_(std::move(settle)), answer_us_(answer_us) {}

Probes::~Probes() {
  std::list<std::unique_ptr<Probe>> left;
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    for (const auto& probe : probes_) probe->context.TryCancel();
    left.swap(probes_);
  }
  for (const auto& probe : left) probe->thread.join();
}

void Probes::ask(const WorkerIncarnation& suspect, const Address& grpc) {
  const std::lock_guard lock(mutex_);
  std::erase_if(probes_, [](const auto& probe) {
    if (probe->over) probe->thread.join();
    return probe->over;
  });
  const bool asked =
      std::ranges::any_of(probes_, [&](const auto& probe) { return probe->suspect == suspect; });
  if (stopping_ || asked || probes_.size() == probes_max) return;
  Probe& probe = *probes_.emplace_back(std::make_unique<Probe>());
  probe.suspect = suspect;
  probe.grpc = grpc;
  probe.asked_at_us = host::Loop::clock_us();
  probe.thread = std::thread([this, &probe] { run(probe); });
}

void Probes::run(Probe& probe) {
  const auto stub = sim::v1::Sim::NewStub(host::open_channel(to_string(probe.grpc), {.tls = tls_}));
  sim::v1::StatusReply reply;
  const grpc::Status status =
      host::call_within(std::chrono::microseconds(answer_us_), probe.context, *stub,
                        &sim::v1::Sim::Stub::Status, sim::v1::StatusRequest{}, reply);
  std::unique_lock lock(mutex_);
  const bool stopping = stopping_;
  lock.unlock();
  if (!stopping) settle_({probe.suspect, status.ok(), probe.asked_at_us});
  lock.lock();
  probe.over = true;
}

}  // namespace perigee::directory
