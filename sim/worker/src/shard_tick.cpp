// One tick of a shard, and its messages.
#include "perigee/base/kept_tick.hpp"
#include "shard.hpp"

namespace perigee::worker {

void Shard::on_map() {
  own_regions.on_map();
  promotion.on_map();
  standby_stream.on_map();
  ghosts.on_map();
  migrations.on_map();
  needs.observers.on_map(needs.cluster.map());
  remove_lost_entities();
}

void Shard::restore(const WholeCheckpoint& checkpoint) {
  own_regions.note_restored();
  world_restore.restore(checkpoint);
  on_map();
  world_restore.deliver(checkpoint, mailbox);
}

// Clients still display these entities by our records.
void Shard::remove_lost_entities() {
  for (const Handle handle : departed.take_lost(needs.cluster.map())) {
    const world::Entity* entity = world.find(handle);
    if (entity != nullptr && !entity->remote) continue;  // it has come back
    for (auto& [session, state] : needs.observers) {
      replication::Publisher::lose(state->observer, handle);
    }
  }
}

void Shard::on_peer(PeerKind kind, WorkerSlot from, std::span<const std::byte> rest) {
  switch (kind) {
    case PeerKind::Migration:
      return migrations.on_peer(from, rest);
    case PeerKind::Ghosts:
      return ghosts.on_news(from, rest);
    case PeerKind::GhostsAgain:
      return ghosts.on_again(from, rest);
    case PeerKind::WhoHas:
      return avatar_locator.on_question(from, rest);
    case PeerKind::Has:
      return avatar_locator.on_answer(from, rest, needs.next);
    case PeerKind::ReplicaPart:
    case PeerKind::Replica:
      return replicas.on_frame(from, rest, kind == PeerKind::Replica);
    case PeerKind::ReplicaAnswer:
      return standby_stream.on_answer(from, rest);
    case PeerKind::Mailbox:
      return mailbox.on_peer(from, rest);
    case PeerKind::RaycastQuery:
      return outcomes.raycasts().on_query(from, rest, outcomes.settled());
    case PeerKind::RaycastReply:
      return outcomes.raycasts().on_reply(from, rest);
    case PeerKind::Broadcast:
      return broadcasts.on_peer(from, rest);
  }
}

void Shard::tick() {
  simulate();
  publish();
  send_to_peers();
  world.forget_stated();
  needs.fabric.flush();
  ended(TickPhase::Send);
}

void Shard::simulate() {
  const Tick tick = needs.next;
  rollback.replay_wrong();
  // The oldest tick for which inputs could still arrive until now.
  outcomes.commit(outcomes.settled() + 1);
  ended(TickPhase::Rewind);
  for (Player& player : needs.players) {
    if (player.npc()) player_steps.decide_input(player, tick);
  }
  checked_game.drive(tick);
  vehicles.drive(tick);
  world.step_bodies(tick);
  ended(TickPhase::Bodies);
  for (Player& player : needs.players) player_steps.step(player, tick);
  use_actions.send_announced();
  ended(TickPhase::Actors);
  ++needs.next;
  open_gaps.after_tick();
  for (Player& player : needs.players) {
    player.lateness.regain(needs.settings.late_ticks_max);
    player.gap_replays.regain(needs.settings.gap_replays_max, 1);
    flight_recordings.record(player);  // a hard reset drops the claims
    claims.check(player);
    stray_actors.after_step(player);
    parent_switches.choose(player);
  }
  open_gaps.forget_final();
  flight_recordings.end_tick();
  decide();
}

// Decisions of the game besides outcomes. Their effects are simulated with the next tick, and all
// of them are replicated with this one.
void Shard::decide() {
  if (needs.outputs.to_peer) {
    outcomes.raycasts().after_tick(needs.next, outcomes.settled());
    mailbox.read_arrived();
  }
  message_exchange.hear_arrived();
  outcomes.think();
  game_spawns.remove_npcs();
  use_actions.send_announced();
}

void Shard::publish() {
  game_states.after_tick();
  player_sessions.drop_silent();
  game_spawns.remove_npcs();
  needs.counts.add(metric.ticks);
  checked_game.count_faults();
  observer_records.settle(needs.next);
  observer_records.send(needs.next);
  ended(TickPhase::Judge);
  snapshots.gather(needs.next);
  ended(TickPhase::Gather);
  cue_sender.send();
  snapshots.send(needs.next);
  message_exchange.send();
  ended(TickPhase::Publish);
}

// Ownership first, then what neighbours and the standby see of it.
void Shard::send_to_peers() {
  if (needs.outputs.to_peer) {
    migrations.after_tick();
    ghosts.after_tick();
    mailbox.after_tick();
    replicas.watch();
    standby_stream.after_tick();
    avatar_locator.after_tick(needs.next);
    departed.forget_old(needs.next);
  }
  broadcasts.after_tick();
  outcome_journal.after_tick();
  lasting.after_tick();
  profile_loads.after_tick();
  checkpoint_parts.after_tick();
  if (kept_ticks_turn(needs.next)) {
    own_regions.keep_ticks();
    needs.checkpoint_schedule.keep_ticks(needs.next);
    world_restore.keep_ticks();
  }
}

}  // namespace perigee::worker
