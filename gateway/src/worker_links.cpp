#include "perigee/gateway/worker_links.hpp"

namespace perigee::gateway {

WorkerLinks::WorkerLinks(GatewaySlot self, FabricOutput& output)
    : self_(self), output_(output), links_(workers_max) {}

void WorkerLinks::on_map(const ClusterMap& map) {
  flush();  // what was said under the former map carries its incarnation
  incarnation_ = map.incarnation;
  for (Link& link : links_) link.reachable = false;
  for (const WorkerEntry& worker : map.workers) {
    if (worker.slot >= workers_max || !worker.alive || !worker.fabric.valid()) continue;
    links_[worker.slot].reachable = true;
    links_[worker.slot].address = worker.fabric;
  }
}

bool WorkerLinks::reachable(WorkerSlot worker) const {
  return worker < workers_max && links_[worker].reachable;
}

WorkerLinks::Sender WorkerLinks::judge(const FabricHeader& header, const Address& from) const {
  if (header.kind != FabricSender::Worker || !reachable(header.slot) ||
      links_[header.slot].address != from) {
    return Sender::Unknown;
  }
  return header.incarnation == incarnation_ ? Sender::Genuine : Sender::WrongIncarnation;
}

void WorkerLinks::open(WorkerSlot worker) {
  Link& link = links_[worker];
  PERIGEE_ASSERT(link.reachable, "records go to workers of the map");
  link.batch.emplace(std::span(link.buffer), FabricHeader{.incarnation = incarnation_,
                                                          .kind = FabricSender::Gateway,
                                                          .slot = self_,
                                                          .sequence = link.next_sequence++});
  if (!link.listed) opened_.push_back(worker);
  link.listed = true;
}

void WorkerLinks::send(Link& link) {
  output_.to_fabric(link.address, link.batch->datagram());
  link.batch.reset();
}

void WorkerLinks::flush() {
  for (const WorkerSlot worker : opened_) {
    if (links_[worker].batch) send(links_[worker]);
    links_[worker].listed = false;
  }
  opened_.clear();
}

}  // namespace perigee::gateway
