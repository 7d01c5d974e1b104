/// A directory's seat: whether this process decides for its cluster, and that nothing is told which
/// the store does not have. Of several directories that share a store one leads; the others stand
/// by. (decision 0039)
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "perigee/coordination/store.hpp"
#include "perigee/directory_seat/records.hpp"

namespace perigee::directory {

struct SeatOptions {
  CoreSettings core;
  std::string store_name;               ///< for sentences
  std::string boot_id;                  ///< see Moment
  std::uint32_t drawn_incarnation = 0;  ///< random; of a new world
  /// The first time that this process leads it begins a new world, whatever is in the store.
  bool new_world = false;
  /// The store is this process's own: it does not stand by, it only has not begun yet.
  bool alone = true;
};

/// What the cores of all terms that this process led in have counted.
struct Tally {
  std::uint64_t deaths = 0;
  std::uint64_t bequeathed = 0;
  std::uint64_t careful = 0;
  std::uint64_t quarantined = 0;
  std::uint64_t reports_refused = 0;
  std::uint64_t rate_changes = 0;
  std::uint64_t map_versions = 0;  ///< that were told
  std::array<std::uint64_t, change_kinds> changes{};
};

/// One thread at a time; so is its store, which nobody else polls.
class Seat {
 public:
  /// What it becomes of something that was decided.
  enum class Fate : std::uint8_t {
    Open,
    Stored,
    Lost,  ///< this process does not lead any more: perhaps stored, perhaps not
    last = Lost
  };
  struct Ticket {
    coordination::Revision term = 0;
    std::uint64_t number = 0;
  };

  /// Campaigns from now on. `store` outlives it.
  Seat(coordination::Store& store, SeatOptions options);
  ~Seat();
  Seat(const Seat&) = delete;
  Seat& operator=(const Seat&) = delete;

  /// Takes what the store has. As often as the store wants it, and before anything that is asked in
  /// the leader's name: a lease that has run out meanwhile is noticed here.
  void poll(host::ClockPair now);

  /// What decides; null unless this process leads, and has the world. Valid until the next poll().
  Core* core() { return told_ ? &*core_ : nullptr; }
  Micros now_us() const { return clock_.at(now_.monotonic_us); }  ///< the world's clock, of core()
  /// Whether something that would have to be stored may be decided now. If not: why.
  Result<Ok> may_decide() const;
  /// Whether this process does what it is there for, be it standing by. If not: why.
  Result<Ok> well() const;
  /// The world in the store, or the lack of it, is nothing to go on with: this process shall end.
  const std::optional<Error>& hopeless() const { return hopeless_; }

  /// After whatever may have changed core(): what it has become is stored, then told. `even_so`:
  /// also what no version of the map shows.
  Ticket keep(bool even_so = false);
  Fate fate(const Ticket& ticket) const;

  /// What anybody may know: as it is in the store. Null unless this process leads.
  const std::shared_ptr<const Saved>& told() const { return told_; }
  bool began_new_world() const { return began_new_world_; }
  /// Grows with everything that somebody may wait for: tickets, told(), leadership.
  std::uint64_t news() const { return news_; }

  Tally tally() const;
  std::uint64_t saved() const { return saved_; }
  std::uint64_t save_failures() const { return save_failures_; }
  std::uint64_t terms() const { return terms_; }  ///< that this process led in
  bool store_answers() const;

  /// So that time never goes back by more.
  static constexpr Micros save_us_max = 60'000'000;
  /// A store that takes so long for a commit counts as away: nothing more is decided on top.
  static constexpr Micros slow_us = 1'000'000;
  static constexpr Micros again_us = 250'000;
  static constexpr Micros look_us = 1'000'000;  ///< who stands by: is there a world yet?
  /// Who shall begin a new world leads within this, or another directory goes on with the old one.
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
  SeatOptions options_;
  host::ClockPair now_;
  std::optional<coordination::Revision> term_;
  std::string lost_why_;
  std::optional<Error> hopeless_;

  // Of this term:
  std::optional<Core> core_;
  WorldClock clock_;
  Records stored_;
  std::shared_ptr<const Saved> told_;
  std::uint64_t kept_ = 0;  ///< tickets
  std::uint64_t durable_ = 0;
  std::uint64_t kept_version_ = 0;  ///< of the map, at the newest ticket
  bool commit_under_way_ = false;
  bool read_under_way_ = false;
  std::optional<std::string> failing_;  ///< why the last commit was refused
  Micros asked_us_ = 0;                 ///< machine's clock: the commit under way
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
