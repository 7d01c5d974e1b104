#include "workers.hpp"

#include <grpcpp/grpcpp.h>

#include <chrono>
#include <cstdio>
#include <memory>

#include "perigee/host/grpc_channel.hpp"
#include "sim.grpc.pb.h"

namespace perigee::session {
namespace {

using Status = sim::v1::StatusReply;

constexpr std::chrono::seconds patience{2};

/// A call under way.
struct Asked {
  std::unique_ptr<sim::v1::Sim::Stub> stub;
  grpc::ClientContext context;
  std::unique_ptr<grpc::ClientAsyncResponseReader<Status>> answer;
  grpc::Status became;
  Status says;
};

}  // namespace

std::vector<std::optional<Status>> ask_workers(const directory::v1::ClusterMap& map) {
  const auto until = std::chrono::system_clock::now() + patience;
  grpc::CompletionQueue answers;
  std::vector<std::unique_ptr<Asked>> all;
  int under_way = 0;
  for (const directory::v1::Worker& worker : map.workers()) {
    auto& asked = *all.emplace_back(std::make_unique<Asked>());
    if (!worker.alive()) continue;
    asked.stub = sim::v1::Sim::NewStub(dial(worker.grpc_address()));
    asked.context.set_deadline(until);
    asked.answer = asked.stub->AsyncStatus(&asked.context, {}, &answers);
    asked.answer->Finish(&asked.says, &asked.became, &asked);
    ++under_way;
  }
  void* which = nullptr;
  for (bool ok = false; under_way > 0 && answers.Next(&which, &ok);) --under_way;
  std::vector<std::optional<Status>> out(all.size());
  for (std::size_t slot = 0; slot < all.size(); ++slot) {
    if (all[slot]->answer == nullptr) continue;
    if (all[slot]->became.ok()) {
      out[slot] = std::move(all[slot]->says);
      continue;
    }
    const directory::v1::Worker& worker = map.workers(static_cast<int>(slot));
    std::fprintf(stderr, "perigee-ctl: %s does not answer at %s: %s\n", worker.name().c_str(),
                 worker.grpc_address().c_str(), all[slot]->became.error_message().c_str());
  }
  return out;
}

bool everybody_answered(const directory::v1::ClusterMap& map,
                        const std::vector<std::optional<Status>>& says) {
  for (std::size_t slot = 0; slot < says.size(); ++slot) {
    if (map.workers(static_cast<int>(slot)).alive() && !says[slot]) return false;
  }
  return true;
}

}  // namespace perigee::session
