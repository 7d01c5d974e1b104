/// Ships with players aboard that cross the border between two workers and back as often as
/// possible. The shuttle runs the workers' cores in lockstep, with a minimal gateway, minimal
/// players, and a ledger of the invariants of each tick, input and thing.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <vector>

#include "perigee/base/hash.hpp"
#include "perigee/base/sequence.hpp"
#include "perigee/worker/core.hpp"

namespace perigee::lab {

struct ShuttlePlan {
  std::uint64_t seed = 1;
  std::uint32_t ships = 2;   ///< initially owned by each worker
  std::uint32_t riders = 2;  ///< aboard each; they walk about and jump
  /// Interval of map changes. In turn: both regions go to the second worker, back to one each, both
  /// to the first worker, and back to one each. Each worker receives the map within
  /// `late_ticks_max`. 0: never.
  std::uint32_t map_ticks = 0;
  bool crosses = true;  ///< otherwise all stay on their side: baseline cost of a tick
  /// Of messages between the workers and of players' packets.
  double lost = 0;                  ///< share
  std::int32_t late_ticks_max = 0;  ///< each is delayed by up to this; they overtake each other
};

/// Figures marked zero must be zero on any links.
struct ShuttleFigures {
  std::uint64_t migrations = 0;
  std::uint64_t returned = 0;  ///< not received in time and continued by the sender
  std::uint64_t ticks = 0;
  /// Total and largest size of transferred groups.
  std::uint64_t final_bytes = 0, final_bytes_max = 0;
  std::uint64_t finals_compared = 0;     ///< with the receiver's state, for those that were in time
  std::uint64_t finals_differ = 0;       ///< must be zero
  std::uint64_t ship_ticks_doubled = 0;  ///< simulated by both workers; must be zero
  std::uint64_t ship_ticks_nowhere = 0;  ///< simulated by neither worker; zero on good links
  std::uint64_t rider_ticks = 0;         ///< final and checked
  std::uint64_t rider_ticks_missing = 0;  ///< never simulated; must be zero
  std::uint64_t inputs_in_time = 0;       ///< applied at the tick that they name
  std::uint64_t inputs_lost = 0;          ///< in time but not applied; must be zero
  std::uint64_t inputs_wrong = 0;         ///< a wrong or never sent input was applied; must be zero
  std::uint64_t began_anew = 0;    ///< riders that no worker had for too long; zero on good links
  std::uint64_t things_wrong = 0;  ///< owned twice, or missing once all is settled; must be zero
};

class Shuttle {
 public:
  explicit Shuttle(const ShuttlePlan& plan);
  ~Shuttle();

  void step();
  /// Runs until that many migrations have happened, or that many ticks have run.
  void run(std::uint64_t migrations, std::uint64_t ticks_max);
  /// Stops loss and delay. After a few seconds every thing must have one owner.
  void settle();
  const ShuttleFigures& figures() const { return figures_; }
  /// The worker 0 or 1, for further checks between two steps.
  worker::Core& core(std::size_t index) { return *sides_[index].core; }
  std::span<const Handle> ships() const { return ships_; }
  /// Called before and after each activity of a worker, if set.
  std::function<void()> worker_begins, worker_ends;

 private:
  struct Rider;
  struct Side {
    std::unique_ptr<worker::Core> core;
    Address fabric;
  };
  struct Parcel {
    std::size_t to = 0;
    bool word = false;  ///< a message of the other worker; otherwise a datagram
    Address from;
    std::vector<std::byte> bytes;
  };
  void join_everybody();
  void change_map();
  void post(Parcel parcel, std::int32_t at_least_ticks);
  void deliver(const Parcel& parcel);
  void deliver_word(const Parcel& parcel);
  void read(std::size_t from, const Address& to, std::span<const std::byte> bytes);
  void play(Rider& rider);
  void acknowledge(Rider& rider);
  PlayerInput input_of(const Rider& rider, Tick tick) const;
  void note_arrivals(const worker::Core& core, std::span<const std::byte> datagram);
  void look_at_ships();
  void look_at_records(Rider& rider);
  void compare_final(const worker::Core& taker, Handle ship, const Parcel& parcel);
  void count_things(bool all_there);
  bool all_owned() const;
  template <class Record>
  void send(Rider& rider, std::size_t side, const Record& record, bool weather);

  ShuttlePlan plan_;
  std::unique_ptr<world::GameModule> game_;
  Random random_;
  ClusterMap map_;
  std::array<Side, 2> sides_;
  std::vector<std::unique_ptr<Rider>> riders_;
  std::vector<Handle> ships_;
  std::map<Handle, Tick> played_;  ///< the newest tick of each ship
  std::set<Handle> things_;
  std::multimap<std::uint64_t, Parcel> under_way_;  ///< by arrival time
  std::multimap<std::uint64_t, std::pair<std::size_t, ClusterMap>> maps_under_way_;
  ShuttleFigures figures_;
};

}  // namespace perigee::lab
