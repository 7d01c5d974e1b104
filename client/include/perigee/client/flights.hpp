/// Things in flight as they are drawn: one's own in the present, others' ahead of where they are,
/// at one's own tick, so that what seems to hit one does: that is shown at once, as a cue, which
/// the server confirms or not. (mission B6, B6b, B7, B8)
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "perigee/client/cue_log.hpp"
#include "perigee/client/entity_store.hpp"
#include "perigee/netcode/wire_world.hpp"
#include "perigee/world/game.hpp"
#include "perigee/world/projectile.hpp"
#include "perigee/world/step_record.hpp"

namespace perigee::client {

class Prediction;

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

  Flights(const EntityStore& entities, const world::GameModule& game);
  /// The own actor's step wanted it: there at once. Workers run that tick so much later than it is
  /// named.
  void on_step(const world::StepRecord& record, std::int32_t delay_ticks);
  /// The own one was none, or it has met somebody.
  void on_verdict(const EffectEvent& event);
  void on_event(const ProjectileEvent& event, const FlightViewer& viewer);
  void clear() { flights_.clear(); }

  /// Ticks were predicted, or, `again`, came out otherwise than before: what meets the avatar
  /// there? The server applies their inputs `delay_ticks` later than they say.
  void look(const Prediction& prediction, bool again, std::int32_t delay_ticks, CueLog& cues);
  /// The server has decided: it met the own avatar.
  void on_met(const FlightMetEvent& event, std::int32_t delay_ticks, CueLog& cues);
  /// The server's newest tick: what it should have told by now is not so.
  void settle(Tick newest, CueLog& cues);

  /// Everything in the air; what has reached something solid, as it is drawn, is gone.
  std::span<const DrawnFlight> draw(const FlightViewer& viewer);

 private:
  /// Of the own avatar, as far as we know.
  struct Hit {
    CueNews cue;
    Tick at;               ///< the server's tick
    bool settled = false;  ///< it was none
  };
  struct Flight {
    world::Projectile what;
    Tick name;  ///< the worker's tick or, our own, as our input calls it
    bool own = false;
    bool as_it_is = false;        ///< too near to be drawn ahead of V
    double known_at_ticks = 0;    ///< own tick when it was heard of
    std::optional<Vec3> drawn;    ///< in the frame before, in the viewer's parent then
    Handle drawn_in = no_entity;  ///< that parent
    std::optional<Hit> hit;
    std::optional<Tick> looked;  ///< for hits in the ticks before it
  };
  const Flight* find(Handle actor, Tick tick, std::uint8_t index) const;
  void add(const Flight& flight);
  double drawn_tick(const Flight& flight, const FlightViewer& viewer) const;
  std::optional<Vec3> place(const Flight& flight, double ticks, const Pose& frame,
                            const FlightViewer& viewer) const;
  bool stopped(const Flight& flight, const Pose& frame, const Vec3& now,
               const FlightViewer& viewer) const;

  void look(Flight& flight, const Prediction& prediction, bool again, std::int32_t delay_ticks,
            CueLog& cues);
  bool meets(const world::Projectile& what, const world::StepRecord& record,
             const world::Shape& body, std::int32_t delay_ticks) const;
  bool stopped_before(const world::Projectile& what, std::int32_t flown_ticks) const;
  std::uint8_t next_index();

  const EntityStore& entities_;
  const world::GameModule& game_;
  std::uint32_t hits_ = 0;
  std::vector<Flight> flights_;
  std::vector<DrawnFlight> drawn_;
};

}  // namespace perigee::client
