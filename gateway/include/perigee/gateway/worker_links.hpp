/// The gateway's side of the fabric: the known workers, authentication of datagrams by address, and
/// one batch of records per worker and loop turn.
#pragma once

#include <cstdint>
#include <vector>

#include "perigee/base/cluster_map.hpp"
#include "perigee/base/fabric_batch.hpp"

namespace perigee::gateway {

class WorkerLinks {
 public:
  WorkerLinks(GatewaySlot self, FabricBatch::Send send);

  void on_map(const ClusterMap& map);
  /// Whether the map has the worker alive, with an address.
  bool reachable(WorkerSlot worker) const;
  /// The `incarnation` of a reachable worker in the map.
  Incarnation incarnation(WorkerSlot worker) const { return links_[worker.index()].incarnation; }
  enum class Sender : std::uint8_t { Genuine, Unknown, WrongClusterId };
  Sender judge(const FabricHeader& header, const Address& from) const;

  /// Adds to the worker's batch; a full one is sent first. The worker must be reachable.
  template <class Record>
  void add(WorkerSlot worker, const Record& record) {
    PERIGEE_ASSERT(reachable(worker), "the receiver of a record must be in the map");
    const bool fits = batch_.add(links_[worker.index()].address, record);
    PERIGEE_ASSERT(fits, "a record is larger than a fabric datagram");
  }
  /// Sends all batches; called at the end of every loop turn.
  void flush() { batch_.flush(); }

 private:
  struct Link {
    bool reachable = false;
    Address address;
    Incarnation incarnation;
  };

  GatewaySlot self_;
  FabricBatch batch_;
  std::uint32_t cluster_id_ = 0;
  std::vector<Link> links_;
};

}  // namespace perigee::gateway
