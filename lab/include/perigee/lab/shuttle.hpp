/// Ships with people aboard that go over the border between two workers and back, as often as they
/// may: the workers' cores in step, the gateway's and the players' part in a few lines, and a
/// ledger of what has to hold for each tick, input and thing.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <vector>

#include "perigee/netcode/hash.hpp"
#include "perigee/netcode/sequence.hpp"
#include "perigee/worker/core.hpp"

namespace perigee::lab {

struct ShuttlePlan {
  std::uint64_t seed = 1;
  std::uint32_t ships = 2;   ///< of either worker at first
  std::uint32_t riders = 2;  ///< aboard each; they walk about and jump
  /// So often the map changes, in turn: both regions to the second worker, back to one each, both
  /// to the first one, and back. Each worker hears of it within `late_ticks_max`. 0: never.
  std::uint32_t map_ticks = 0;
  bool crosses = true;  ///< else all stay where they began: what a tick costs without borders
  /// Of words between the workers, and of packets of players.
  double lost = 0;                  ///< share
  std::int32_t late_ticks_max = 0;  ///< each comes up to so much later, so that they overtake
};

/// Zero wherever it says so, on any links.
struct ShuttleFigures {
  std::uint64_t handoffs = 0;
  std::uint64_t returned = 0;  ///< not taken in time, and gone on with where they came from
  std::uint64_t ticks = 0;
  std::uint64_t final_bytes = 0, final_bytes_max = 0;  ///< of all and of the largest that was taken
  std::uint64_t finals_compared = 0;  ///< with what their taker then had: those that were in time
  std::uint64_t finals_differ = 0;    ///< zero
  std::uint64_t ship_ticks_doubled = 0;   ///< played by both; zero
  std::uint64_t ship_ticks_nowhere = 0;   ///< played by nobody at their time; zero on good links
  std::uint64_t rider_ticks = 0;          ///< final, and each looked at
  std::uint64_t rider_ticks_missing = 0;  ///< never played; zero
  std::uint64_t inputs_in_time = 0;       ///< applied at the tick that they name
  std::uint64_t inputs_lost = 0;          ///< in time, and not applied; zero
  std::uint64_t inputs_wrong = 0;         ///< another one was applied, or one that never came; zero
  std::uint64_t began_anew = 0;           ///< riders nobody had for too long; zero on good links
  std::uint64_t things_wrong = 0;         ///< owned twice, or, once all is settled, missing; zero
};

class Shuttle {
 public:
  explicit Shuttle(const ShuttlePlan& plan);
  ~Shuttle();

  void step();
  /// Until so many handoffs, or for that many ticks.
  void run(std::uint64_t handoffs, std::uint64_t ticks_max);
  /// Nothing is lost or late any more, and after a few seconds every thing has one owner.
  void settle();
  const ShuttleFigures& figures() const { return figures_; }
  /// Between two steps, for whoever has more to ask of it; 0 and 1.
  worker::Core& core(std::size_t index) { return *sides_[index].core; }
  std::span<const Handle> ships() const { return ships_; }
  /// Called before and after whatever a worker does, if it is set.
  std::function<void()> worker_begins, worker_ends;

 private:
  struct Rider;
  struct Side {
    std::unique_ptr<worker::Core> core;
    Address fabric;
  };
  struct Parcel {
    std::size_t to = 0;
    bool word = false;  ///< of the other worker; else a datagram
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
  void tell(Rider& rider, std::size_t side, const Record& record, bool weather);

  ShuttlePlan plan_;
  std::unique_ptr<world::GameModule> game_;
  Random random_;
  ClusterMap map_;
  std::array<Side, 2> sides_;
  std::vector<std::unique_ptr<Rider>> riders_;
  std::vector<Handle> ships_;
  std::map<Handle, Tick> played_;  ///< the newest tick of each ship
  std::set<Handle> things_;
  std::multimap<std::uint64_t, Parcel> under_way_;  ///< by when they come
  std::multimap<std::uint64_t, std::pair<std::size_t, ClusterMap>> maps_under_way_;
  ShuttleFigures figures_;
};

}  // namespace perigee::lab
