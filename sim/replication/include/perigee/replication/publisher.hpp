/// Replication: decides which entities each observer receives, how often and in which bytes, and
/// turns one worker's publication into the blocks of its observers. Pure: depends on its arguments
/// only.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "perigee/base/interest.hpp"
#include "perigee/replication/entity_slots.hpp"
#include "perigee/replication/interest_index.hpp"
#include "perigee/replication/observer.hpp"
#include "perigee/replication/published.hpp"
#include "perigee/replication/record_groups.hpp"
#include "perigee/replication/track_table.hpp"

namespace perigee::replication {

struct ReplicationSettings {
  InterestRings rings;
  double near_m = near_lane_m;   ///< near lane: due in every slot
  std::uint32_t near_max = 200;  ///< limit of entities in it; if exceeded the radius shrinks
  std::uint32_t client_budget_bytes_per_s = 65536;
  /// Of cues per client and worker, within what tracks and events leave free.
  std::uint32_t cue_budget_bytes_per_s = 2048;
  double leave_factor = 1.1;  ///< an entity leaves beyond this multiple of its visible distance
};

/// Interval of own avatar, parent tree and events. On a narrow path send_slot_ticks: the headers of
/// twice as many packets are 2 kB/s.
inline constexpr std::int32_t own_slot_ticks = 2;
/// Period at which an observer's stretch and near radius are chosen.
inline constexpr std::int32_t choice_ticks = 60;
/// Counts of an observer over the last choice_ticks. They are integers, so that their sum over all
/// workers does not depend on the distribution of the entities.
struct Tally {
  std::uint32_t bytes = 0;  ///< of records
  GridSteps within{};       ///< moving entities, within a tenth, two tenths .. of near_m
};
/// The choice from the sum of the tallies; sent in the observer's record.
struct Choice {
  float stretch = 1;
  float near_m = static_cast<float>(near_lane_m);
};
/// Limits of a choice.
struct ChoiceBounds {
  float least_stretch = 1;  ///< greater while ticks cost too much
  /// For records, bytes a second; none: the path carries the client's budget.
  std::optional<double> path_bytes_per_s;
};
/// An entity's place at an earlier tick, on any worker.
struct PastPlace {
  world::Bounds bounds;
  bool resting = false;
};

/// A finished block for a client's gateway. Priority 0 carries the own avatar.
using BlockSink = std::function<void(SessionId, std::uint8_t priority, std::span<const std::byte>)>;

/// For the owner of the observer's avatar.
struct OwnUpdate {
  const OwnSection& section;
  const OwnBasis* basis = nullptr;  ///< that the client certainly has; null: none
};

class Publisher {
 public:
  Publisher(const ReplicationSettings& settings, std::size_t entities_max);

  /// The world at the start of `now`, for every tick: begin, put and remove, finish. Entities
  /// without a put stay as they were put last.
  void begin(Tick now);
  void put(const Published& entity);
  void remove(Handle handle);
  void finish();
  template <class Visit>
  void for_each(Visit visit) const {
    for (std::uint32_t slot = 0; slot < slots_.used_end(); ++slot) {
      if (slots_.alive(slot)) visit(shown_[slot]);
    }
  }
  /// Whether it is this observer's turn to get its own section.
  bool serves(const Observer& observer) const {
    return observer.turn(now_, observer.narrow_path ? send_slot_ticks : own_slot_ticks);
  }
  /// Writes this tick's blocks, if it is the observer's turn: spawns missing entities (parents
  /// first), despawns those that have left, and sends the tracks that the observer lacks of the
  /// entities that are looked at in this slot. An observer that knows anything gets a block in each
  /// of its slots, so that it knows that nothing has changed. `own` for the avatar's owner only.
  void write_blocks(Observer& observer, BlockHeader header, const OwnUpdate* own,
                    const BlockSink& sink);
  /// The counts on this worker since the last call. Called every choice_ticks, at the observer's
  /// turn.
  Tally take_tally(Observer& observer) const;
  /// The owner's choice from the sum of all tallies: keeps the records within the client's budget
  /// and its path's.
  Choice choose(const Choice& before, const Tally& of_all, const ChoiceBounds& bounds) const;

  /// Sends the event to all observers that know `object`. If the window of an observer is full, the
  /// whole object is sent to it again later: this makes good what `news_of` tells, and no launch.
  /// Returns how many event windows were full.
  std::uint32_t broadcast(std::span<Observer* const> observers, Handle object,
                          const WorldEvent& event, bool urgent);
  bool knows(const Observer& observer, Handle handle) const;
  /// Sends the cue in the observer's next blocks, if it is within `reach_m` of its place `at`, and
  /// the observer knows its entity, or the cue has a place.
  void cue(Observer& observer, const CueEvent& cue, const Vec3& at, double reach_m);
  /// Another worker replicates it to the observer from now on: no despawn is sent.
  void let_go(Observer& observer, Handle handle);
  /// Another worker has already spawned it at the client, and the client has this track. That is
  /// repeated once, so that the client learns the new owner. The client's own avatar is spawned
  /// again. Ignored if it is not in the publication.
  void adopt(Observer& observer, Handle handle, const TrackVersion& has);
  /// The track of the entity that the observer certainly has.
  TrackVersion held_by(const Observer& observer, Handle handle) const;
  /// An entity's shared tracks, and those of another worker for an entity that came from there: the
  /// same observers go on with the same tracks.
  std::vector<SharedTrack> tracks_of(Handle handle) const;
  void adopt_tracks(Handle handle, std::span<const SharedTrack> tracks);
  /// All tracks are sent to the observer again, and entities that it does not know are spawned
  /// again. For doubts about what it has.
  void send_all_again(Observer& observer);
  /// adopt() for an entity without records. The client gets changes at once, and the whole entity
  /// again while few other events are pending.
  void adopt_fixture(Observer& observer, Handle handle);
  /// The observer was not sent a change of the entity: it gets the whole entity again, while few
  /// other events are pending. Ignored if it does not know the entity.
  void owe_whole(Observer& observer, Handle handle);
  /// Notes the loss of an entity that was let go to a worker that died. The client is informed
  /// while few other events are pending.
  static void lose(Observer& observer, Handle handle);
  /// Must be called before an observer is destroyed.
  void forget(Observer& observer);

  struct Counters {
    std::uint64_t looks = 0;  ///< at an entity for an observer, whether or not a record was due
    std::uint64_t records = 0;
    std::uint64_t records_by_ring[interest_rings] = {};
    std::uint64_t records_over_limit = 0;  ///< due, but beyond the blocks of one slot
    std::uint64_t blocks = 0;
    std::uint64_t bytes = 0;         ///< of blocks; of these:
    std::uint64_t bytes_own = 0;     ///< own sections
    std::uint64_t bytes_events = 0;  ///< with their sequences
    std::uint64_t bytes_tracks = 0;  ///< with the headers of their groups
    std::uint64_t bytes_cues = 0;
    CueCounts cues;
    std::uint64_t events_deferred = 0;
    std::uint64_t known_full = 0;  ///< not spawned: the client's limit is reached
  };
  const Counters& counters() const { return counters_; }
  /// Number of encodings. A record is encoded once for all observers that can read the same bytes.
  std::uint64_t encoded() const { return tracks_.encoded(); }

  /// An entity's events besides its spawn, e.g. a door's log, oldest first; set by the worker.
  std::function<void(Handle, const std::function<void(const WorldEvent&)>&)> news_of;
  /// An entity's earlier place; none if it did not exist at that tick. Set by the worker. A new
  /// entity that was on another worker before continues to be due as it was there. Called for the
  /// last 64 ticks.
  std::function<std::optional<PastPlace>(Handle, Tick)> was_at;
  /// Set by the worker; without it, all tracks are straight.
  TrackTable::PastOf past_of;

 private:
  struct Seen {
    std::uint32_t collection = 0;  ///< the last one that included the entity
    bool streams = false;          ///< there are records of it; false for removed entities
    bool jointed = false;
  };
  /// The class of tracks that the observer of that hit needs.
  Precision wanted_of(Hit hit) const {
    return wanted_in(ring_of(hit), seen_[slot_of(hit)].jointed);
  }
  /// Returns whether it rests: then it need not be placed again.
  bool place(std::uint32_t slot, bool created);
  bool settled(std::uint32_t slot, Tick at) const;
  GridPoint point_of(std::uint32_t slot, const world::Bounds& bounds) const;
  void enter(std::uint32_t slot);
  Tick last_moved(Handle handle) const;
  void declare_dead(std::uint32_t slot);
  Viewpoint view_of(const Observer& observer) const;
  /// For an observer that is served for the first time.
  void make_room(Observer& observer);
  bool make_known(Observer& observer, std::uint32_t slot, int depth);
  bool send_event(Observer& observer, const Published& entity, std::size_t under_way_max);
  bool note_whole_due(Observer& observer, std::uint32_t slot);
  void send_again(Observer& observer);
  static void send_losses(Observer& observer);
  bool in_reach(const Observer& observer, const Published& entity, double factor) const;
  bool take_back(Observer& observer, std::uint32_t slot);
  void take_for_known(Observer& observer, std::uint32_t slot);
  void make_all_known(Observer& observer);
  void update_known(Observer& observer);
  void take_back_those_out_of_reach(Observer& observer);
  void collect_due(Observer& observer);
  /// Loads what the next hits need into the cache, while those before them are worked on.
  void prefetch_ahead(std::span<const Hit> hits) const;
  /// The hits, without the entities whose present track the observer certainly has.
  std::span<const Hit> without_current(const Observer& observer, std::span<const Hit> hits);
  /// The hits with a track that the observer may lack: each entity once, and known to the observer.
  std::span<const Hit> possibly_due(Observer& observer, std::span<const Hit> hits);
  bool has_current(Observer& observer, std::uint32_t slot, Precision wanted);
  /// Returns whether a record was added that the observer was not sent before.
  bool add_if_due(Observer& observer, std::uint32_t slot, Precision wanted);
  bool is_sent_twice(const Observer& observer, std::uint32_t slot, Precision wanted) const;
  void repeat(Observer& observer, std::uint32_t slot, const TrackVersion& has);
  /// Each changes the observer's tracks, and clears its note in TrackHolders. Nothing else calls
  /// note(), adopt() or forget() of `observer.sent`.
  void note_sent(Observer& observer, std::uint32_t slot, const TrackVersion& track);
  void note_heading_sent(Observer& observer, std::uint32_t slot, std::uint8_t heading);
  void note_adopted(Observer& observer, std::uint32_t slot, const TrackVersion& has);
  void forget_tracks(Observer& observer, std::uint32_t slot);
  void spawn_again(Observer& observer, std::uint32_t slot);
  void write_news(Observer& observer, const OwnUpdate* own, BlockWriter& writer);
  void write_cues(Observer& observer, BlockWriter& writer);
  void note_left_out(Observer& observer, std::size_t written);

  ReplicationSettings settings_;
  Tick now_;
  bool begun_ = false;
  EntitySlots slots_;
  std::vector<Published> shown_;          ///< by slot
  std::vector<Published> left_out_;       ///< while there are too many entities
  std::vector<std::uint32_t> unsettled_;  ///< slots that are not placed as resting
  InterestIndex index_;
  TrackTable tracks_;
  RecordGroups due_;
  std::vector<std::uint8_t> phase_classes_;  ///< by slot
  std::vector<Tick> moved_;                  ///< by slot: last tick in motion
  std::vector<std::uint8_t> is_unsettled_;   ///< by slot
  std::vector<Seen> seen_;                   ///< by slot
  std::vector<Hit> looked_at_;               ///< of one observer
  std::uint32_t collection_ = 0;
  Counters counters_;
};

}  // namespace perigee::replication
