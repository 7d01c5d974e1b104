/// The directory's decisions: who is a member, who owns which region, what the world's time is.
/// The only writer of the cluster map. Sans I/O: time and random numbers come in as arguments.
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
#include "perigee/directory/space.hpp"
#include "perigee/netcode/address.hpp"
#include "perigee/netcode/cluster_map.hpp"
#include "perigee/netcode/result.hpp"
#include "perigee/netcode/speaks.hpp"
#include "perigee/netcode/tick.hpp"
#include "perigee/netcode/worker_report.hpp"

namespace perigee::directory {

inline constexpr std::size_t name_chars_max = 64;

struct CoreSettings {
  Vec3 world_low{-8000, -2000, -8000};  ///< metres
  Vec3 world_high{8000, 2000, 8000};
  /// A new world is cut into so many slices along x; Space::sliced says how many there may be.
  std::uint32_t regions = 2;
  /// Regions wait for this many workers, so that the first to come does not take them all ...
  std::uint32_t workers = 2;
  /// ... but no longer than this after the first came.
  Micros settle_us = 5'000'000;
  /// Heartbeats come once a second: four lost ones are forgiven, the fifth is a death.
  Micros silence_us_max = 5'000'000;
  /// A name unheard of for this long loses its slot to a newcomer. Less: a machine under repair
  /// comes back to another slot; more: names that change with every start fill the map.
  Micros slot_rest_us = 3'600'000'000;
  bool balance = true;  ///< until an operator says otherwise
  /// Each worker has another one that goes on with it. Off: half the memory and a tenth of the time
  /// less; what dies is lost.
  bool buddies = true;
  BalanceSettings balancing;
  DilationSettings dilating;
  /// What a change of owner sets going is given so long to arrive, before the next one may concern
  /// it, unless some has arrived and no more does. Less: changes on top of changes; more: what
  /// waits for a buddy holds up the rest.
  Micros arrive_us_max = 10'000'000;
};

struct WorkerIntroduction {
  std::string name;
  Address fabric;
  Address grpc;
  std::uint64_t schema_hash = 0;  ///< of its game module
  std::uint64_t instance = 0;     ///< random, drawn once per process
  Speaks speaks;
  std::string build;  ///< for people
};
struct GatewayIntroduction {
  std::string name;
  Address fabric;
  Address public_udp;
  std::uint64_t instance = 0;  ///< random, drawn once per process
  Speaks speaks;
  std::string build;  ///< for people
};

enum class Refusal : std::uint8_t {
  BadName,       ///< not 1 to 64 letters, digits, dots, dashes, underscores
  BadAddress,    ///< an address or port is missing
  PublicFabric,  ///< the fabric is not sealed: private addresses only
  OtherGame,     ///< the living workers run another game, or another version of it
  OtherFabric,   ///< living members speak another version of the fabric
  OtherWorkers,  ///< the living workers speak another version with each other
  NameTaken,     ///< a living member with another address has that name
  Full,          ///< no free slot
  NoHandles,     ///< all blocks of entity handles may be in use
  last = NoHandles
};
/// A sentence with the remedy.
std::string_view describe(Refusal refusal);

struct Grant {
  std::uint8_t slot = 0;
  std::uint32_t handle_base = 0;   ///< workers only
  std::uint32_t handle_count = 0;  ///< workers only
};
using Admission = std::variant<Grant, Refusal>;

enum class MemberKind : std::uint8_t { Worker, Gateway, last = Gateway };

/// What the directory knows of a member beside its entry in the map; by slot.
struct Member {
  std::string name;
  Address grpc;  ///< workers only
  std::uint64_t instance = 0;
  Micros heard_us = 0;
  /// Workers: this process's life has ended, whether it knows it or not. It begins another one
  /// when it registers again.
  bool life_over = false;
  Speaks speaks;
  std::string build;  ///< for people
  friend bool operator==(const Member&, const Member&) = default;
};

/// What a restart must not lose.
struct Saved {
  ClusterMap map;
  std::vector<Member> workers;
  std::vector<Member> gateways;
  std::uint32_t handle_blocks = 0;            ///< granted so far; 0: by who did not count them yet
  SavedSpace space;                           ///< no nodes: by who knew slices only
  std::optional<bool> balance;                ///< as an operator said last
  std::optional<std::uint32_t> rate_percent;  ///< likewise
};

/// How it goes in a region, by what the workers reported last.
struct RegionView {
  double cost_ms = 0;          ///< of a tick
  double away_ms = 0;          ///< of that, what others than its owner bear
  std::uint32_t entities = 0;  ///< in its space, whoever has them
  std::uint32_t away = 0;      ///< of these, not with its owner yet
  bool changing = false;       ///< left alone for now
};

class Core {
 public:
  /// Time starts with tick 0 at `now_us`. `incarnation` is drawn at random by the caller.
  Core(const CoreSettings& settings, std::uint32_t incarnation, Micros now_us);
  /// Goes on where `saved` ended: same incarnation, slots, lives, epochs and time. Who lived then
  /// has the full silence to be heard again. `saved` passed check().
  Core(const CoreSettings& settings, Saved saved, Micros now_us);
  /// Whether a world can go on under these settings.
  static Result<Ok> check(const CoreSettings& settings, const Saved& saved);
  Saved saved() const {
    return {map_,           workers_, gateways_,       blocks_.granted(),
            space_.saved(), balance_, ordered_percent_};
  }

  /// Idempotent by name: whoever comes back under its name gets its slot again. A worker that is
  /// another instance than before begins another life, with handles of its own, and its regions
  /// new epochs.
  Admission register_worker(Micros now_us, const WorkerIntroduction& introduction);
  Admission register_gateway(Micros now_us, const GatewayIntroduction& introduction);
  /// Why somebody of that name was refused, and the remedy: with both builds, if that is why.
  std::string explain(Refusal refusal, std::string_view name, const Speaks& speaks,
                      std::string_view build) const;
  /// False: not known by that name and incarnation, another process by now, or given up; it shall
  /// register again. A worker is given up with its silence: what was its may be somebody else's.
  [[nodiscard]] bool heartbeat(Micros now_us, MemberKind kind, std::uint32_t slot,
                               std::string_view name, std::uint32_t incarnation,
                               std::uint64_t instance);
  /// From who has just sent a heartbeat. What cannot be is counted, and otherwise ignored.
  void report(Micros now_us, std::uint32_t slot, const WorkerReport& report);
  /// The member stops in good order: gone at once, and no death. False: not known,
  /// or another process by now.
  [[nodiscard]] bool sign_off(Micros now_us, MemberKind kind, std::uint32_t slot,
                              std::string_view name, std::uint32_t incarnation,
                              std::uint64_t instance);
  /// Whom a living worker's report suspects, and who would go on with that one's things: dead, once
  /// somebody else than the reporter has found that it does not answer.
  std::vector<WorkerLife> suspects(std::uint32_t reporter, const WorkerReport& report) const;
  /// It does not answer: its buddy goes on with what was its own. False: too late, or not possible.
  bool bury(Micros now_us, const WorkerLife& suspect);
  /// To be called at least every second: silent members die, ownerless regions find owners, and
  /// once a second regions are cut and moved as their load wants it. Nobody could be heard while
  /// the directory itself stood still: that time does not count.
  void advance(Micros now_us);

  // For operators. What is not possible changes nothing, and is told in a sentence.
  /// Without an axis the longest; without a plane the one that halves what the region costs.
  /// Answers the new part, the one with the greater coordinates.
  Result<Region> split(Micros now_us, Region region, std::optional<Axis> axis,
                       std::optional<double> at_m);
  Result<Ok> merge(Micros now_us, Region region);
  Result<Ok> move(Micros now_us, Region region, std::string_view worker);
  /// The worker shall own nothing, until its life ends or it is undrained.
  Result<Ok> drain(Micros now_us, std::string_view worker);
  Result<Ok> undrain(std::string_view worker);
  /// Its life ends now, whatever it does: its buddy goes on with what was its own. Answers who that
  /// is. Nobody: refused; with `force` what it has is lost, as when it dies alone.
  Result<std::optional<WorkerSlot>> kill(Micros now_us, std::string_view worker, bool force);
  /// Nobody answers for an ended life any more, named by the number of its block of handles: as if
  /// it had had no heir, whose regions stay as they are. Its heir must have nothing of it.
  Result<Ok> resolve(std::uint32_t life);
  void set_balance(bool on) { balance_ = on; }
  /// How fast world time passes, 50 to 100 percent of real time; none: as the load wants it.
  Result<Ok> set_rate(Micros now_us, std::optional<std::uint32_t> percent);
  /// World time goes on with `tick` at `now_us`, at the same rate: for a program that has the whole
  /// cluster in one process and stood still. The incarnation becomes another one, so clients forget
  /// the former time.
  void resume_time(Micros now_us, Tick tick);
  /// World time is what it was: the change that was made last has not been told to anybody.
  void keep_time(const WorldTime& time) { map_.time = time; }

  /// Its version grows with every change.
  const ClusterMap& map() const { return map_; }
  const std::string& worker_name(WorkerSlot slot) const { return workers_.at(slot).name; }
  const Address& worker_grpc(WorkerSlot slot) const { return workers_.at(slot).grpc; }
  const std::string& gateway_name(GatewaySlot slot) const { return gateways_.at(slot).name; }
  std::uint64_t deaths() const { return deaths_; }
  /// Lives that somebody went on with.
  std::uint64_t bequeathed() const { return bequeathed_; }
  /// Of these, without the inputs that waited.
  std::uint64_t careful() const { return careful_; }
  /// Lives that nobody goes on with although somebody could: too many have died of it.
  std::uint64_t quarantined() const { return quarantined_; }
  std::uint32_t handle_blocks_left(Micros now_us) const { return blocks_.left(now_us); }
  /// What the worker's present life said last; null: nothing yet.
  const WorkerReport* report_of(WorkerSlot slot) const;
  /// As of the last advance().
  const std::map<Region, RegionView>& views() const { return views_; }
  bool balances() const { return balance_.value_or(settings_.balance); }
  /// Most loaded worker to mean, of those that stay; 1 if there is nothing to balance. Likewise.
  double imbalance() const { return imbalance_; }
  /// How many changes of each kind were made.
  const std::array<std::uint64_t, change_kinds>& changes() const { return changes_; }
  std::uint64_t reports_refused() const { return reports_refused_; }
  /// Of real time, once the last change is in force.
  std::uint32_t percent() const;
  const std::optional<std::uint32_t>& ordered_percent() const { return ordered_percent_; }
  std::uint64_t rate_changes() const { return rate_changes_; }

  /// Nobody is taken for dead by a suspicion so soon after this process began, or stood still.
  static constexpr Micros unsure_us = 5'000'000;
  /// Of those before the oldest nobody asks any more.
  static constexpr std::size_t bequests_max = 256;

  /// So many workers, each of which had gone on with the one before, within so long: by all
  /// appearances they died of the same, and the last one has no heir. Longer: who restarts workers
  /// one after the other loses what they have; shorter: workers die faster than they come back.
  static constexpr std::uint32_t crashes_max = 3;
  static constexpr Micros row_us = 8'000'000;

  /// Two who die at once were heard within this of each other: heartbeats come once a second.
  static constexpr Micros together_us = 2'000'000;
  /// Who has no copy at its buddy by then gets another buddy. A copy of what one worker can bear
  /// takes a second.
  static constexpr Micros copy_us_max = 15'000'000, shunned_us = 60'000'000;
  /// Before its rate changes everybody has heard of it: workers, and through them clients whose
  /// inputs are that much ahead.
  static constexpr Micros rate_notice_us = 1'000'000;

 private:
  /// A region's last change.
  struct Standing {
    std::uint64_t version = 0;  ///< of the map
    std::optional<Micros> moved_us;
    std::optional<std::uint32_t> was_away;  ///< a round ago
    bool stays = false;  ///< some has arrived, and no more of it has in the last round
  };
  /// How a worker's life ended.
  enum class End : std::uint8_t {
    Crash,  ///< or a stall: nobody can tell
    Order   ///< an operator's, or its own
  };
  /// Of a worker's load, what the copy of others' things is: no more than those cost where they
  /// are.
  struct Copies {
    double of_ms = 0;  ///< what those own whose buddy it is
    double ms = 0;
  };
  /// What an heir went on with lately, while its own buddy may not have it.
  struct Uncopied {
    std::uint64_t since = 0;      ///< version of the map that said so
    std::vector<Region> regions;  ///< that came along
    bool restored = false;        ///< which these were is not known any more
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

  // buddies.cpp
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
  std::optional<bool> balance_;  ///< as an operator said last
  Balancer balancer_;
  Dilation dilation_;
  std::optional<std::uint32_t> ordered_percent_;  ///< as an operator said last
  std::map<Region, Standing> standings_;
  std::map<WorkerSlot, WorkerReport> reports_;  ///< of living workers' present lives
  std::map<Region, RegionView> views_;
  double imbalance_ = 1;
  std::array<std::uint64_t, change_kinds> changes_{};
  /// Since when what was in a region is lost, while it is not clear whether everything is.
  std::map<Region, Micros> lost_us_;
  std::map<WorkerSlot, Uncopied> uncopied_;  ///< by heir
  /// Lives, by their blocks of handles, that began while this directory decided, have gone on with
  /// nobody's things, and have not said a word of their buddy.
  std::set<std::uint32_t> empty_handed_;
  struct Shunned {
    std::optional<WorkerSlot> waits_for;
    Micros waits_since_us = 0;
    std::optional<WorkerSlot> buddy;
    Micros until_us = 0;
  };
  std::map<WorkerSlot, Shunned> shunned_;  ///< by whom
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
