/// What outlives all workers: outcomes that wait for the journal, parts of cuts, and a world that
/// begins again from the last one.
#pragma once

#include <deque>
#include <map>
#include <optional>

#include "cut_codec.hpp"
#include "perigee/worker/core.hpp"

namespace perigee::worker {

class Core::Durable {
 public:
  /// An outcome waits this long for the journal; then its players hear of it all the same, unless
  /// another worker may be going on without it.
  static constexpr std::int32_t wait_ticks_max = 300;
  /// More that wait at once are told at once.
  static constexpr std::size_t waiting_max = 4096;
  static constexpr std::uint32_t ordinal_max = 255;  ///< a name has a byte for it
  /// No cut begins while the workers have been the same ones for less than this: who has not heard
  /// of one yet would leave its part out.
  static constexpr std::int32_t same_workers_ticks = 300;
  /// A group of a tick before the cut may still come for as long as it is taken at all.
  static constexpr std::int32_t late_ticks_max = world::World::catch_up_ticks + 1;

  explicit Durable(Core& core) : core_(core) {}

  void on_map();
  void after_tick();
  /// Of a worker without a world: it has nothing in the cut.
  void idle(Tick now);

  /// For good: told once it is in the journal, or now if there is none.
  void write(const world::JournalEntry& entry);
  void on_stored(std::uint64_t number, Journalled became);
  /// Somebody else's, who has died: under the name that it has.
  void write_again(const OutcomeRow& row);
  /// More of them may be durable at the buddy, and go on their way.
  void go_on();
  /// In order.
  void for_each_waiting(const std::function<void(const OutcomeRow&)>& visit) const;
  std::size_t waiting() const { return waiting_.size(); }

  /// Another worker's until its tick, and in nobody's part if that was before our last cut.
  void took(const world::GroupPast& past, std::span<const std::unique_ptr<Player>> players);

  bool awaits_cut() const;
  void restore(const WholeCut& cut);
  /// Letters that were under way.
  void deliver(const WholeCut& cut);
  /// While who was restored lingers.
  bool restored_lately() const;
  /// Somebody else restored the client's avatar: who that may be. Forgotten with the avatars.
  const RegionEntry* region_of(std::uint64_t client_id) const;
  void not_there(std::uint64_t client_id) { elsewhere_.erase(client_id); }

 private:
  struct Waiting {
    OutcomeRow row;
    Tick since;
    SessionId actor = 0, target = 0;  ///< who played them then
    bool told = false;
  };
  class Recalling;

  Waiting named(const world::JournalEntry& entry) const;
  /// Of those that wait, the first with a larger number.
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
  std::vector<OutcomeRow> of_tick_;  ///< what this tick committed
  std::uint64_t written_ = 0;
  std::uint64_t sent_ = 0;            ///< up to this number: to the store
  std::uint64_t late_ = 0;            ///< up to this number: they have waited for too long
  std::vector<WorkerEntry> workers_;  ///< that live
  std::optional<Tick> same_since_, idle_at_;
  std::vector<WorkerSlot> cut_slots_;
  std::optional<CutWriter> open_;  ///< the part at hand, until nothing more can come for it
  std::size_t part_bytes_ = 0;     ///< of the last one
  std::map<std::uint64_t, Vec3> elsewhere_;  ///< clients, and where they were
  std::optional<Tick> restored_;
};

}  // namespace perigee::worker
