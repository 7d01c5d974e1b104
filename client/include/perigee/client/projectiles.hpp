/// Rendering of projectiles. Own ones are rendered in the present. Others are rendered ahead of
/// their true place, at the own tick, so that a visible hit on the own avatar is a real one. Such a
/// hit is displayed at once, as a cue, which the server confirms or not.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "perigee/base/wire_world.hpp"
#include "perigee/client/cue_log.hpp"
#include "perigee/client/entity_store.hpp"
#include "perigee/world/game.hpp"
#include "perigee/world/projectile.hpp"
#include "perigee/world/step_record.hpp"

namespace perigee::client {

class Prediction;

struct DrawnProjectile {
  Handle actor = no_entity;  ///< with tick and index, identifies it
  Tick tick;
  std::uint8_t index = 0;
  std::uint8_t kind = 0;  ///< the game's
  bool own = false;
  Vec3 position;  ///< world
};

/// The viewer: the own avatar and its frame.
struct ProjectileViewer {
  Handle avatar = no_entity;
  Handle parent = no_entity;
  ViewPoint at;  ///< with ahead_ticks: at.ticks + at.ahead_ticks is the own tick
};

class Projectiles {
 public:
  static constexpr std::size_t projectiles_max = 256;  ///< further ones are not rendered
  /// Others' arrows are moved from V to the own tick within this time, the duration of drawing a
  /// bow.
  static constexpr double blend_ticks = 36;

  Projectiles(const EntityStore& entities, const world::GameModule& game);
  /// The own actor's step launched the projectile: it is present at once. Workers run that tick
  /// `delay_ticks` later than it is named.
  void on_step(const world::StepRecord& record, std::int32_t delay_ticks);
  /// The own projectile was refused, or has hit.
  void on_verdict(const EffectEvent& event);
  void on_event(const ProjectileEvent& event, const ProjectileViewer& viewer);
  void clear() { tracked_.clear(); }

  /// Ticks were predicted, or, with `again`, predicted anew: searches them for hits of the avatar.
  /// The server applies their inputs `delay_ticks` later than named.
  void search_hits(const Prediction& prediction, bool again, std::int32_t delay_ticks,
                   CueLog& cues);
  /// The server's decision: the projectile has hit the own avatar.
  void on_hit(const ProjectileHitEvent& event, std::int32_t delay_ticks, CueLog& cues);
  /// The server's newest tick: hits that it should have confirmed by now did not happen.
  void settle(Tick newest, CueLog& cues);

  /// All projectiles; those that have reached a solid entity, as rendered, are removed.
  std::span<const DrawnProjectile> draw(const ProjectileViewer& viewer);

 private:
  /// A predicted hit of the own avatar.
  struct Hit {
    CueNews cue;
    Tick at;               ///< the server's tick
    bool settled = false;  ///< the server did not confirm it
  };
  struct Tracked {
    world::Projectile what;
    Tick name;  ///< the worker's tick, or for an own one the input's tick
    bool own = false;
    bool as_it_is = false;        ///< too close to be rendered ahead of V
    double known_at_ticks = 0;    ///< own tick at its arrival
    std::optional<Vec3> drawn;    ///< in the previous frame, in the viewer's parent then
    Handle drawn_in = no_entity;  ///< that parent
    std::optional<Hit> hit;
    std::optional<Tick> searched;  ///< ticks before it were searched for hits
  };
  const Tracked* find(Handle actor, Tick tick, std::uint8_t index) const;
  void add(const Tracked& tracked);
  double drawn_tick(const Tracked& tracked, const ProjectileViewer& viewer) const;
  std::optional<Vec3> place(const Tracked& tracked, double ticks, const Pose& frame,
                            const ProjectileViewer& viewer) const;
  bool stopped(const Tracked& tracked, const Pose& frame, const Vec3& now,
               const ProjectileViewer& viewer) const;

  void search_hits(Tracked& tracked, const Prediction& prediction, bool again,
                   std::int32_t delay_ticks, CueLog& cues);
  bool meets(const world::Projectile& what, const world::StepRecord& record,
             const world::Shape& body, std::int32_t delay_ticks) const;
  bool stopped_before(const world::Projectile& what, std::int32_t flown_ticks) const;
  std::uint8_t next_index();

  const EntityStore& entities_;
  const world::GameModule& game_;
  std::uint32_t hits_ = 0;
  std::vector<Tracked> tracked_;
  std::vector<DrawnProjectile> drawn_;
};

}  // namespace perigee::client
