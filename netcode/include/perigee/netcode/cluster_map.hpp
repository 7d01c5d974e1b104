/// The cluster map as plain data: which workers and gateways exist, who owns which region of space,
/// and how wall time becomes ticks. Written by the directory alone, watched by everybody.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "perigee/netcode/address.hpp"
#include "perigee/netcode/tick.hpp"
#include "perigee/netcode/vec.hpp"
#include "perigee/netcode/world_time.hpp"

namespace perigee {

/// Index of a worker in the map, 0 .. workers_max-1; stream 1 + slot carries its blocks.
using WorkerSlot = std::uint8_t;
using GatewaySlot = std::uint8_t;
inline constexpr std::uint32_t workers_max = 200;  ///< streams 1..200 of one byte
inline constexpr std::uint32_t gateways_max = 64;

struct WorkerEntry {
  WorkerSlot slot = 0;
  Address fabric;                 ///< where its fabric datagrams go
  std::uint32_t handle_base = 0;  ///< first of the entity handles that only it may grant
  std::uint32_t handle_count = 0;
  bool alive = false;
  /// Which process under this name it is, counted from 1. Another life knows nothing of what the
  /// former one knew: who played there joins again.
  std::uint32_t life = 0;
  bool draining = false;  ///< shall own nothing: its regions go to others
  /// Another worker that is told of all that this one has and does ...
  std::optional<WorkerSlot> buddy;
  /// ... and goes on with it if this one dies: it has all that this one calls durable.
  bool buddy_in_sync = false;
  std::uint32_t buddy_word = 0;  ///< the newest of its reports' that this follows
  friend bool operator==(const WorkerEntry&, const WorkerEntry&) = default;
};

struct GatewayEntry {
  GatewaySlot slot = 0;
  Address fabric;
  Address public_udp;  ///< what goes into connect tokens
  bool alive = false;
  friend bool operator==(const GatewayEntry&, const GatewayEntry&) = default;
};

/// A box of space with one owner. Epochs only grow; receivers refuse older ones.
struct RegionEntry {
  std::uint32_t region = 0;
  std::uint32_t epoch = 0;
  Vec3 low, high;  ///< metres, low inclusive, high exclusive
  std::optional<WorkerSlot> owner;
  /// The epoch under which its content has to be made, by who owns it then. A later epoch with the
  /// same value: what is there comes from the former owner. 0: from the region it was a part of.
  std::uint32_t born = 0;
  /// What was in it was lost together with everything else: its owner makes it from the world
  /// store's last cut, if it has one.
  bool from_cut = false;
  friend bool operator==(const RegionEntry&, const RegionEntry&) = default;
};

/// A worker's life that has ended, and who goes on with what was its own.
struct Bequest {
  std::uint32_t handle_base = 0;  ///< names the life
  WorkerSlot heir = 0;
  std::uint32_t heir_handle_base = 0;  ///< names the heir's life
  std::uint32_t epoch = 0;             ///< of the log of the life that ended; one more per heir
  /// Workers that died within 8 s, each of which had gone on with the one before.
  std::uint32_t crashes = 0;
  Micros crashing_since_us = 0;  ///< by the directory's clock
  bool copied = false;           ///< the heir's own buddy has it, too
  /// What waits for the next tick may be what kills: the heir goes on without that.
  bool careful() const { return crashes >= 2; }
  friend bool operator==(const Bequest&, const Bequest&) = default;
};

struct ClusterMap {
  std::uint32_t incarnation = 0;  ///< changes when the directory's store is made anew
  std::uint64_t version = 0;      ///< +1 per change
  WorldTime time;
  std::vector<WorkerEntry> workers;  ///< by slot
  std::vector<GatewayEntry> gateways;
  std::vector<RegionEntry> regions;  ///< by region id; boxes do not overlap
  std::vector<Bequest> bequests;     ///< of lives whose heirs live, the newest last
  std::uint64_t schema_hash = 0;     ///< of the game that all workers run; 0 before the first
  friend bool operator==(const ClusterMap&, const ClusterMap&) = default;

  const RegionEntry* region_at(const Vec3& point) const;
  const RegionEntry* region(std::uint32_t id) const;
  const WorkerEntry* worker(WorkerSlot slot) const;
  const GatewayEntry* gateway(GatewaySlot slot) const;
  /// Null: that life has not ended, or nobody goes on with it.
  const Bequest* bequest(std::uint32_t handle_base) const;
};

}  // namespace perigee
