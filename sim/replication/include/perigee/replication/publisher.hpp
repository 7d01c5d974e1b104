/// Who hears of whom, how often, in which bytes: turns one worker's publication into the blocks of
/// its observers. Pure; everything it decides follows from its arguments. (mission K3-K5, V4, D4)
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "perigee/netcode/interest.hpp"
#include "perigee/replication/entity_slots.hpp"
#include "perigee/replication/interest_index.hpp"
#include "perigee/replication/observer.hpp"
#include "perigee/replication/published.hpp"
#include "perigee/replication/record_groups.hpp"

namespace perigee::replication {

struct ReplicationSettings {
  InterestRings rings;
  double near_m = 300;           ///< near lane: due in every slot
  std::uint32_t near_max = 200;  ///< at most so many; the radius shrinks instead
  std::uint32_t client_budget_bytes_per_s = 65536;
  std::int32_t own_slot_ticks = 2;  ///< interval of own avatar, parent tree and events
  std::int32_t resend_ticks = 12;   ///< before an unacknowledged event is sent again
  double leave_factor = 1.1;        ///< known until this much farther than visible
};

/// How often an observer's stretch and near radius are chosen anew.
inline constexpr std::int32_t choice_ticks = 60;
/// What an observer was told in the last choice_ticks, and what moves near it: whole numbers, so
/// that their sum over all workers is the same whoever has what.
struct Tally {
  std::uint32_t due = 0;  ///< records
  GridSteps within{};     ///< moving things, within a tenth, two tenths .. of near_m
};
/// What follows from it, and is in the observer's record.
struct Choice {
  float stretch = 1;
  float near_m = 300;
};
/// Where something was at an earlier tick, whoever had it then.
struct Whereabouts {
  world::Bounds bounds;
  bool resting = false;
};
inline constexpr std::size_t block_bytes_max = 1150;  ///< with the gateway's frame: one payload

/// A finished block for a client's gateway. Priority 0 carries the own avatar.
using BlockSink = std::function<void(SessionId, std::uint8_t priority, std::span<const std::byte>)>;

class Publisher {
 public:
  Publisher(const ReplicationSettings& settings, std::size_t entities_max);

  /// The world at the start of `now`, for every tick: begin, put and remove, finish. Entities that
  /// are not put stay as they were put last.
  void begin(Tick now);
  void put(const Published& entity);
  void remove(Handle handle);
  void finish();
  template <class Visit>
  void for_each(Visit visit) const {
    for (std::uint32_t slot = 0; slot < shown_.size(); ++slot) {
      if (slots_.lives(slot)) visit(shown_[slot]);
    }
  }
  /// Is it this observer's turn to get its own section?
  bool serves(const Observer& observer) const {
    return observer.turn(now_, settings_.own_slot_ticks);
  }
  /// Writes this tick's blocks, if it is the observer's turn: tells it of what it should know
  /// (parents first), takes back what has left, sends what is due. `own` for the avatar's owner.
  void write_blocks(Observer& observer, BlockHeader header, const OwnSection* own,
                    const BlockSink& sink);
  /// Of this worker, since the last call: every choice_ticks, at the observer's turn.
  Tally take_tally(Observer& observer) const;
  /// The owner's choice by the sum of all tallies: keeps the records due inside the client's
  /// budget, and at least at `least`, while ticks cost too much.
  Choice choose(const Choice& before, const Tally& of_all, float least) const;

  /// Tells everybody who knows `object`; whose window is full is told of the object anew later.
  /// Answers how many event windows were full.
  std::uint32_t broadcast(std::span<Observer* const> observers, Handle object,
                          const WorldEvent& event, bool urgent);
  bool knows(const Observer& observer, Handle handle) const;
  /// Another worker tells the observer of it from now on: nothing is said, nothing taken back.
  void let_go(Observer& observer, Handle handle);
  /// Another worker has told it already. Ignored if it is not in the publication.
  void adopt(Observer& observer, Handle handle);
  /// Likewise, of what no record will ever tell: its client hears of changes at once, and all of it
  /// again while little else is under way.
  void adopt_fixture(Observer& observer, Handle handle);
  /// Of what was let go to a worker that is lost: the observer is told, while little else is under
  /// way.
  static void lose(Observer& observer, Handle handle);
  /// To be called before an observer is destroyed.
  void forget(Observer& observer);

  struct Counters {
    std::uint64_t records = 0;
    std::uint64_t records_by_ring[interest_rings] = {};
    std::uint64_t records_over_limit = 0;  ///< due, but beyond the blocks of one slot
    std::uint64_t blocks = 0;
    std::uint64_t bytes = 0;
    std::uint64_t events_deferred = 0;
    std::uint64_t known_full = 0;  ///< not told, because the client knows as much as it can hold
  };
  const Counters& counters() const { return counters_; }

  /// What there is to say of an entity besides its spawn, e.g. a door's log, oldest first; set by
  /// the worker.
  std::function<void(Handle, const std::function<void(const WorldEvent&)>&)> news_of;
  /// None if it was nowhere then; set by the worker. What is new here and was elsewhere before goes
  /// on being due as it was there. Asked for the last 64 ticks.
  std::function<std::optional<Whereabouts>(Handle, Tick)> was_at;

 private:
  /// Answers whether it rests: then that was once for all.
  bool place(std::uint32_t slot, bool born);
  bool settled(std::uint32_t slot, Tick at) const;
  GridPoint point_of(std::uint32_t slot, const world::Bounds& bounds) const;
  void enter(std::uint32_t slot);
  Tick last_moved(Handle handle) const;
  void bury(std::uint32_t slot);
  Viewpoint view_of(const Observer& observer) const;
  bool tell(Observer& observer, std::uint32_t slot, int depth);
  bool say(Observer& observer, const Published& entity, std::size_t under_way_max);
  void tell_again(Observer& observer);
  static void tell_losses(Observer& observer);
  bool in_reach(const Observer& observer, const Published& entity, double factor) const;
  bool take_back(Observer& observer, std::uint32_t slot);
  void tell_all(Observer& observer);
  void update_known(Observer& observer);
  void collect_due(Observer& observer);

  ReplicationSettings settings_;
  Tick now_;
  bool begun_ = false;
  EntitySlots slots_;
  std::vector<Published> shown_;          ///< by slot
  std::vector<Published> left_out_;       ///< while there are too many
  std::vector<std::uint32_t> unsettled_;  ///< slots of what is not placed as resting
  InterestIndex index_;
  RecordCache cache_;
  RecordGroups due_;
  std::vector<std::uint8_t> phase_classes_;  ///< by slot
  std::vector<Tick> moved_;                  ///< by slot: last tick it was not at rest
  std::vector<std::uint8_t> is_unsettled_;   ///< by slot
  std::vector<std::uint8_t> streams_;        ///< by slot; false for what is gone
  std::vector<std::uint32_t> sweep_;         ///< of one observer
  std::vector<std::uint32_t> seen_;          ///< by slot: the last collection it was in
  std::uint32_t collection_ = 0;
  Counters counters_;
};

}  // namespace perigee::replication
