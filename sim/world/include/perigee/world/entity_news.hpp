/// Changes of entities since the last report, for the worker to replicate.
#pragma once

#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "perigee/world/entity_motions.hpp"

namespace perigee::world {

class EntityNews {
 public:
  using Visit = std::function<void(const Entity&, const Motion&, const Bounds&)>;

  EntityNews(const EntityTable& entities, const EntityMotions& motions, const Tick& now)
      : entities_(entities), motions_(motions), now_(now) {}

  void note_created(Handle own) { created_.push_back(own); }
  void note_gone(Handle handle) { gone_.push_back(handle); }
  /// It came to rest, changed its owner, or is to be reported again.
  void note_touched(Handle handle) { touched_.push_back(handle); }

  /// Its state changed; `shown`: a part that clients see.
  void note_stated(Handle own, bool shown) {
    stated_.push_back(own);
    if (shown) shown_.push_back(own);
  }
  std::span<const Handle> stated() const { return stated_; }
  void forget_stated() { stated_.clear(); }
  std::vector<Handle> take_shown() { return std::exchange(shown_, {}); }

  std::vector<Handle> take_created() { return std::exchange(created_, {}); }
  /// See World::take_news. `lively` are reported each time.
  void take(std::span<EntityRecord* const> lively, const Visit& visit,
            const std::function<void(Handle)>& gone);

 private:
  const EntityTable& entities_;
  const EntityMotions& motions_;
  const Tick& now_;
  std::vector<Handle> touched_, gone_;  ///< since take
  std::vector<Handle> created_;         ///< since take_created
  std::vector<Handle> stated_;          ///< since forget_stated
  std::vector<Handle> shown_;           ///< since take_shown
};

}  // namespace perigee::world
