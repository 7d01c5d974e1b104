/// A worker that dies without a successor leaves entities at clients, and no other worker would
/// remove these. The gateway restarts that worker's stream, without entities.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "perigee/base/cluster_map.hpp"
#include "perigee/gateway/block_sender.hpp"
#include "perigee/gateway/sessions.hpp"
#include "perigee/gateway/worker_links.hpp"

namespace perigee::gateway {

class Endings {
 public:
  // Links lose packets, and may be silent for up to 5 s. A client that already has data of the next
  // incarnation drops the repetitions.
  static constexpr std::uint32_t sends = 6;
  static constexpr Micros send_again_us = 1'000'000;
  // A worker that is cut off from the directory continues to send until this gateway learns that
  // its incarnation has ended. It also sends entities that another worker has received and sent
  // already. Nothing is removed until the other worker has sent these once more, so that they
  // belong to that worker at the clients.
  static constexpr Micros send_first_us = 1'000'000;

  struct Needs {
    const ClusterMap& map;
    const WorkerLinks& links;
    const Sessions& sessions;
    BlockSender& block_sender;
  };
  explicit Endings(Needs needs) : needs_(needs) {}

  /// A block with this tick arrived from a reachable worker.
  void note_received(WorkerSlot worker, Tick tick);
  /// `other_cluster`: the map is that of another cluster id; its workers are all new.
  void on_map(Micros now_us, bool other_cluster);
  /// Sends clients what is due.
  void advance(Micros now_us);

 private:
  /// The newest state received from a worker.
  struct Received {
    Incarnation incarnation;
    Tick newest;  ///< newest tick of its blocks
  };
  /// A worker incarnation that ended without a successor: clients have to remove its entities.
  struct Ended {
    WorkerSlot worker;
    Tick tick;  ///< the tick after that of its newest block
    std::uint32_t sends_left = 0;
    Micros next_send_us = 0;
  };
  bool is_over(WorkerSlot worker, const Received& has_received) const;
  void send(Micros now_us, const Ended& ended);

  Needs needs_;
  std::array<std::optional<Received>, workers_max> received_;  ///< by worker
  std::vector<Ended> ended_;                                   ///< at most workers_max
};

}  // namespace perigee::gateway
