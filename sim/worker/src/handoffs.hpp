/// Groups that cross a border between workers: when they go, to whom, and what both sides say.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "perigee/handoff/region.hpp"
#include "perigee/worker/core.hpp"

namespace perigee::worker {

/// What the protocol carries for a worker.
struct HandoffTraits {
  using State = std::shared_ptr<const std::vector<std::byte>>;  ///< as Core::give makes it
  struct Outcome {
    std::uint64_t id = 0;
    friend bool operator==(const Outcome&, const Outcome&) = default;
  };
  static void adopt(State&, const Outcome&) {}
};

class Core::Handoffs final : public handoff::Effects<HandoffTraits> {
 public:
  using Region = handoff::Region<HandoffTraits>;
  using Message = handoff::Message<HandoffTraits>;
  using State = HandoffTraits::State;

  /// So far into a foreign region a group is before it is offered: who walks along a border does
  /// not change hands with every step.
  static constexpr double beyond_border_m = 32;
  /// Whoever is this near to ground of cells, which only this worker knows, stays with it.
  static constexpr double cells_m = 64;
  static constexpr std::int32_t rest_ticks = 60;  ///< between two moves of one group
  static constexpr std::int32_t ahead_ticks = 6;  ///< from the offer to the first tick there
  static constexpr std::int32_t look_ticks = 6;   ///< how often borders are looked at
  static constexpr std::int32_t say_again_ticks = 12;
  static constexpr std::int32_t pass_on_ticks = 120;
  static constexpr std::int32_t told_again_ticks = 4;
  static constexpr int told_times = 5;

  explicit Handoffs(Core& core) : core_(core) {}

  void on_map();
  /// The world is at the start of next_tick().
  void after_tick();
  void on_peer(WorkerSlot from, std::span<const std::byte> bytes);
  /// As their FINALs have it: groups that left, and nobody has said to have them.
  void for_each_in_doubt(const std::function<void(std::span<const std::byte>)>& visit) const;
  /// Lately, to another worker.
  bool went(SessionId session) const { return gone_.contains(session); }
  /// To where its player went. False: nobody went anywhere.
  bool pass_on(const InputRecord& record);
  /// Likewise; while nobody is sure to have the player it waits for whom that will be.
  bool pass_on(const LeaveRecord& record);

  void send(const Message& message) override;
  void replicate(handoff::LogIndex, const handoff::Entry<HandoffTraits>&) override {}
  void journal(handoff::Epoch, handoff::GroupId, const HandoffTraits::Outcome&) override {}
  void tell(handoff::GroupId, const HandoffTraits::Outcome&) override {}
  void record(handoff::BuddyState) override {}

 private:
  struct Gone {
    WorkerSlot to = 0;
    std::uint32_t life = 0;  ///< of it
    handoff::GroupId with = 0;
    Tick at;  ///< as long as that is not settled: now
    std::optional<LeaveRecord> leaves;
  };
  struct Newcomer {
    SessionId session = 0;
    Handle avatar = no_entity;
    Tick at;
  };
  const RegionEntry* foreign_region_of(Handle root) const;
  const RegionEntry* nearest_region(WorkerSlot of, Handle root) const;
  const RegionEntry* destination(const world::Group& group) const;
  std::vector<Handle> who_may_go() const;
  void look_at_borders();
  void offer(Handle root, const RegionEntry& to);
  void let_go_at_border();
  void take_what_has_come();
  void deliver(const Message& message);
  bool take(handoff::GroupId root, std::span<const std::byte> bytes);
  void take_back(handoff::GroupId root, std::span<const std::byte> bytes);
  void greet_newcomers();
  bool in_doubt(handoff::GroupId root) const;
  bool send_after(const Gone& gone, const auto& record);
  void look_after_the_gone();
  void forget_gone_with_their_worker();

  Core& core_;
  std::map<handoff::RegionId, Region> regions_;  ///< ours
  std::map<handoff::GroupId, Tick> moved_;
  std::map<SessionId, Gone> gone_;
  std::vector<Newcomer> newcomers_;  ///< their gateways are told, again and again
  std::vector<Message> waiting_;     ///< FINALs, for their tick
};

}  // namespace perigee::worker
