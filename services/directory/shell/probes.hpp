/// Asks workers that are suspected to be dead for a sign of life, all at the same time.
#pragma once

#include <cstddef>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <thread>

#include "perigee/base/address.hpp"
#include "perigee/base/tick.hpp"
#include "perigee/base/worker_report.hpp"
#include "perigee/host/cluster_tls.hpp"

namespace perigee::directory {

class Probes {
 public:
  /// A suspect that does not answer for this long is dead. Lower: a busy machine's workers are
  /// declared dead. Higher: its clients wait longer.
  static constexpr Micros answer_us_max = 100'000;
  /// Beyond this many at once, suspects are not asked: their standbys suspect them again with the
  /// next heartbeat.
  static constexpr std::size_t probes_max = 256;

  struct Outcome {
    WorkerIncarnation suspect;
    /// The port of a dead process refuses at once; a stalled process does not answer in time.
    bool answers = false;
    Micros asked_at_us = 0;
  };
  /// `settle` runs on a thread of this object, also for two suspects at the same time. `tls`: null:
  /// without TLS.
  Probes(const host::ClusterTls* tls, std::function<void(const Outcome&)> settle,
         Micros answer_us = answer_us_max);
  /// Questions under way are given up, without an outcome.
  ~Probes();

  /// Does not wait. A suspect that is asked already is not asked twice. Any thread.
  void ask(const WorkerIncarnation& suspect, const Address& grpc);

 private:
  struct Probe;
  void run(Probe& probe);

  const host::ClusterTls* const tls_;
  const std::function<void(const Outcome&)> settle_;
  const Micros answer_us_;
  std::mutex mutex_;  ///< guards all below
  std::list<std::unique_ptr<Probe>> probes_;
  bool stopping_ = false;
};

}  // namespace perigee::directory
