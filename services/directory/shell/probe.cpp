#include "probe.hpp"

#include <grpcpp/grpcpp.h>

#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>

#include "perigee/host/grpc_channel.hpp"
#include "sim.grpc.pb.h"

namespace perigee::directory {

bool worker_answers(const Address& grpc, std::chrono::microseconds limit,
                    const host::ClusterTls* tls) {
  const auto stub = sim::v1::Sim::NewStub(host::open_channel(to_string(grpc), {.tls = tls}));
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() + limit);
  // gRPC's timers can stand still after a step back of the wall clock, and the standby's heartbeat
  // waits for this answer.
  std::mutex mutex;
  std::condition_variable_any over;
  const std::jthread deadline([&](const std::stop_token& answered) {
    std::unique_lock lock(mutex);
    over.wait_for(lock, answered, limit, [] { return false; });
    if (!answered.stop_requested()) context.TryCancel();
  });
  sim::v1::StatusReply reply;
  return stub->Status(&context, sim::v1::StatusRequest{}, &reply).ok();
}

}  // namespace perigee::directory
