#include "probe.hpp"

#include <grpcpp/grpcpp.h>

#include "perigee/host/grpc_channel.hpp"
#include "sim.grpc.pb.h"

namespace perigee::directory {

bool worker_answers(const Address& grpc, std::chrono::microseconds limit,
                    const host::ClusterTls* tls) {
  const auto stub = sim::v1::Sim::NewStub(host::open_channel(to_string(grpc), {.tls = tls}));
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() + limit);
  sim::v1::StatusReply reply;
  return stub->Status(&context, sim::v1::StatusRequest{}, &reply).ok();
}

}  // namespace perigee::directory
