/// Outcomes that cannot be undone. They wait in the step records, where re-simulation replaces
/// them. A tick that has left the window is judged once more, on histories that cannot change any
/// more. Its outcomes are committed in an order that no link's delay can influence.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "perigee/worker/cluster_view.hpp"
#include "perigee/worker/counters.hpp"
#include "perigee/worker/outcomes/game_spawns.hpp"
#include "perigee/worker/outcomes/ground_edits.hpp"
#include "perigee/worker/outcomes/journal_log.hpp"
#include "perigee/worker/outcomes/projectiles.hpp"
#include "perigee/worker/outcomes/remote_raycasts.hpp"
#include "perigee/worker/outputs.hpp"
#include "perigee/worker/players/player_table.hpp"
#include "perigee/worker/settings.hpp"
#include "perigee/worker/snapshots/cue_sender.hpp"
#include "perigee/worker/snapshots/observer_table.hpp"
#include "perigee/worker/tick/checked_game.hpp"
#include "perigee/world/game.hpp"

namespace perigee::worker {

class Outcomes {
 public:
  struct Needs {
    world::World& world;
    const world::GameModule& game;
    CheckedGame& checked_game;
    GroundEdits& ground_edits;
    GameSpawns& spawns;
    PlayerTable& players;
    ObserverTable& observers;
    CueSender& cues;
    const ClusterView& cluster;
    const WorkerOutputs& outputs;
    JournalLog& journal;
    Counts<Count>& counts;
    const Settings& settings;
    const Tick& next;  ///< the tick that is simulated next
    /// Makes a journal entry durable.
    std::function<void(const world::JournalEntry&)> write;
    /// world::Journal::send() and take().
    std::function<bool(const world::Message&)> send;
    std::function<bool(Handle, world::TypeId)> take;
    /// world::Journal::tell() and tell_everybody().
    std::function<world::TellRefusal(Handle, std::span<const std::byte>)> tell;
    std::function<world::TellRefusal(std::span<const std::byte>, Handle speaker)> tell_everybody;
    /// world::Journal::profile(), save() and keep().
    std::function<std::optional<std::span<const std::byte>>(Handle)> profile;
    std::function<world::KeepRefusal(Handle, std::span<const std::byte>, bool last)> save;
    std::function<world::KeepRefusal(const world::MatchResult&)> keep;
    /// Whether the content of an own region is complete here.
    std::function<bool(const RegionEntry&)> complete;
    /// The game has asked for it, and no change of parent is pending.
    std::function<void(Player&)> start_elsewhere;
  };
  explicit Outcomes(Needs needs);

  /// Judges the proposals of a step for the first time, for the player's hit marker alone. The
  /// player sees it a round trip after the shot. This judgement stands until the tick is committed.
  /// If other workers have to be queried, no judgement is sent before the commit.
  void judge_proposals(Player& player, const world::StepRecord& record);
  /// The newest tick with committed outcomes: it has left the window.
  Tick settled() const;
  /// Commits the outcomes of a tick that has just left the window, and moves projectiles.
  void commit(Tick tick);
  /// Tell the game of a player that has joined, or is about to leave.
  void on_join(const Player& player);
  void on_leave(const Player& player);
  /// Hands a message of a player's client to the game.
  void on_message(const Player& player, std::span<const std::byte> message);
  /// Commits ticks of arrived players that have left the window meanwhile.
  void settle_late();
  /// Hands a mailbox message to the game.
  void receive(const world::Message& message, bool returned);
  /// Calls the game's server logic for the tick that is simulated next.
  void think();
  /// The player's game state with the events that its next tick applies.
  world::GameState present_game(const Player& player) const;
  /// The same, with a refund for proposals to edit the ground that are not committed before `next`.
  world::GameState game_without_pending(const Player& player, Tick next) const;
  /// A tick whose outcomes are committed has run again. Proposals other than the `committed` ones
  /// come too late: the game may refund them, and the client is told. The record keeps both.
  void refuse_late(Player& player, world::StepRecord& record, const world::Proposals& committed);
  RemoteRaycasts& raycasts() { return raycasts_; }

 private:
  Judged judged(const world::Outcome& outcome);
  void send_judgement(Player& player, Tick tick, std::uint8_t index,
                      const world::Judgement& judgement);
  void commit_outcomes(Tick tick);
  void commit_hit(const world::Outcome& shot, const world::DrawnHit& hit, Tick tick);
  void commit_remote(world::Outcome outcome, const world::Judgement& judgement);
  void withdraw_what_did_not_happen(Player& player, Tick tick);

  Needs needs_;
  Projectiles projectiles_;
  RemoteRaycasts raycasts_;
  std::vector<world::Outcome> committing_;  ///< outcomes of one tick
};

}  // namespace perigee::worker
