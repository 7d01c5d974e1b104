/// The directory's decisions: membership, region ownership, world time. The
/// only writer of the cluster map. Sans I/O: time and random numbers come in as
/// arguments.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "perigee/directory/balance.hpp"
#include "perigee/directory/dilation.hpp"
#include "perigee/directory/handle_blocks.hpp"
#include "perigee/directory/members.hpp"
#include "perigee/directory/space.hpp"
#include "perigee/netcode/cluster_map.hpp"
#include "perigee/netcode/result.hpp"
#include "perigee/netcode/tick.hpp"
#include "perigee/netcode/worker_report.hpp"

namespace perigee::directory {

struct CoreSettings {
  Vec3 world_low{-8000, -2000, -8000};  ///< metres
  Vec3 world_high{8000, 2000, 8000};
  /// Slices along x that a new world is cut into. Limits: see Space::sliced.
  std::uint32_t regions = 2;
  /// Region assignment waits for this many workers, so that the first one does
  /// not get all regions
  /// ...
  std::uint32_t workers = 2;
  /// ... but no longer than this after the first worker registered.
  Micros settle_us = 5'000'000;
  /// Heartbeats come once a second: four lost ones are tolerated, the fifth
  /// counts as a death.
  Micros silence_us_max = 5'000'000;
  /// A name that was silent for this long loses its slot to a newcomer. Lower:
  /// a machine under repair comes back to another slot. Higher: names that
  /// change with every start fill the map.
  Micros slot_rest_us = 3'600'000'000;
  bool balance = true;  ///< default until an operator sets it
  /// Each worker has a standby that takes over if it dies. Off: saves half the
  /// memory and a tenth of the time, but the entities of a dead worker are
  /// lost.
  bool buddies = true;
  BalanceSettings balancing;
  DilationSettings dilating;
  /// Entities affected by a change of owner have this long to migrate before
  /// the next change may concern the same region, unless some have arrived and
  /// no more do. Lower: overlapping changes. Higher: a slow migration (one that
  /// waits for a standby) delays other changes.
  Micros arrive_us_max = 10'000'000;
};

/// State that a restart must preserve.
struct Saved {
  ClusterMap map;
  std::vector<Member> workers;
  std::vector<Member> gateways;
  std::uint32_t handle_blocks = 0;            ///< granted so far; 0 in states without the count
  SavedSpace space;                           ///< no nodes in states from before the kd-tree
  std::optional<bool> balance;                ///< the operator's last setting
  std::optional<std::uint32_t> rate_percent;  ///< the operator's last setting
};

/// Status of a region, from the workers' last reports.
struct RegionView {
  double cost_ms = 0;          ///< per tick
  double away_ms = 0;          ///< part of `cost_ms` borne by workers other than the owner
  std::uint32_t entities = 0;  ///< in the region's space, whichever worker has them
  std::uint32_t away = 0;      ///< of `entities`, not migrated to the owner yet
  bool changing = false;       ///< a change is under way; leave the region alone
};

class Core {
 public:
  /// World time starts with tick 0 at `now_us`. The caller draws `incarnation`
  /// at random.
  Core(const CoreSettings& settings, std::uint32_t incarnation, Micros now_us);
  /// Continues from `saved`: same incarnation, slots, epochs and time. Members
  /// that were alive then get the full silence timeout. `saved` must have
  /// passed check().
  Core(const CoreSettings& settings, Saved saved, Micros now_us);
  /// Whether a saved world can continue under these settings.
  static Result<Ok> check(const CoreSettings& settings, const Saved& saved);
  Saved saved() const {
    return {map_,           workers_, gateways_,       blocks_.granted(),
            space_.saved(), balance_, ordered_percent_};
  }

  /// Idempotent by name: a member that comes back under its name gets its slot
  /// again. A worker with another instance number starts a new incarnation,
  /// with new handles and new epochs for its regions.
  Admission register_worker(Micros now_us, const WorkerIntroduction& introduction);
  Admission register_gateway(Micros now_us, const GatewayIntroduction& introduction);
  /// Why a member of this name was refused and the remedy, with both builds if
  /// the builds differ.
  std::string explain(Refusal refusal, std::string_view name, const Speaks& speaks,
                      std::string_view build) const;
  /// False: the name or incarnation is unknown, the process was replaced, or
  /// its incarnation has ended; the sender must register again. A worker that
  /// was declared dead cannot resume, because another worker may own its
  /// regions by now.
  [[nodiscard]] bool heartbeat(Micros now_us, MemberKind kind, std::uint32_t slot,
                               std::string_view name, std::uint32_t incarnation,
                               std::uint64_t instance);
  /// The report of a worker that has just sent a heartbeat. Implausible reports
  /// are counted and ignored.
  void report(Micros now_us, std::uint32_t slot, const WorkerReport& report);
  /// The member shuts down cleanly: it is removed at once and does not count as
  /// a death. False: the member is unknown or the process was replaced.
  [[nodiscard]] bool sign_off(Micros now_us, MemberKind kind, std::uint32_t slot,
                              std::string_view name, std::uint32_t incarnation,
                              std::uint64_t instance);
  /// The workers in a report that it suspects to be dead and has in-sync
  /// standby replicas of. They count as dead once a second process confirms
  /// that they do not answer.
  std::vector<WorkerLife> suspects(std::uint32_t reporter, const WorkerReport& report) const;
  /// The suspect does not answer: its standby takes over. False: too late, or
  /// not possible.
  bool bury(Micros now_us, const WorkerLife& suspect);
  /// Call it at least once a second. Declares silent members dead, gives
  /// regions without an owner to workers, and once a second splits, merges and
  /// moves regions by load. A stall of the directory itself does not count as
  /// its members' silence.
  void advance(Micros now_us);

  // For operators. An impossible request changes nothing and returns a
  // one-sentence error.
  /// Without an axis, splits along the longest one; without a plane, at the one
  /// that halves the region's cost. Returns the new part, which has the greater
  /// coordinates.
  Result<Region> split(Micros now_us, Region region, std::optional<Axis> axis,
                       std::optional<double> at_m);
  Result<Ok> merge(Micros now_us, Region region);
  Result<Ok> move(Micros now_us, Region region, std::string_view worker);
  /// The worker must own no regions until its incarnation ends or it is
  /// undrained.
  Result<Ok> drain(Micros now_us, std::string_view worker);
  Result<Ok> undrain(std::string_view worker);
  /// Ends the worker's incarnation now; its standby takes over. Returns the
  /// successor. Without a successor it is refused, unless `force`: then the
  /// worker's entities are lost, as if it died without a standby.
  Result<std::optional<WorkerSlot>> kill(Micros now_us, std::string_view worker, bool force);
  /// Removes the failover record of an ended incarnation, named by the number
  /// of its handle block, as if it had had no successor. Its regions keep their
  /// owner. Use it only if the successor has none of its entities.
  Result<Ok> resolve(std::uint32_t life);
  void set_balance(bool on) { balance_ = on; }
  /// World time as a percentage of real time, 50 to 100; nullopt: chosen by
  /// load.
  Result<Ok> set_rate(Micros now_us, std::optional<std::uint32_t> percent);
  /// World time continues with `tick` at `now_us`, at the same rate. For a
  /// program that runs the whole cluster in one process and was paused. The
  /// incarnation changes, so that clients discard their old time.
  void resume_time(Micros now_us, Tick tick);
  /// Restores `time`: the last rate change is dropped because it was not
  /// published.
  void keep_time(const WorldTime& time) { map_.time = time; }

  /// Its version increases with every change.
  const ClusterMap& map() const { return map_; }
  const std::string& worker_name(WorkerSlot slot) const { return workers_.at(slot).name; }
  const Address& worker_grpc(WorkerSlot slot) const { return workers_.at(slot).grpc; }
  const std::string& gateway_name(GatewaySlot slot) const { return gateways_.at(slot).name; }
  std::uint64_t deaths() const { return deaths_; }
  /// Incarnations that a standby took over.
  std::uint64_t bequeathed() const { return bequeathed_; }
  /// Of these, taken over with the pending inputs skipped (crash chain).
  std::uint64_t careful() const { return careful_; }
  /// Incarnations with a standby replica that were not taken over because their
  /// crash chain was too long.
  std::uint64_t quarantined() const { return quarantined_; }
  std::uint32_t handle_blocks_left(Micros now_us) const { return blocks_.left(now_us); }
  /// The last report of the worker's present incarnation; null: none yet.
  const WorkerReport* report_of(WorkerSlot slot) const;
  /// As of the last advance().
  const std::map<Region, RegionView>& views() const { return views_; }
  bool balances() const { return balance_.value_or(settings_.balance); }
  /// Load of the most loaded worker / mean, without draining workers; 1 if
  /// there is nothing to balance. As of the last advance().
  double imbalance() const { return imbalance_; }
  /// Number of changes made, by kind.
  const std::array<std::uint64_t, change_kinds>& changes() const { return changes_; }
  std::uint64_t reports_refused() const { return reports_refused_; }
  /// Percentage of real time once the last rate change is in force.
  std::uint32_t percent() const;
  const std::optional<std::uint32_t>& ordered_percent() const { return ordered_percent_; }
  std::uint64_t rate_changes() const { return rate_changes_; }

  /// For this long after the start or a stall of this process, suspicions
  /// declare no worker dead.
  static constexpr Micros unsure_us = 5'000'000;
  /// Failover records beyond this number are dropped, oldest first.
  static constexpr std::size_t bequests_max = 256;

  /// Limit of a crash chain: this many workers, each the successor of the one
  /// before, within `row_us`. They presumably died of the same cause, so the
  /// last one has no successor. Longer `row_us`: restarting workers one after
  /// the other loses their entities. Shorter: workers crash faster than they
  /// come back.
  static constexpr std::uint32_t crashes_max = 3;
  static constexpr Micros row_us = 8'000'000;

  /// A worker with a replica that is not in sync after `copy_us_max` gets
  /// another standby. Copying as much as one worker can bear takes a second.
  static constexpr Micros copy_us_max = 15'000'000, shunned_us = 60'000'000;
  /// A rate change is announced this long ahead, so that all workers, and
  /// through them the clients with inputs that far ahead, know of it in time.
  static constexpr Micros rate_notice_us = 1'000'000;

 private:
  /// The last change of a region.
  struct Standing {
    std::uint64_t version = 0;  ///< of the map
    std::optional<Micros> moved_us;
    std::optional<std::uint32_t> was_away;  ///< `RegionView::away` a balancing round ago
    bool stays = false;                     ///< some entities have arrived, and no more did in the
                                            ///< last round
  };
  /// How a worker's incarnation ended.
  enum class End : std::uint8_t {
    Crash,  ///< or a stall: indistinguishable
    Order   ///< shut down by an operator or by itself
  };
  /// The part of a worker's load that its standby replicas cause: at most the
  /// load of the originals at their owners.
  struct Copies {
    double of_ms = 0;  ///< load of the workers it is the standby of, at those workers
    double ms = 0;
  };
  /// Taken over by a successor recently; possibly not in its own standby's
  /// replica yet.
  struct Uncopied {
    std::uint64_t since = 0;      ///< version of the map with the takeover
    std::vector<Region> regions;  ///< taken over
    bool restored = false;        ///< restored from disk; `regions` is unknown
  };
  template <class Entry>
  std::optional<std::size_t> slot_for(Micros now_us, const std::vector<Member>& members,
                                      const std::vector<Entry>& entries, std::string_view name,
                                      std::size_t members_max) const;
  template <class Entry>
  std::variant<std::size_t, Refusal> admit(Micros now_us, std::vector<Member>& members,
                                           std::vector<Entry>& entries, const std::string& name,
                                           Entry wanted, std::size_t members_max);
  std::vector<Member>* members_of(MemberKind kind, std::uint32_t slot, std::string_view name,
                                  std::uint32_t incarnation);
  bool& alive(MemberKind kind, std::uint32_t slot);
  void forgive_own_stall(Micros now_us);
  template <class Entry>
  void bury_silent(Micros now_us, const std::vector<Member>& members, std::vector<Entry>& entries);
  void begin_new_life(Micros now_us, WorkerSlot slot);
  bool goes_on(Micros now_us, WorkerSlot slot);
  // builds.cpp
  const Member* stranger(MemberKind kind, const Speaks& speaks) const;
  const Member* stranger_to_links(const Speaks& speaks) const;
  std::optional<Refusal> other_build(MemberKind kind, const Speaks& speaks) const;

  // `buddies.cpp`
  void note_in_sync(WorkerSlot slot, const WorkerReport& report);
  void forget_copies_of(WorkerSlot slot);
  std::optional<WorkerSlot> shunned_by(const WorkerEntry& worker);
  void choose_buddies();
  void forget_bequests();
  Result<WorkerSlot> heir_of(Micros now_us, WorkerSlot slot, End how) const;
  bool end_life(Micros now_us, WorkerSlot slot, End how);
  void bequeath(Micros now_us, WorkerSlot slot, WorkerSlot to, const Bequest& row);

  // quarantine.cpp
  Bequest row_after(Micros now_us, WorkerSlot slot, End how) const;
  void quarantine(Micros now_us, WorkerSlot slot);
  void leave_behind_uncopied(Micros now_us, WorkerSlot slot);
  bool note_copied(WorkerSlot slot, const WorkerReport& report, bool in_sync);
  bool out_of_date(WorkerSlot slot, const WorkerReport& report) const;
  void distrust_copies();

  // losses.cpp
  bool others_heard_after(WorkerSlot slot) const;
  bool pass_on_what_has_not_come(RegionEntry& region);
  void lose(Micros since_us, RegionEntry& region);
  void lose_life(Micros now_us, WorkerSlot slot);
  bool has_content(WorkerSlot slot) const;
  bool owns_region(WorkerSlot slot) const;
  void judge_losses();
  std::uint32_t living_workers() const;
  bool given_up(Micros now_us, bool alive, const Member& member) const;

  // regions.cpp
  void draw_map();
  RegionEntry* entry_of(Region region);
  void note_change(Region region, std::optional<Micros> moved_us);
  void assign_regions(Micros now_us);
  std::optional<WorkerSlot> least_loaded_worker() const;
  std::map<Region, WorkerSlot> owners() const;
  std::map<WorkerSlot, Copies> copies() const;
  std::vector<WorkerShare> shares() const;
  CostMap costs() const;
  std::optional<WorkerSlot> stays_in(WorkerSlot has_it, const CellCost& cost,
                                     const std::map<Region, WorkerSlot>& owner) const;
  bool told(const RegionEntry& region) const;
  bool changing(Micros now_us, const RegionEntry& region) const;
  void look(Micros now_us);
  std::optional<Region> make(Micros now_us, const Change& change);
  void drain_now(Micros now_us);
  void watch_arrivals(Micros now_us);
  void balance_now(Micros now_us);

  // world_clock.cpp
  const TimeSegment& last_segment() const {
    return map_.time.change ? *map_.time.change : map_.time.base;
  }
  void renew_segment(Micros now_us);
  std::vector<Strain> strains() const;
  void steer_time(Micros now_us);

  // reports.cpp
  void forget_reports_of_the_dead();
  void watch_handles(Micros now_us);

  // operators.cpp
  Result<Ok> may_change(Region region) const;
  Result<WorkerSlot> living(std::string_view worker) const;
  bool others_stay(WorkerSlot than) const;

  CoreSettings settings_;
  ClusterMap map_;
  Space space_;
  std::vector<Member> workers_;
  std::vector<Member> gateways_;
  HandleBlocks blocks_;
  std::optional<bool> balance_;  ///< the operator's last setting
  Balancer balancer_;
  Dilation dilation_;
  std::optional<std::uint32_t> ordered_percent_;  ///< the operator's last setting
  std::map<Region, Standing> standings_;
  std::map<WorkerSlot, WorkerReport> reports_;  ///< of the present incarnations of living workers
  std::map<Region, RegionView> views_;
  double imbalance_ = 1;
  std::array<std::uint64_t, change_kinds> changes_{};
  /// When a region's content was lost, while it is undecided whether the whole
  /// world is lost.
  std::map<Region, Micros> lost_us_;
  std::map<WorkerSlot, Uncopied> uncopied_;  ///< by successor
  /// Incarnations, by their handle base, that started under this directory,
  /// have taken over nothing, and have not reported a standby state yet.
  std::set<std::uint32_t> empty_handed_;
  struct Shunned {
    std::optional<WorkerSlot> waits_for;
    Micros waits_since_us = 0;
    std::optional<WorkerSlot> buddy;
    Micros until_us = 0;
  };
  std::map<WorkerSlot, Shunned> shunned_;  ///< by the worker that avoids the standby
  std::optional<Micros> first_worker_us_;
  Micros advanced_us_ = 0;
  Micros balanced_us_ = 0;
  Micros unsure_until_us_ = 0;
  std::uint64_t deaths_ = 0;
  std::uint64_t bequeathed_ = 0;
  std::uint64_t careful_ = 0;
  std::uint64_t quarantined_ = 0;
  std::uint64_t reports_refused_ = 0;
  std::uint64_t rate_changes_ = 0;
};

}  // namespace perigee::directory
