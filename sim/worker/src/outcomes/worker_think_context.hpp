/// A worker, as the game's server logic sees it.
#pragma once

#include <algorithm>
#include <vector>

#include "outcomes/commit_context.hpp"
#include "perigee/world/think_context.hpp"

namespace perigee::worker {

/// Of one tick.
class WorkerThinkContext final : public world::ThinkContext {
 public:
  WorkerThinkContext(const Outcomes& outcomes, const Outcomes::Needs& needs)
      : outcomes_(outcomes), needs_(needs), journal_(outcomes, needs) {
    std::vector<const RegionEntry*> own;
    for (const RegionEntry& region : needs.cluster.map().regions) {
      if (needs.cluster.owns(region) && needs.complete(region)) own.push_back(&region);
    }
    std::sort(own.begin(), own.end(),
              [](const auto* a, const auto* b) { return a->region < b->region; });
    for (const RegionEntry* region : own) regions_.push_back({region->low, region->high});
  }

  Tick tick() const override { return needs_.next; }
  Tick settled() const override { return outcomes_.settled(); }
  const world::World& world() const override { return needs_.world; }
  std::span<const world::Bounds> regions() const override { return regions_; }
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
  const Outcomes& outcomes_;
  const Outcomes::Needs& needs_;
  CommitContext journal_;
  std::vector<world::Bounds> regions_;
};

}  // namespace perigee::worker
