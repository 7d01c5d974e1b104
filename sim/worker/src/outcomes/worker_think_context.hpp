/// A worker, as the game's server logic sees it.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "outcomes/commit_context.hpp"
#include "perigee/world/think_context.hpp"

namespace perigee::worker {

/// Of one tick.
class WorkerThinkContext final : public world::ThinkContext {
 public:
  WorkerThinkContext(const Outcomes& outcomes, const Outcomes::Needs& needs)
      : outcomes_(outcomes), needs_(needs), journal_(outcomes, needs) {}

  Tick tick() const override { return needs_.next; }
  Tick settled() const override { return outcomes_.settled(); }
  const world::World& world() const override { return needs_.world; }
  std::span<const world::Bounds> regions() const override {
    if (!regions_) regions_ = own_regions();
    return *regions_;
  }
  world::Journal& journal() override { return journal_; }
  bool announce(const world::TimelineChange& change) override {
    const world::World::GameCall call(needs_.world);
    return needs_.world.announce(change) == world::TimelineLog::Added::Stored;
  }
  void for_each_actor(const std::function<void(const world::ThinkActor&)>& visit) const override {
    std::vector<SessionId> sessions;  // the visitor may spawn and despawn
    sessions.reserve(needs_.players.size());
    for (const Player& player : needs_.players) sessions.push_back(player.session);
    for (const SessionId session : sessions) {
      const Player* player = needs_.players.find(session);
      if (player == nullptr) continue;
      visit({player->avatar, player->parent, player->state, outcomes_.present_game(*player),
             player->npc()});
    }
  }
  std::optional<world::ThinkActor> final_actor(Handle actor) const override {
    const Player* player = needs_.players.find_avatar(actor);
    const world::StepRecord* record = player != nullptr ? player->records.find(settled()) : nullptr;
    if (record == nullptr || !before(settled(), player->inputs.final_before(needs_.next))) {
      return std::nullopt;
    }
    return world::ThinkActor{actor, record->parent, record->after, record->game_after,
                             player->npc()};
  }

 private:
  std::vector<world::Bounds> own_regions() const {
    std::vector<const RegionEntry*> own;
    for (const RegionEntry& region : needs_.cluster.map().regions) {
      if (needs_.cluster.owns(region) && needs_.complete(region)) own.push_back(&region);
    }
    std::sort(own.begin(), own.end(),
              [](const auto* a, const auto* b) { return a->region < b->region; });
    std::vector<world::Bounds> out;
    for (const RegionEntry* region : own) out.push_back({region->low, region->high});
    return out;
  }

  const Outcomes& outcomes_;
  const Outcomes::Needs& needs_;
  CommitContext journal_;
  mutable std::optional<std::vector<world::Bounds>> regions_;  ///< listed when first asked for
};

}  // namespace perigee::worker
