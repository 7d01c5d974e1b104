/// The cluster map as plain data: the existing workers and gateways, the owner of each region of
/// space, and the mapping of wall time to ticks. Only the directory writes it; all other processes
/// watch it.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "perigee/base/address.hpp"
#include "perigee/base/ids.hpp"
#include "perigee/base/tick.hpp"
#include "perigee/base/vec.hpp"
#include "perigee/base/world_time.hpp"

namespace perigee {

inline constexpr std::uint32_t workers_max = 1024;
inline constexpr std::uint32_t gateways_max = 1024;

struct WorkerEntry {
  WorkerSlot slot;
  Address fabric;          ///< destination of its fabric datagrams
  HandleBase handle_base;  ///< first of the entity handles that only this worker may grant
  std::uint32_t handle_count = 0;
  bool alive = false;
  Incarnation incarnation;  ///< players of a former one join again
  bool draining = false;    ///< must end up owning nothing: its regions move to other workers
  /// The standby: another worker that follows this worker's state ...
  std::optional<WorkerSlot> standby;
  /// ... and takes over if this one dies: it has everything that this worker calls durable.
  bool standby_in_sync = false;
  std::uint32_t standby_word = 0;  ///< of the worker's report behind the two fields above
  std::uint64_t run = 0;  ///< random number of its process, in the keys of the fabric; 0: none

  /// Of its incarnation. `handle_count` must not be 0.
  HandleBlock block() const { return block_of(handle_base, handle_count); }
  friend bool operator==(const WorkerEntry&, const WorkerEntry&) = default;
};

struct GatewayEntry {
  GatewaySlot slot;
  Address fabric;
  Address public_udp;  ///< address in connect tokens
  bool alive = false;
  std::uint64_t run = 0;  ///< random number of its process, in the keys of the fabric; 0: none
  friend bool operator==(const GatewayEntry&, const GatewayEntry&) = default;
};

/// A box of space with one owner. Epochs only grow; receivers refuse older ones.
struct RegionEntry {
  RegionId region;
  Epoch epoch;
  Vec3 low, high;  ///< metres, low inclusive, high exclusive
  std::optional<WorkerSlot> owner;
  /// The created epoch: the epoch under which the region's content must be created, by the owner of
  /// that time. A later epoch with the same value: the content comes from the former owner. 0: the
  /// content comes from the region that this one was split from.
  Epoch created_epoch;
  /// The region's content was lost together with everything else: the owner creates it from the
  /// world store's last checkpoint, if there is one.
  bool from_checkpoint = false;
  friend bool operator==(const RegionEntry&, const RegionEntry&) = default;
};

/// Failover record: a worker incarnation that has ended, and the successor that took over its
/// state.
struct FailoverRecord {
  HandleBase handle_base;  ///< identifies the dead incarnation
  WorkerSlot successor;
  HandleBase successor_handle_base;  ///< identifies the successor's incarnation
  Epoch epoch;                       ///< of the dead incarnation's log; +1 per successor
  /// Length of the crash chain: workers that died within 8 s, each the successor of the one before.
  std::uint32_t crashes = 0;
  Micros crashing_since_us = 0;  ///< on the directory's clock
  bool copied = false;           ///< the successor's own standby has the state too
  /// Crash chain: a pending input may be the cause of the crashes, so the successor skips pending
  /// inputs.
  bool skip_pending_inputs() const { return crashes >= 2; }
  friend bool operator==(const FailoverRecord&, const FailoverRecord&) = default;
};

struct ClusterMap {
  std::uint32_t cluster_id = 0;  ///< changes when the directory's store is created anew
  std::uint64_t version = 0;     ///< +1 per change
  WorldTime time;
  std::vector<WorkerEntry> workers;  ///< by slot
  std::vector<GatewayEntry> gateways;
  std::vector<RegionEntry> regions;  ///< by region id; boxes do not overlap
  std::vector<FailoverRecord>
      failover_records;           ///< of incarnations with a living successor, newest last
  std::uint64_t schema_hash = 0;  ///< of the game that all workers run; 0 before the first worker
  friend bool operator==(const ClusterMap&, const ClusterMap&) = default;

  const RegionEntry* region_at(const Vec3& point) const;
  const RegionEntry* region(RegionId id) const;
  const WorkerEntry* worker(WorkerSlot slot) const;
  const GatewayEntry* gateway(GatewaySlot slot) const;
  /// Null if that incarnation has not ended, or has no successor.
  const FailoverRecord* failover_record(HandleBase handle_base) const;
};

}  // namespace perigee
