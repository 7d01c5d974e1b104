/// The directory's decisions: membership, region ownership, world time. The only writer of the
/// cluster map. Sans I/O: time and random numbers come in as arguments.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "perigee/base/cluster_map.hpp"
#include "perigee/base/result.hpp"
#include "perigee/base/tick.hpp"
#include "perigee/base/worker_report.hpp"
#include "perigee/directory/balance.hpp"
#include "perigee/directory/dilation.hpp"
#include "perigee/directory/fabric_keyring.hpp"
#include "perigee/directory/members.hpp"
#include "perigee/directory/region_loads.hpp"
#include "perigee/directory/space.hpp"

namespace perigee::directory {

/// The world's box is within this distance of the origin on each axis. There the steps of positions
/// (`double`) are 6e-11 m, and cells of tracks on the wire have room for 32 times this distance.
inline constexpr double world_reach_m = 500'000;

struct CoreSettings {
  /// The game's box, metres. A stored world keeps its own; another one is refused.
  Vec3 world_low{-8000, -2000, -8000};
  Vec3 world_high{8000, 2000, 8000};
  /// Slices along x that a new world is cut into. Limits: see Space::sliced.
  std::uint32_t regions = 2;
  /// Region assignment waits for this many workers, so that the first one does not get all regions
  /// ...
  std::uint32_t workers = 2;
  /// ... but no longer than this after the first worker registered.
  Micros settle_us = 5'000'000;
  /// Heartbeats come once a second: four lost ones are tolerated, the fifth counts as a death.
  Micros silence_us_max = 5'000'000;
  /// A member that was silent for this long loses its slot to a new one. Lower: a machine under
  /// repair comes back to another slot. Higher: names that change with every start fill the map.
  Micros slot_rest_us = 3'600'000'000;
  bool balance = true;  ///< default until an operator sets it
  /// Each worker has a standby that takes over if it dies. Off: saves half the memory and a tenth
  /// of the time, but the entities of a dead worker are lost.
  bool standbys = true;
  BalanceSettings balancing;
  DilationSettings dilating;
  FabricKeySettings fabric;
  /// After a change of owner, the affected entities have this long to migrate before the next
  /// change may concern the same region. The wait ends earlier if some entities have arrived and no
  /// more arrive. Lower: overlapping changes. Higher: a slow migration (one that waits for a
  /// standby) delays other changes.
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
  FabricEpochs fabric;                        ///< numbers only, no keys
};

class Core {
 public:
  /// World time starts with tick 0 at `now_us`. The caller draws `cluster_id` at random. `settings`
  /// must have passed check().
  Core(const CoreSettings& settings, std::uint32_t cluster_id, Micros now_us);
  /// Continues from `saved`: same incarnation, slots, epochs and time. Members that were alive then
  /// get the full silence timeout. `saved` must have passed check().
  Core(const CoreSettings& settings, Saved saved, Micros now_us);
  Core(Core&&) noexcept;
  Core& operator=(Core&&) noexcept;
  ~Core();
  /// Whether a new world can begin with these settings: a sentence with the remedy if not.
  static Result<Ok> check(const CoreSettings& settings);
  /// Whether a saved world can continue under these settings.
  static Result<Ok> check(const CoreSettings& settings, const Saved& saved);
  Saved saved() const;

  /// Idempotent by name: a member that comes back under its name gets its slot again. A worker with
  /// another instance number starts a new incarnation, with new handles and new epochs for its
  /// regions.
  Admission register_worker(Micros now_us, const WorkerIntroduction& introduction);
  Admission register_gateway(Micros now_us, const GatewayIntroduction& introduction);
  /// Why a member of this name was refused, and the remedy. If the builds differ, the text names
  /// both.
  std::string explain(Refusal refusal, std::string_view name, const Speaks& speaks,
                      std::string_view build) const;
  /// False: the name or incarnation is unknown, the process was replaced, or its incarnation has
  /// ended; the sender must register again. A worker that was declared dead cannot resume, because
  /// another worker may own its regions by now.
  [[nodiscard]] bool heartbeat(Micros now_us, MemberKind kind, std::uint32_t slot,
                               std::string_view name, std::uint32_t cluster_id,
                               std::uint64_t instance);
  /// The report of a worker that has just sent a heartbeat. Implausible reports are counted and
  /// ignored.
  void report(Micros now_us, std::uint32_t slot, const WorkerReport& report);
  /// The member shuts down cleanly: it is removed at once and does not count as a death. False: the
  /// member is unknown or the process was replaced.
  [[nodiscard]] bool sign_off(Micros now_us, MemberKind kind, std::uint32_t slot,
                              std::string_view name, std::uint32_t cluster_id,
                              std::uint64_t instance);
  /// The workers that the reporter suspects to be dead and of which it has in-sync standby
  /// replicas. Each counts as dead once a second process confirms that it does not answer.
  std::vector<WorkerIncarnation> suspects(std::uint32_t reporter, const WorkerReport& report) const;
  /// The suspect does not answer: its standby takes over. False: too late, or not possible.
  bool declare_dead(Micros now_us, const WorkerIncarnation& suspect);
  /// Call it at least once a second. Declares silent members dead, gives regions without an owner
  /// to workers, and once a second splits, merges and moves regions by load. A stall of the
  /// directory itself does not count as its members' silence.
  void advance(Micros now_us);

  // For operators. An impossible request changes nothing and returns a one-sentence error.
  /// Without an axis, splits along the longest one; without a plane, at the one that halves the
  /// region's cost. Returns the new part, which has the greater coordinates.
  Result<RegionId> split(Micros now_us, RegionId region, std::optional<Axis> axis,
                         std::optional<double> at_m);
  Result<Ok> merge(Micros now_us, RegionId region);
  Result<Ok> move(Micros now_us, RegionId region, std::string_view worker);
  /// The worker must own no regions until its incarnation ends or it is undrained.
  Result<Ok> drain(Micros now_us, std::string_view worker);
  Result<Ok> undrain(std::string_view worker);
  /// Ends the worker's incarnation now; its standby takes over. Returns the successor. Without a
  /// successor the order is refused, unless `force`: then the worker's entities are lost, as if the
  /// worker had died without a standby.
  Result<std::optional<WorkerSlot>> kill(Micros now_us, std::string_view worker, bool force);
  /// Removes the failover record of an ended incarnation, as if that one had had no successor. The
  /// argument is the number of its handle block. The regions keep their owner. Use it only if the
  /// successor has no entities of the ended incarnation.
  Result<Ok> resolve(HandleBlock incarnation);
  void set_balance(bool on);
  /// World time as a percentage of real time, 50 to 100; nullopt: chosen by load.
  Result<Ok> set_rate(Micros now_us, std::optional<std::uint32_t> percent);
  /// The next key of the fabric is used as soon as all members have it.
  Result<Ok> change_fabric_keys();
  /// World time continues with `tick` at `now_us`, at the same rate. For a program that runs the
  /// whole cluster in one process and was paused. The incarnation changes, so that clients discard
  /// their old time.
  void resume_time(Micros now_us, Tick tick);
  /// Restores `time`: the last rate change is dropped because it was not published.
  void keep_time(const WorldTime& time);

  /// Keys of the fabric. The caller of advance() adds a key when one is due.
  bool wants_fabric_key(Micros now_us) const;
  void add_fabric_key(Micros now_us, const FabricKeyBytes& bytes);
  /// A known member has the keys of this deal.
  void confirm_fabric_keys(MemberKind kind, std::uint32_t slot, std::uint32_t deal);
  /// The deal for members, once saved() is stored; number 0: there is none yet.
  FabricKeys fabric_keys() const;
  std::uint64_t fabric_key_changes() const;

  /// The map's version increases with every change.
  const ClusterMap& map() const;
  const std::string& worker_name(WorkerSlot slot) const;
  const Address& worker_grpc(WorkerSlot slot) const;
  const std::string& gateway_name(GatewaySlot slot) const;
  std::uint64_t deaths() const;
  /// Incarnations that a standby took over.
  std::uint64_t failovers() const;
  /// Of these, taken over with the pending inputs skipped (crash chain).
  std::uint64_t promotions_without_inputs() const;
  /// Incarnations with a standby replica that were not taken over because their crash chain was too
  /// long.
  std::uint64_t quarantined() const;
  std::uint32_t handle_blocks_left(Micros now_us) const;
  /// The last report of the worker's present incarnation; null: none yet.
  const WorkerReport* report_of(WorkerSlot slot) const;
  /// As of the last advance().
  const std::map<RegionId, RegionView>& views() const;
  bool balances() const;
  /// Load of the most loaded worker / mean, without draining workers; 1 if there is nothing to
  /// balance. As of the last advance().
  double imbalance() const;
  /// Number of changes made, by kind.
  const std::array<std::uint64_t, change_kinds>& changes() const;
  std::uint64_t reports_refused() const;
  /// Percentage of real time once the last rate change is in force.
  std::uint32_t percent() const;
  const std::optional<std::uint32_t>& ordered_percent() const;
  std::uint64_t rate_changes() const;

 private:
  /// The components. They refer to one another, so they stay in place when a Core moves.
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace perigee::directory
