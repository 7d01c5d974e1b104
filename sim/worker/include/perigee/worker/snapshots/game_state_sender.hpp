/// The public game states of actors and other entities, as events for the clients that know them,
/// and the world's state for all own players.
#pragma once

#include <map>
#include <optional>
#include <set>

#include "perigee/worker/players/player_table.hpp"
#include "perigee/worker/snapshots/observer_table.hpp"
#include "perigee/world/game.hpp"
#include "perigee/world/world.hpp"

namespace perigee::worker {

class GameStateSender {
 public:
  struct Needs {
    world::World& world;
    const world::GameModule& game;
    PlayerTable& players;
    ObserverTable& observers;
    const Tick& next;  ///< the tick that is simulated next
  };
  /// An entity that is not an actor sends its state at most once in so many ticks. More: clients
  /// see a change later. Less: a game that counts in a state fills the clients' streams.
  static constexpr std::int32_t thing_event_ticks = 4;

  explicit GameStateSender(Needs needs) : needs_(needs) {}

  /// Clients that know an entity receive its state whenever the public part has changed.
  void after_tick();
  /// Sends the world's state to an own player that does not have it.
  void tell_world(SessionId session, ObserverState& state);
  /// For clients that are told of the entity now. None: its state is initial, or it has none.
  std::optional<GameStateEvent> newest(Handle entity) const;

 private:
  void send_of_players();
  void send_of_things();

  Needs needs_;
  std::set<Handle> waiting_;     ///< things with changes that were not sent
  std::map<Handle, Tick> sent_;  ///< things that sent an event a short time ago
};

}  // namespace perigee::worker
