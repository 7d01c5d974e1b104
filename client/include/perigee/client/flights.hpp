/// Things in flight as they are drawn: one's own in the present, others' ahead of where they are,
/// at one's own tick, so that what seems to hit one does. (mission B6, B6b, B7, B8)
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "perigee/client/entity_store.hpp"
#include "perigee/netcode/wire_world.hpp"
#include "perigee/world/projectile.hpp"
#include "perigee/world/step_record.hpp"

namespace perigee::client {

struct DrawnFlight {
  Handle actor = no_entity;  ///< with tick and index, its name
  Tick tick;
  std::uint8_t index = 0;
  std::uint8_t kind = 0;  ///< the game's
  bool own = false;
  Vec3 position;  ///< world
};

/// Who looks: the own avatar and its frame.
struct FlightViewer {
  Handle avatar = no_entity;
  Handle parent = no_entity;
  ViewPoint at;  ///< with ahead_ticks: at.ticks + at.ahead_ticks is the own tick
};

class Flights {
 public:
  static constexpr std::size_t flights_max = 256;  ///< more are not drawn
  /// An archer's wind-up: for so long others' arrows run from where they are to one's own tick.
  /// (B7)
  static constexpr double blend_ticks = 36;

  explicit Flights(const EntityStore& entities);
  /// The own actor's step wanted it: there at once.
  void on_step(const world::StepRecord& record);
  /// The own one was none, or it has met somebody.
  void on_verdict(const EffectEvent& event);
  void on_event(const ProjectileEvent& event, const FlightViewer& viewer);
  void clear() { flights_.clear(); }

  /// Everything in the air; what has reached something solid, as it is drawn, is gone.
  std::span<const DrawnFlight> draw(const FlightViewer& viewer);

 private:
  struct Flight {
    world::Projectile what;
    bool own = false;
    bool as_it_is = false;        ///< too near to be drawn ahead of V
    double known_at_ticks = 0;    ///< own tick when it was heard of
    std::optional<Vec3> drawn;    ///< in the frame before, in the viewer's parent then
    Handle drawn_in = no_entity;  ///< that parent
  };
  const Flight* find(Handle actor, Tick tick, std::uint8_t index) const;
  void add(const Flight& flight);
  double drawn_tick(const Flight& flight, const FlightViewer& viewer) const;
  std::optional<Vec3> place(const Flight& flight, double ticks, const Pose& frame,
                            const FlightViewer& viewer) const;
  bool stopped(const Flight& flight, const Pose& frame, const Vec3& now,
               const FlightViewer& viewer) const;

  const EntityStore& entities_;
  std::vector<Flight> flights_;
  std::vector<DrawnFlight> drawn_;
};

}  // namespace perigee::client
