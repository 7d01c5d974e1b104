/// Leadership of a directory: whether this process decides for its cluster. No decision is sent
/// before the store has it. Of several directories that share a store one leads; the others are on
/// standby. (decision 0039)
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "perigee/coordination/store.hpp"
#include "perigee/directory_leadership/records.hpp"

namespace perigee::directory {

struct LeadershipOptions {
  CoreSettings core;
  std::string store_name;              ///< for messages
  std::string boot_id;                 ///< see Moment
  std::uint32_t drawn_cluster_id = 0;  ///< random; for a new world
  /// When this process leads for the first time, it starts a new world, even if the store has one.
  bool new_world = false;
  /// Only this process uses the store: while it does not lead, it counts as not started yet and not
  /// as on standby.
  bool alone = true;
};

/// Counters summed over all terms in which this process led.
struct Tally {
  std::uint64_t deaths = 0;
  std::uint64_t failovers = 0;
  std::uint64_t promotions_without_inputs = 0;
  std::uint64_t quarantined = 0;
  std::uint64_t reports_refused = 0;
  std::uint64_t rate_changes = 0;
  std::uint64_t fabric_key_changes = 0;
  std::uint64_t map_versions = 0;  ///< that were sent
  std::array<std::uint64_t, change_kinds> changes{};
};

/// One thread at a time uses this object and its store. Only this object polls the store.
class Leadership {
 public:
  /// The fate of a decision.
  enum class Fate : std::uint8_t {
    Open,
    Stored,
    Lost,  ///< this process lost leadership: the decision may or may not be stored
    last = Lost
  };
  struct Ticket {
    coordination::Revision term = 0;
    std::uint64_t number = 0;
  };

  /// Campaigns for leadership from now on. `store` must outlive this object.
  Leadership(coordination::Store& store, LeadershipOptions options);
  ~Leadership();
  Leadership(const Leadership&) = delete;
  Leadership& operator=(const Leadership&) = delete;

  /// Applies the store's results. Call it as often as the store needs it, and before each action as
  /// the leader: this call notices an expired lease.
  void poll(host::ClockPair now);

  /// The deciding core; null unless this process leads and has loaded the world. Valid until the
  /// next poll().
  Core* core() { return sent_ ? &*core_ : nullptr; }
  Micros now_us() const { return clock_.at(now_.monotonic_us); }  ///< world clock, of core()
  /// Whether a decision that needs to be stored may be made now; the error says why not.
  Result<Ok> may_decide() const;
  /// Whether this process does its job, including being on standby; the error says why not.
  Result<Ok> well() const;
  /// The store's content, or the lack of it, makes it impossible to continue: this process must
  /// end.
  const std::optional<Error>& hopeless() const { return hopeless_; }

  /// Call it after any change to core(): its state is stored, then published. `even_so`: also if
  /// the map's version has not changed.
  Ticket keep(bool even_so = false);
  Fate fate(const Ticket& ticket) const;

  /// The published state: the one in the store. Null unless this process leads.
  const std::shared_ptr<const Saved>& sent() const { return sent_; }
  bool began_new_world() const { return began_new_world_; }
  /// Increases whenever tickets, sent() or leadership change.
  std::uint64_t news() const { return news_; }

  Tally tally() const;
  std::uint64_t saved() const { return saved_; }
  std::uint64_t save_failures() const { return save_failures_; }
  std::uint64_t terms() const { return terms_; }  ///< terms in which this process led
  bool store_answers() const;

  /// World time never goes back by more than this.
  static constexpr Micros save_us_max = 60'000'000;
  /// A store that takes longer for a commit counts as unavailable: no further decisions are made.
  static constexpr Micros slow_us = 1'000'000;
  static constexpr Micros again_us = 250'000;
  static constexpr Micros look_us = 1'000'000;  ///< on standby: interval of checks for a world
  /// A process that must start a new world has to lead within this time; otherwise another
  /// directory is continuing the old one.
  static constexpr Micros new_world_us_max = 20'000'000;

 private:
  void lead(coordination::Revision term);
  void lose(const std::string& why);
  void stand_by();
  void read();
  void begin(const coordination::Snapshot& snapshot);
  void new_world();
  bool unkept() const;
  void save();
  void on_saved(const Records& records, std::shared_ptr<const Saved> saved, std::uint64_t covers);
  void on_refused(const std::string& why);
  bool too_late(const WorldTime& time) const;
  Moment moment() const { return {now_, options_.boot_id}; }

  coordination::Store& store_;
  LeadershipOptions options_;
  host::ClockPair now_;
  std::optional<coordination::Revision> term_;
  std::string lost_why_;
  std::optional<Error> hopeless_;

  // Of this term:
  std::optional<Core> core_;
  WorldClock clock_;
  Records stored_;
  std::shared_ptr<const Saved> sent_;
  std::uint64_t kept_ = 0;  ///< tickets
  std::uint64_t durable_ = 0;
  std::uint64_t kept_version_ = 0;  ///< version of the map at the newest ticket
  bool commit_under_way_ = false;
  bool read_under_way_ = false;
  std::optional<std::string> failing_;  ///< why the last commit was refused
  Micros asked_us_ = 0;                 ///< machine's clock: start of the commit under way
  Micros again_at_us_ = 0;

  std::optional<Micros> answered_us_;  ///< machine's clock: when the store was first ready
  bool began_new_world_ = false;
  bool had_a_world_ = false;
  Tally past_;
  std::uint64_t news_ = 0;
  std::uint64_t saved_ = 0;
  std::uint64_t save_failures_ = 0;
  std::uint64_t terms_ = 0;
};

}  // namespace perigee::directory
