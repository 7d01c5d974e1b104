#include "perigee/gateway/worker_links.hpp"

#include <utility>

namespace perigee::gateway {

WorkerLinks::WorkerLinks(GatewaySlot self, FabricBatch::Send send)
    : self_(self), batch_(FabricSender::Gateway, std::move(send)), links_(workers_max) {}

void WorkerLinks::on_map(const ClusterMap& map) {
  flush();  // records added under the former map carry its incarnation
  cluster_id_ = map.cluster_id;
  batch_.identify(cluster_id_, self_.number);
  for (Link& link : links_) link.reachable = false;
  for (const WorkerEntry& worker : map.workers) {
    if (worker.slot.index() >= workers_max || !worker.alive || !worker.fabric.valid()) continue;
    links_[worker.slot.index()].reachable = true;
    links_[worker.slot.index()].address = worker.fabric;
    links_[worker.slot.index()].incarnation = worker.incarnation;
  }
}

bool WorkerLinks::reachable(WorkerSlot worker) const {
  return worker.index() < workers_max && links_[worker.index()].reachable;
}

WorkerLinks::Sender WorkerLinks::judge(const FabricHeader& header, const Address& from) const {
  const WorkerSlot worker{header.slot};
  if (header.kind != FabricSender::Worker || !reachable(worker) ||
      links_[worker.index()].address != from) {
    return Sender::Unknown;
  }
  return header.cluster_id == cluster_id_ ? Sender::Genuine : Sender::WrongClusterId;
}

}  // namespace perigee::gateway
