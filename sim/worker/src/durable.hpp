/// State that survives the loss of all workers: outcomes on their way into the journal, parts of
/// checkpoints, and restoring a world from the last checkpoint.
#pragma once

#include <deque>
#include <map>
#include <optional>

#include "cut_codec.hpp"
#include "perigee/worker/core.hpp"

namespace perigee::worker {

class Core::Durable {
 public:
  /// An outcome waits this long for the journal. Then it is sent to its players anyway, unless a
  /// promoted standby may contradict it.
  static constexpr std::int32_t wait_ticks_max = 300;
  /// While more than this wait, new ones are sent to players at once.
  static constexpr std::size_t waiting_max = 4096;
  static constexpr std::uint32_t ordinal_max = 255;  ///< the key has one byte for it
  /// No checkpoint begins until the set of workers has been unchanged for this long: a worker
  /// missing from the list of parts would be missing from the checkpoint.
  static constexpr std::int32_t same_workers_ticks = 300;
  /// A group with a tick before the checkpoint may still arrive for this long.
  static constexpr std::int32_t late_ticks_max = world::World::catch_up_ticks + 1;

  explicit Durable(Core& core) : core_(core) {}

  void on_map();
  void after_tick();
  /// Contributes an empty part, for a worker without a world.
  void idle(Tick now);

  /// Commits an outcome: it is sent to players once it is in the journal, or now if there is none.
  void write(const world::JournalEntry& entry);
  void on_stored(std::uint64_t number, Journalled became);
  /// An outcome of a dead worker, under the key that it has.
  void write_again(const OutcomeRow& row);
  /// More outcomes may be durable at the standby by now: sends these on.
  void go_on();
  /// Visits outcomes in order of number.
  void for_each_waiting(const std::function<void(const OutcomeRow&)>& visit) const;
  std::size_t waiting() const { return waiting_.size(); }

  /// A group has arrived. If it comes from a tick before our open checkpoint, no other worker's
  /// part has it, so it is added to ours.
  void took(const world::GroupPast& past, std::span<const std::unique_ptr<Player>> players);

  bool awaits_cut() const;
  void restore(const WholeCut& cut);
  /// Mailbox messages that were in flight.
  void deliver(const WholeCut& cut);
  /// Restored players are still waiting for their clients.
  bool restored_lately() const;
  /// The region of the worker that restored the client's avatar, if another one did. Forgotten when
  /// restored avatars expire.
  const RegionEntry* region_of(std::uint64_t client_id) const;
  void not_there(std::uint64_t client_id) { elsewhere_.erase(client_id); }

 private:
  struct Waiting {
    OutcomeRow row;
    Tick since;
    SessionId actor = 0, target = 0;  ///< their sessions when it was committed
    bool told = false;
  };
  class Recalling;

  Waiting named(const world::JournalEntry& entry) const;
  /// The first of the waiting ones with a larger number.
  std::deque<Waiting>::iterator after(std::uint64_t number);
  void add(Waiting outcome);
  void drop(const Waiting& outcome);
  void tell(const Waiting& outcome);
  void tell_player(Handle avatar, SessionId session, const OutcomeEvent& event);
  bool may_cut(Tick at);
  std::vector<WorkerSlot> slots() const;
  void cut();
  void hand_in();
  Vec3 place_in(const world::GroupPast& past, const Player& player) const;
  void add(CutBlock kind, const world::GroupPast& past,
           std::span<const std::unique_ptr<Player>> players);
  CutPlayer cut_player(const Player& player, const Vec3& place, Tick next) const;
  static void add_ground(Handle handle, const world::VoxelPatch& patch,
                         std::vector<CutGround>& out);
  std::vector<CutGround> cut_grounds() const;

  void enter(const WholeCut& cut, const std::vector<const CutEntity*>& mine);
  void enter_player(const CutPlayer& cut, std::uint32_t number);
  void enter_ground(const CutGround& ground);

  Core& core_;
  std::deque<Waiting> waiting_;      ///< by number
  std::vector<OutcomeRow> of_tick_;  ///< committed in this tick
  std::uint64_t written_ = 0;
  std::uint64_t sent_ = 0;            ///< up to this number: sent to the store
  std::uint64_t late_ = 0;            ///< up to this number: timed out
  std::vector<WorkerEntry> workers_;  ///< alive ones
  std::optional<Tick> same_since_, idle_at_;
  std::vector<WorkerSlot> cut_slots_;
  std::optional<CutWriter> open_;  ///< the current part, until no more groups can arrive for it
  std::size_t part_bytes_ = 0;     ///< size of the last part
  std::map<std::uint64_t, Vec3> elsewhere_;  ///< by client: the last position
  std::optional<Tick> restored_;
};

}  // namespace perigee::worker
