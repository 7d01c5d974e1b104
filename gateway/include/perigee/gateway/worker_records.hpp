/// Worker -> client: the records of workers' fabric datagrams go to the component that they are
/// for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "perigee/base/counts.hpp"
#include "perigee/base/fabric.hpp"
#include "perigee/gateway/block_sender.hpp"
#include "perigee/gateway/counts.hpp"
#include "perigee/gateway/endings.hpp"
#include "perigee/gateway/joins.hpp"
#include "perigee/gateway/leaves.hpp"
#include "perigee/gateway/sessions.hpp"
#include "perigee/gateway/worker_links.hpp"

namespace perigee::gateway {

class WorkerRecords {
 public:
  struct Needs {
    const WorkerLinks& links;
    const Sessions& sessions;
    Joins& joins;
    Leaves& leaves;
    Endings& endings;
    BlockSender& block_sender;
    Counts<Count>& counts;
    Counts<Drop>& drops;
  };
  explicit WorkerRecords(Needs needs) : needs_(needs) {}

  void on_datagram(Micros now_us, const Address& from, std::span<const std::byte> datagram);

 private:
  void on_record(Micros now_us, WorkerSlot worker, FabricRecord type, FabricReader& reader);
  void on_block(Micros now_us, WorkerSlot worker, const BlockRecord& block);
  /// The slot of a session; an unknown one is counted.
  std::optional<std::uint32_t> find(SessionId id);

  Needs needs_;
};

}  // namespace perigee::gateway
