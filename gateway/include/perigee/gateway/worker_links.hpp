/// The gateway's side of the fabric: which workers there are, whether a datagram is really theirs,
/// and one batch of records per worker and loop turn.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "perigee/netcode/cluster_map.hpp"
#include "perigee/netcode/fabric.hpp"
#include "perigee/netcode/ring.hpp"

namespace perigee::gateway {

class FabricOutput {
 public:
  virtual ~FabricOutput() = default;
  /// `datagram` is valid during the call only.
  virtual void to_fabric(const Address& to, std::span<const std::byte> datagram) = 0;
};

class WorkerLinks {
 public:
  WorkerLinks(GatewaySlot self, FabricOutput& output);

  void on_map(const ClusterMap& map);
  /// In the map and alive.
  bool reachable(WorkerSlot worker) const;
  enum class Sender : std::uint8_t { Genuine, Unknown, WrongIncarnation };
  Sender judge(const FabricHeader& header, const Address& from) const;

  /// Adds to the worker's batch; a full one is sent first. The worker must be reachable.
  template <class Record>
  void add(WorkerSlot worker, const Record& record) {
    Link& link = links_[worker];
    if (!link.batch) open(worker);
    if (link.batch->add(record)) return;
    send(link);
    open(worker);
    const bool fits = link.batch->add(record);
    PERIGEE_ASSERT(fits, "no record is larger than a fabric datagram");
  }
  /// Sends all batches: at the end of every loop turn.
  void flush();

 private:
  struct Link {
    bool reachable = false;
    bool listed = false;  ///< in opened_
    Address address;
    std::uint32_t next_sequence = 0;
    std::optional<FabricWriter> batch;
    std::array<std::byte, fabric_datagram_bytes_max> buffer{};
  };
  void open(WorkerSlot worker);
  void send(Link& link);

  GatewaySlot self_;
  FabricOutput& output_;
  std::uint32_t incarnation_ = 0;
  std::vector<Link> links_;
  FixedVector<WorkerSlot, workers_max> opened_;
};

}  // namespace perigee::gateway
