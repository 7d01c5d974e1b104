/// Content lost with its worker: with one worker alone, or with all workers at once. The content
/// that all workers lost at once is restored from the world's last checkpoint. The content that one
/// worker lost is not restored, since other workers may have some of it by now.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>

#include "perigee/directory/membership.hpp"
#include "perigee/directory/region_map.hpp"
#include "perigee/directory/stall_detector.hpp"
#include "perigee/directory/worker_reports.hpp"

namespace perigee::directory {

class ContentLosses {
 public:
  struct Needs {
    const ClusterMap& map;
    const Membership& members;
    const WorkerReports& reports;
    const StallDetector& stalls;
    RegionMap& regions;
  };
  explicit ContentLosses(Needs needs) : needs_(needs) {}

  /// The region's owner has ended, and its content is lost unless it is known to be elsewhere.
  /// Workers heard after `since_us` have not died of the same cause.
  void lose(Micros since_us, RegionId region);
  /// Does the same for all regions of the worker.
  void lose_all(Micros since_us, WorkerSlot worker);
  /// Regions that were restored without an owner are lost.
  void note_restored(Micros now_us);
  /// Decides where the content of lost regions comes from, if that is known by now. A worker not
  /// heard since the loss may have died of the same cause. Its next heartbeat, due within a second,
  /// or its silence decides that.
  void judge();
  /// This process stood still: later heartbeats count as if they came before the losses.
  void forgive_stall(Micros now_us, Micros stalled_us);
  /// Whether it is still undecided where the region's content comes from.
  bool undecided(RegionId region) const { return lost_us_.contains(region); }
  /// Whether the worker is alive, and either has entities or owns a region that is not lost.
  bool has_content(WorkerSlot worker) const;

  /// An incarnation begins without content. Its name is its handle base; `former` is the previous
  /// incarnation of the same slot.
  void begin_incarnation(std::optional<HandleBase> former, HandleBase handle_base);
  /// The incarnation may have content of other workers from now on.
  void note_takes(HandleBase handle_base) { empty_handed_.erase(handle_base); }

 private:
  bool hand_over_elsewhere(const RegionEntry& region);

  Needs needs_;
  /// When a region's content was lost, while it is undecided whether the whole world is lost.
  std::map<RegionId, Micros> lost_us_;
  /// Incarnations, by their handle base, that started under this directory, have taken over
  /// nothing, and have not reported a standby state yet.
  std::set<HandleBase> empty_handed_;
};

}  // namespace perigee::directory
