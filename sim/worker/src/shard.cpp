#include "shard.hpp"

#include "perigee/worker/entity_spawners.hpp"

namespace perigee::worker {
namespace {

world::WorldSetup setup_of(const Shard::Needs& needs, const WorkerEntry& self) {
  world::WorldSetup setup;
  setup.types = needs.game.types();
  setup.handle_base = self.handle_base.number;
  setup.handle_count = self.handle_count;
  setup.start = needs.next;
  setup.parenting = needs.game.parenting();
  setup.limits.entities_max = needs.settings.entities_max;
  return setup;
}

/// No two incarnations share a block.
HandleBlock own_block(const WorkerEntry& self) {
  PERIGEE_ASSERT(self.handle_count > 0, "decoding a map refuses workers without handles");
  return self.block();
}

}  // namespace

std::optional<WorkerSlot> Shard::Ownership::owner_of(Handle entity) const {
  return shard_.ghosts.owner_of(entity);
}
std::optional<HandleBlock> Shard::Ownership::block_of(WorkerSlot worker) const {
  return shard_.migrations.block_of(worker);
}
std::optional<WorkerSlot> Shard::Ownership::worker_of(HandleBlock incarnation) const {
  return shard_.migrations.worker_of(incarnation);
}
bool Shard::Ownership::leaves(Handle root) const { return shard_.migrations.leaves(root); }

std::optional<WorkerSlot> Shard::Standbys::standby() const {
  return shard_.standby_stream.standby();
}
bool Shard::Standbys::replicates(WorkerSlot worker) const {
  return shard_.replicas.replicates(worker);
}
bool Shard::Standbys::succeeds(WorkerSlot worker) const { return shard_.replicas.succeeds(worker); }

// Components are built in the order in which they need each other. A function that is called later
// may use a component that is built later.
Shard::Shard(Needs with, const WorkerEntry& self)
    : needs(with),
      block(own_block(self)),
      world(setup_of(with, self)),
      departed(with.settings.entities_max),
      own_regions({.world = world,
                   .game = needs.game,
                   .cluster = needs.cluster,
                   .spawner = block.number,
                   .next = needs.next}),
      checked_game({.world = world,
                    .game = needs.game,
                    .cluster = needs.cluster,
                    .counts = needs.counts,
                    .next = needs.next,
                    .is_npc =
                        [&players = needs.players](Handle actor) {
                          const Player* player = players.find_avatar(actor);
                          return player != nullptr && player->npc();
                        }}),
      ground_edits({.world = world,
                    .players = needs.players,
                    .observers = needs.observers,
                    .counts = needs.counts,
                    .next = needs.next}),
      game_spawns(
          {.world = world,
           .checked_game = checked_game,
           .players = needs.players,
           .counts = needs.counts,
           .settings = needs.settings,
           .spawner = journal_spawner(block),
           .next = needs.next,
           .taken = [this](Handle thing) { return mailbox.taken(thing); },
           .enter_npc = [this](const world::NpcSpawn& npc,
                               world::EntityId id) { return player_sessions.spawn_npc(npc, id); },
           .remove_npc = [this](Handle npc) { player_sessions.remove_npc(npc); },
           .on_gone = [this](Handle entity) { ghosts.no_more(entity); }}),
      chunk_sender({.world = world,
                    .publisher = needs.publisher,
                    .counts = needs.counts,
                    .next = needs.next}),
      cue_sender({.world = world,
                  .checked_game = checked_game,
                  .observers = needs.observers,
                  .publisher = needs.publisher,
                  .counts = needs.counts,
                  .next = needs.next}),
      outcomes(
          {.world = world,
           .game = needs.game,
           .checked_game = checked_game,
           .ground_edits = ground_edits,
           .spawns = game_spawns,
           .players = needs.players,
           .observers = needs.observers,
           .cues = cue_sender,
           .cluster = needs.cluster,
           .outputs = needs.outputs,
           .journal = needs.journal,
           .counts = needs.counts,
           .settings = needs.settings,
           .next = needs.next,
           .write = [this](const world::JournalEntry& entry) { outcome_journal.write(entry); },
           .send = [this](const world::Message& message) { return mailbox.send(message); },
           .take = [this](Handle thing, world::TypeId type) { return mailbox.take(thing, type); },
           .tell =
               [this](Handle actor, auto message) {
                 return checked_game.noted(message_exchange.tell(actor, message), actor);
               },
           .tell_everybody =
               [this](auto message, Handle speaker) {
                 return checked_game.noted(broadcasts.send(message, speaker), speaker);
               },
           .profile = [this](Handle actor) { return lasting.profile(actor); },
           .save =
               [this](Handle actor, auto profile, bool last) {
                 return checked_game.noted(lasting.save(actor, profile, last), actor);
               },
           .keep =
               [this](const auto& result) {
                 return checked_game.noted(lasting.keep(result), no_entity);
               },
           .complete =
               [this](const RegionEntry& region) {
                 return own_regions.complete(region, ghosts.knows_everybodys());
               },
           .start_elsewhere = [this](Player& player) { player_sessions.start_elsewhere(player); }}),
      player_sessions(
          {.world = world,
           .game = needs.game,
           .checked_game = checked_game,
           .players = needs.players,
           .observers = needs.observers,
           .cluster = needs.cluster,
           .fabric = needs.fabric,
           .counts = needs.counts,
           .settings = needs.settings,
           .spawner = block.number,
           .next = needs.next,
           .complete =
               [this](const RegionEntry& region) {
                 return own_regions.complete(region, ghosts.knows_everybodys());
               },
           .migrated =
               [this](SessionId session) { return migrations.departed().contains(session); },
           .forward =
               [this](const LeaveRecord& leave) { return migrations.departed().pass_on(leave); },
           .nowhere_else =
               [this](const JoinRecord& join, const Address& gateway) {
                 return avatar_locator.nowhere_else(join, gateway, needs.next);
               },
           .stop_locating =
               [this](SessionId session) {
                 avatar_locator.on_leave(session);
                 profile_loads.on_leave(session);
               },
           .restored_in =
               [this](std::uint64_t client_id) { return world_restore.region_of(client_id); },
           .not_restored = [this](std::uint64_t client_id) { world_restore.not_there(client_id); },
           .on_enter =
               [this](Player& player) {
                 broadcasts.forget_ended(player.messages.state.broadcasts);
                 message_exchange.enter(player);
                 broadcasts.catch_up(player);
                 lasting.enter(player);
               },
           .on_gone =
               [this](const Player& player) {
                 message_exchange.forget(player);
                 lasting.forget(player);
               },
           .broadcasts_heard = [this] { return broadcasts.heard(); },
           .profile_pending = [this](SessionId session) { return profile_loads.pending(session); },
           .profile_ready = [this](
                                const auto& join,
                                const auto& gateway) { return profile_loads.ready(join, gateway); },
           .take_profile = [this](SessionId session) { return profile_loads.take(session); },
           .on_join = [this](const Player& player) { outcomes.on_join(player); },
           .on_leave = [this](const Player& player) { outcomes.on_leave(player); },
           .present_game = [this](const Player& player) { return outcomes.present_game(player); }}),
      parent_switches({.world = world,
                       .players = needs.players,
                       .game = needs.game,
                       .observers = needs.observers,
                       .counts = needs.counts,
                       .settings = needs.settings,
                       .next = needs.next}),
      vehicles({.world = world,
                .players = needs.players,
                .switches = parent_switches,
                .next = needs.next}),
      use_actions({.world = world,
                   .game = checked_game,
                   .vehicles = vehicles,
                   .observers = needs.observers,
                   .next = needs.next}),
      player_steps({.world = world,
                    .game = needs.game,
                    .checked_game = checked_game,
                    .ground_edits = ground_edits,
                    .use_actions = use_actions,
                    .outcomes = outcomes,
                    .cues = cue_sender,
                    .counts = needs.counts}),
      stray_actors({.world = world, .checked_game = checked_game, .next = needs.next}),
      rollback({.world = world,
                .game = needs.game,
                .checked_game = checked_game,
                .ground_edits = ground_edits,
                .use_actions = use_actions,
                .outcomes = outcomes,
                .cues = cue_sender,
                .players = needs.players,
                .counts = needs.counts,
                .settings = needs.settings,
                .next = needs.next}),
      open_gaps({.players = needs.players,
                 .counts = needs.counts,
                 .settings = needs.settings,
                 .next = needs.next}),
      flight_recordings({.world = world,
                         .game = needs.game,
                         .players = needs.players,
                         .next = needs.next,
                         .recorders = needs.settings.recorders}),
      claims({.counts = needs.counts,
              .settings = needs.settings,
              .next = needs.next,
              .on_misprediction =
                  [this](const Player& player, Tick tick, double meters) {
                    flight_recordings.note(player, tick, meters);
                  }}),
      own_state(
          {.world = world,
           .game = needs.game,
           .vehicles = vehicles,
           .map = needs.cluster.map(),
           .next = needs.next,
           .durable_input =
               [this](const Player& player) { return standby_stream.durable_input(player); }}),
      game_states({.world = world,
                   .game = needs.game,
                   .players = needs.players,
                   .observers = needs.observers,
                   .next = needs.next}),
      observer_records(
          {.world = world,
           .players = needs.players,
           .observers = needs.observers,
           .publisher = needs.publisher,
           .cluster = needs.cluster,
           .fabric = needs.fabric,
           .counts = needs.counts,
           .near_m = needs.settings.replication.near_m,
           .next = needs.next,
           .least_stretch = needs.least_stretch,
           .outliers_of = [this](WorkerSlot worker) { return ghosts.out_of_region_of(worker); },
           .forward =
               [this](const TallyRecord& record) { migrations.departed().pass_on(record); }}),
      snapshots({.world = world,
                 .players = needs.players,
                 .observers = needs.observers,
                 .publisher = needs.publisher,
                 .observer_records = observer_records,
                 .own_state = own_state,
                 .game_states = game_states,
                 .chunk_sender = chunk_sender,
                 .vehicles = vehicles,
                 .cluster = needs.cluster,
                 .fabric = needs.fabric,
                 .counts = needs.counts,
                 .next = needs.next,
                 .on_gone = [this](Handle entity) { ghosts.no_more(entity); }}),
      ownership(*this),
      standbys(*this),
      standby_stream(
          {.world = world,
           .game = needs.game,
           .players = needs.players,
           .cluster = needs.cluster,
           .outputs = needs.outputs,
           .counts = needs.counts,
           .frame_bytes = needs.settings.replica_frame_bytes,
           .next = needs.next,
           .settled = [this] { return outcomes.settled(); },
           .each_log = [this](const auto& call) { migrations.each_log(call); },
           .for_each_waiting =
               [this](const auto& visit) { outcome_journal.for_each_waiting(visit); },
           .for_each_note = [this](const auto& visit) { mailbox.for_each_note(visit); },
           .for_each_message_note =
               [this](const auto& visit) {
                 broadcasts.for_each_note(visit);
                 message_exchange.for_each_note(visit);
               },
           .for_each_lasting_note = [this](const auto& visit) { lasting.for_each_note(visit); },
           .outcomes_go_on = [this] { outcome_journal.go_on(); },
           .has_unreplicated = [this] { return promotion.has_unreplicated(); }}),
      replicas({.cluster = needs.cluster,
                .outputs = needs.outputs,
                .counts = needs.counts,
                .settings = needs.settings,
                .next = needs.next,
                .knows_all_of = [this](WorkerSlot worker,
                                       Tick tick) { return ghosts.knows_all_of(worker, tick); }}),
      outcome_journal({.players = needs.players,
                       .observers = needs.observers,
                       .replication = standby_stream,
                       .outputs = needs.outputs,
                       .counts = needs.counts,
                       .next = needs.next,
                       .reading = [this]() -> const MessageId& { return mailbox.reading(); }}),
      mailbox({.world = world,
               .players = needs.players,
               .cluster = needs.cluster,
               .ownership = ownership,
               .durability = standby_stream,
               .outputs = needs.outputs,
               .counts = needs.counts,
               .self = block,
               .next = needs.next,
               .receive = [this](const world::Message& message,
                                 bool returned) { outcomes.receive(message, returned); }}),
      message_exchange({.players = needs.players,
                        .cluster = needs.cluster,
                        .fabric = needs.fabric,
                        .durability = standby_stream,
                        .counts = needs.counts,
                        .settings = needs.settings,
                        .next = needs.next,
                        .leaving = [this](Handle actor) { return mailbox.leaving(actor); },
                        .hear = [this](const Player& player,
                                       auto message) { outcomes.on_message(player, message); },
                        .sent =
                            [this](SessionId session, std::size_t bytes) {
                              needs.observers.get(session).observer.other_bytes_in_period +=
                                  static_cast<std::uint32_t>(bytes);
                            }}),
      broadcasts({.players = needs.players,
                  .cluster = needs.cluster,
                  .ownership = ownership,
                  .durability = standby_stream,
                  .exchange = message_exchange,
                  .outputs = needs.outputs,
                  .counts = needs.counts,
                  .self = block,
                  .next = needs.next}),
      lasting({.players = needs.players,
               .durability = standby_stream,
               .outputs = needs.outputs,
               .counts = needs.counts,
               .game = needs.game,
               .next = needs.next,
               .leave = [this](SessionId session) { player_sessions.remove(session); }}),
      profile_loads(
          {.players = needs.players,
           .records = lasting,
           .outputs = needs.outputs,
           .counts = needs.counts,
           .next = needs.next,
           .join = [this](const auto& join,
                          const auto& gateway) { player_sessions.on_join(join, gateway); }}),
      ghosts({.world = world,
              .cluster = needs.cluster,
              .standby = standbys,
              .outputs = needs.outputs,
              .counts = needs.counts,
              .next = needs.next}),
      group_transfer(
          {.world = world,
           .game = needs.game,
           .players = needs.players,
           .observers = needs.observers,
           .publisher = needs.publisher,
           .player_sessions = player_sessions,
           .player_steps = player_steps,
           .outcomes = outcomes,
           .snapshots = snapshots,
           .ghosts = ghosts,
           .departed = departed,
           .cluster = needs.cluster,
           .counts = needs.counts,
           .settings = needs.settings,
           .next = needs.next,
           .taken =
               [this](Handle thing) { return mailbox.taken(thing) || game_spawns.leaves(thing); },
           .on_arrival = [this](
                             const auto& past,
                             auto players) { checkpoint_parts.on_group_received(past, players); },
           .on_gone =
               [this](const Player& player) {
                 message_exchange.forget(player);
                 lasting.forget(player);
               }}),
      migrations(
          {.world = world,
           .players = needs.players,
           .transfer = group_transfer,
           .ghosts = ghosts,
           .replication = standby_stream,
           .mailbox = standby_stream,
           .cluster = needs.cluster,
           .outputs = needs.outputs,
           .fabric = needs.fabric,
           .counts = needs.counts,
           .settings = needs.settings,
           .self = block,
           .next = needs.next,
           .settled = [this](auto incarnation, auto group,
                             bool back) { promotion.settled(incarnation, group, back); },
           .players_in_doubt = [this](auto group) { return promotion.players_in_doubt(group); },
           .on_leave = [this](const LeaveRecord& leave) { player_sessions.on_leave(leave); }}),
      promotion({.world = world,
                 .game = needs.game,
                 .players = needs.players,
                 .player_sessions = player_sessions,
                 .player_steps = player_steps,
                 .outcomes = outcomes,
                 .outcome_journal = outcome_journal,
                 .transfer = group_transfer,
                 .ghosts = ghosts,
                 .migrations = migrations,
                 .mailbox = mailbox,
                 .broadcasts = broadcasts,
                 .lasting = lasting,
                 .replicas = replicas,
                 .standby = standby_stream,
                 .cluster = needs.cluster,
                 .outputs = needs.outputs,
                 .counts = needs.counts,
                 .settings = needs.settings,
                 .next = needs.next}),
      checkpoint_parts({.world = world,
                        .game = needs.game,
                        .players = needs.players,
                        .outcomes = outcomes,
                        .migrations = migrations,
                        .transfer = group_transfer,
                        .mailbox = mailbox,
                        .schedule = needs.checkpoint_schedule,
                        .outputs = needs.outputs,
                        .counts = needs.counts,
                        .settings = needs.settings,
                        .next = needs.next}),
      world_restore({.world = world,
                     .game = needs.game,
                     .players = needs.players,
                     .cluster = needs.cluster,
                     .counts = needs.counts,
                     .settings = needs.settings,
                     .next = needs.next}),
      avatar_locator(
          {needs.cluster, needs.outputs, needs.counts},
          {.silence_ticks_max = needs.settings.silence_ticks_max,
           .resume = [this](const auto& join,
                            const auto& at) { return player_sessions.resume(join, at); },
           .may_come =
               [this](const JoinRecord& join) {
                 return migrations.departed().contains_client(join.client_id) ||
                        promotion.in_doubt(join.client_id) ||
                        replicas.suspect_has(join.client_id) || replicas.has_profile_of(join) ||
                        lasting.may_change(join);
               },
           .join = [this](const auto& join,
                          const auto& gateway) { player_sessions.on_join(join, gateway); }}) {
  world.set_lead([this](const Vec3& place) { return parent_switches.announce_ticks_near(place); });
}

}  // namespace perigee::worker
