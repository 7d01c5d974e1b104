/// Who hears of whom, how often, in which bytes: turns one worker's publication into the blocks of
/// its observers. Pure; everything it decides follows from its arguments. (mission K3-K5, V4, D4)
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "perigee/netcode/interest.hpp"
#include "perigee/replication/observer.hpp"
#include "perigee/replication/published.hpp"

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

inline constexpr std::size_t block_bytes_max = 1150;  ///< with the gateway's frame: one payload

/// A finished block for a client's gateway. Priority 0 carries the own avatar.
using BlockSink = std::function<void(SessionId, std::uint8_t priority, std::span<const std::byte>)>;

class Publisher {
 public:
  Publisher(const ReplicationSettings& settings, std::size_t entities_max);

  /// The world at the start of `now`; valid until the next call. Does this tick send anything?
  static bool sends_at(const ReplicationSettings& settings, Tick now);
  void begin(Tick now, const Publication& publication);

  /// Tells the observer of what it should know (parents first) and forgets what has left.
  /// A parent is always told before its children.
  void update_known(Observer& observer);
  /// Writes this tick's blocks. `own` is set for the avatar's owner.
  void write_blocks(Observer& observer, BlockHeader header, const OwnSection* own,
                    const BlockSink& sink);
  /// The owner's choice: keeps the records due inside the client's budget. Every 60 ticks.
  void choose_stretch(Observer& observer) const;

  /// Tells everybody who knows `object`; whose window is full is told of the object anew later.
  /// Answers how many event windows were full.
  std::uint32_t broadcast(std::span<Observer* const> observers, Handle object,
                          const WorldEvent& event, bool urgent) const;

  struct Counters {
    std::uint64_t records = 0;
    std::uint64_t records_by_ring[interest_rings] = {};
    std::uint64_t blocks = 0;
    std::uint64_t bytes = 0;
    std::uint64_t events_deferred = 0;
  };
  const Counters& counters() const { return counters_; }

  /// What a newly known timeline object's log says, oldest first; set by the worker.
  std::function<void(Handle, const std::function<void(const TimelineEvent&)>&)> timeline_of;

 private:
  struct Due {
    std::uint32_t index;
    double distance_m;
    GroupFrame frame;
  };
  const Published* find(Handle handle) const;
  bool tell(Observer& observer, const Published& entity, int depth);
  void collect_due(Observer& observer);
  bool due(const Observer& observer, const Published& entity, std::uint32_t h,
           double distance_m) const;
  std::span<const std::byte> encoded(std::uint32_t index);
  std::size_t write_records(BlockWriter& writer, std::size_t first);

  ReplicationSettings settings_;
  Tick now_;
  const Publication* publication_ = nullptr;
  std::vector<std::pair<Handle, std::uint32_t>> by_handle_;
  std::vector<std::uint8_t> classes_;  ///< phase class by index
  std::vector<std::byte> encoded_;     ///< records, encoded at most once a tick
  std::vector<bool> is_encoded_;
  std::vector<Due> due_;
  Counters counters_;
};

}  // namespace perigee::replication
