/// A member's connection to the directory: registers, sends heartbeats, watches the map, keeps the
/// clock in sync. With several directories it finds the leader, also after leadership has changed.
/// gRPC runs on its own threads; all events arrive on the loop's thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "perigee/base/address.hpp"
#include "perigee/base/clock_sync.hpp"
#include "perigee/base/cluster_map.hpp"
#include "perigee/base/fabric_keys.hpp"
#include "perigee/base/worker_report.hpp"
#include "perigee/host/cluster_tls.hpp"
#include "perigee/host/loop.hpp"

namespace perigee::host {

enum class DirectoryRole : std::uint8_t {
  Worker,
  Gateway,
  Watcher,  ///< watches the map and the clock, registers nothing
  last = Watcher
};

struct DirectoryOptions {
  /// "host:port" of perigee-directory, several separated by commas; names are resolved at every
  /// attempt.
  std::string target;
  DirectoryRole role = DirectoryRole::Watcher;
  std::string name;               ///< unique in the cluster
  Address fabric;                 ///< Worker, Gateway: where fabric datagrams reach this process
  Address grpc;                   ///< Worker, Gateway: its gRPC server
  Address public_udp;             ///< Gateway: the address that connect tokens name
  std::uint64_t schema_hash = 0;  ///< Worker: of its game module; log-ins must match it
  /// Worker, Gateway: random number of this process, in the keys of the fabric; 0: it does not
  /// seal.
  std::uint64_t fabric_run = 0;
  const ClusterTls* tls = nullptr;  ///< null: without TLS. Read during construction alone
};

/// Granted by the directory. Arrives again, possibly with other values, if the directory lost its
/// store: a worker then owns nothing until the map says so.
struct Registration {
  std::uint16_t slot = 0;
  HandleBase handle_base;          ///< Worker
  std::uint32_t handle_count = 0;  ///< Worker
  std::uint32_t cluster_id = 0;

  WorkerSlot worker_slot() const { return WorkerSlot{slot}; }
};

class DirectoryClient {
 public:
  static constexpr Micros heartbeat_us = 1'000'000;
  static constexpr Micros call_deadline_us = 2'000'000;
  static constexpr Micros retry_us_min = 100'000;  ///< doubled per failure ...
  static constexpr Micros retry_us_max = 2'000'000;
  /// With several directories, pause after all were asked: a new leader declares a member dead
  /// after 5 s.
  static constexpr Micros round_us_max = 500'000;

  /// Called on the loop's thread; each may be empty.
  struct Events {
    std::function<void(const Registration&)> registered;
    std::function<void(const ClusterMap&)> map;
    /// Behind `registered`. With the next heartbeat the directory knows that they are in use.
    std::function<void(const FabricKeys&)> fabric_keys;
    std::function<void(bool reachable)> reachable;  ///< at every change
  };
  DirectoryClient(Loop& loop, DirectoryOptions options, Events events);
  /// Cancels calls under way, signs off if the directory is reachable, and joins the threads.
  ~DirectoryClient();
  DirectoryClient(const DirectoryClient&) = delete;
  DirectoryClient& operator=(const DirectoryClient&) = delete;

  /// Loop thread only. Sent at once with a heartbeat; without reports, heartbeats are
  /// `heartbeat_us` apart.
  void report(const WorkerReport& report);
  /// Loop thread only: maps Loop::clock_us() to the directory's time.
  const ClockSync& clock() const;
  /// Loop thread only: registered (or watching), a map received, the clock locked.
  bool ready() const;
  /// Loop thread only: why the directory refuses this process; empty: it does not.
  const std::string& refused_because() const;

 private:
  struct Impl;
  std::shared_ptr<Impl> impl_;
};

}  // namespace perigee::host
