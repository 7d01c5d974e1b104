/// The worker's counters, one row each; the shell exports them.
#pragma once

#include "perigee/base/counts.hpp"
#include "perigee/base/metric_table.hpp"

namespace perigee::worker {

struct Metrics : MetricTable<Metrics> {
  Counter ticks = counter(
      {.name = "sim_ticks_total",
       .help = "Ticks simulated.",
       .note = "`rate(perigee_sim_ticks_total[1m])` is 60; less: overloaded or without a region"});

  Counters inputs = counters(
      {.name = "sim_inputs_total",
       .label = "result",
       .help = "Results of players' inputs: player ticks (applied, guessed), input frames "
               "(old_epoch), else inputs.",
       .note =
           "late: share as above, 1 to 4 % is normal. edges_kept: without rollback, button presses "
           "moved to the next input. too_late: more than `sim.window_ticks`, or any lateness "
           "without rollback; counted once in spite of redundancy. too_late_moved: the same, "
           "within half a second of a migration of the player; more per migration than elsewhere "
           "in that time: links or workers are slow. duplicate: redundancy, several per input. "
           "refused: [two workers died in a row](operations.md#crash-chains)"});
  // Player ticks simulated with a received input.
  Counter inputs_applied = value(inputs, "applied");
  // Player ticks simulated with a guessed input.
  Counter inputs_guessed = value(inputs, "guessed");
  // Arrived after their tick, within the rollback window.
  Counter inputs_late = value(inputs, "late");
  // Too late to apply, but their button presses moved to the next input.
  Counter inputs_edges_kept = value(inputs, "edges_kept");
  // Arrived after the window: discarded.
  Counter inputs_too_late = value(inputs, "too_late");
  // The same, near a migration of the player between workers.
  Counter inputs_too_late_moved = value(inputs, "too_late_moved");
  // More than 1 s ahead of the simulation: refused.
  Counter inputs_too_early = value(inputs, "too_early");
  // Already received (redundant copies).
  Counter inputs_duplicate = value(inputs, "duplicate");
  // Sent before a hard reset: discarded.
  Counter inputs_old_epoch = value(inputs, "old_epoch");
  // Skipped after a crash: an input like it may have ended the player's former worker.
  Counter inputs_refused = value(inputs, "refused");

  Counters gaps = counters(
      {.name = "sim_input_gaps_total",
       .label = "event",
       .help = "Gaps in players' inputs that were longer than `sim.window_ticks`.",
       .note =
           "opened: the path of a player was interrupted. given_up: for more than three seconds, "
           "too often, or of too many players at once; the inputs of that time were lost. The "
           "others were filled by late inputs"});
  Counter gaps_opened = value(gaps, "opened");
  Counter gaps_given_up = value(gaps, "given_up");

  Counter technique_switches =
      counter({.name = "sim_technique_switches_total",
               .help = "Clients that changed their timeline, rollback or reference frame.",
               .note = "players try techniques; more than one per player and minute: a client "
                       "switches back and forth"});

  Counter seconds_slowed = counter(
      {.name = "sim_client_seconds_slowed_total",
       .help = "Seconds in which a client was sent less, because a queue stood on its path.",
       .note = "players on narrow paths; many at once: the uplink of the gateways is full"});

  Counter rollback_ticks = counter({.name = "sim_rollback_ticks_total",
                                    .help = "Actor ticks re-simulated.",
                                    .note = "`rate(perigee_sim_rollback_ticks_total[1m]) / "
                                            "rate(perigee_sim_ticks_total[1m])` per tick"});

  Counter rollback_ticks_refused = counter(
      {.name = "sim_rollback_ticks_refused_total",
       .help = "Actor ticks not corrected after late inputs: over the limit of re-simulations per "
               "tick.",
       .note = "`increase(perigee_sim_rollback_ticks_refused_total[1h])` is 0; more: many links "
               "were interrupted at once, or too many players push each other. The late inputs "
               "were lost: raise `sim.rewind_steps_max` if ticks have the time"});

  Counter speculative_states =
      counter({.name = "sim_speculative_states_total",
               .help = "Own-avatar states sent before they were final.",
               .note = "`rate(perigee_sim_speculative_states_total[1m])`; follows guessed inputs"});

  Counter outcomes_committed =
      counter({.name = "sim_outcomes_total",
               .help = "Outcomes committed, e.g. shots, whatever their verdict.",
               .note = "`rate(perigee_sim_outcomes_total[1m])`; irreversible actions of players"});

  Counter outcomes_too_late = counter(
      {.name = "sim_outcomes_too_late_total",
       .help = "Shots and the like in inputs that filled a gap: refused, because the outcomes of "
               "their ticks were final.",
       .note = "follows `perigee_sim_input_gaps_total`"});

  Counter verdicts_changed = counter(
      {.name = "sim_verdicts_changed_total",
       .help = "Verdicts on outcomes that differ from the first one sent.",
       .note =
           "`rate(perigee_sim_verdicts_changed_total[1m]) / rate(perigee_sim_outcomes_total[1m])`; "
           "share of wrong hit markers: it grows with late inputs"});

  Counter views_clamped = counter(
      {.name = "sim_views_clamped_total",
       .help = "Shots judged by a newer view than the client claimed.",
       .note = "`rate(perigee_sim_views_clamped_total[1m])`; players with links too slow for "
               "`lag_limit_ticks`, or clients that claim views older than what they had received"});

  Counter late_ticks_kept_as_drawn =
      counter({.name = "sim_late_ticks_kept_as_drawn_total",
               .help = "Re-simulated actor ticks in which hits still use the pose that other "
                       "players saw: inputs later than the player's allowance.",
               .note = "`rate(perigee_sim_late_ticks_kept_as_drawn_total[1m])`; a client that "
                       "sends its inputs late all the time, because of a bad path or on purpose: "
                       "hits on it use the pose that others saw"});

  Counter journal_entries = counter({.name = "sim_journal_entries_total",
                                     .help = "Journal entries written, e.g. kills.",
                                     .note = "`rate(perigee_sim_journal_entries_total[1m])`"});

  Counter game_events_lost = counter(
      {.name = "sim_game_events_lost_total",
       .help = "Events not delivered to an actor: it has left, or received too many in one tick.",
       .note = "0, except when players leave in a fight; otherwise more than 8 events for one "
               "actor in a tick"});

  Counter respawns = counter({.name = "sim_respawns_total",
                              .help = "Actors respawned.",
                              .note = "`rate(perigee_sim_respawns_total[1m])`"});
  Counter actors_placed = counter({.name = "sim_actors_placed_total",
                                   .help = "Actors moved by the game to a place of its choice.",
                                   .note = "`rate(perigee_sim_actors_placed_total[1m])`"});

  Counter projectiles_refused = counter(
      {.name = "sim_projectiles_refused_total",
       .help = "Projectiles not spawned: the limit of projectiles in flight was reached.",
       .note =
           "0; otherwise more than `projectiles_max` (4096) projectiles in flight at one worker",
       .former_name = "sim_flights_refused_total"});

  Counters edits = counters(
      {.name = "sim_edits_total",
       .label = "result",
       .help = "Players' edits of voxel cells, by result.",
       .note = "`sum by (result) (rate(perigee_sim_edits_total[1m]))`. committed: final edits. "
               "overruled: another player was first in the same tick. out_of_reach: no cell was "
               "hit. refused: no such cell, or more than 1024 in a patch at once. withdrawn: late "
               "inputs changed the tick; many: see late inputs"});
  // Edits of voxel cells committed.
  Counter edits_committed = value(edits, "committed");
  // Another player's edit came first.
  Counter edits_overruled = value(edits, "overruled");
  // No cell within reach.
  Counter edits_out_of_reach = value(edits, "out_of_reach");
  // Unknown patch or cell, no change, or too many at once.
  Counter edits_refused = value(edits, "refused");
  // Undone by a rollback: late inputs changed the tick.
  Counter edits_withdrawn = value(edits, "withdrawn");

  Counters chunks =
      counters({.name = "sim_chunks_total",
                .label = "result",
                .help = "Requests and reports of clients about chunks of edited ground.",
                .note = "sent: to new clients and after reconnects; many without those: edits are "
                        "lost on the way. deferred: requested faster than 30 a second. refused: "
                        "reports of distant chunks; a manipulated client"});
  // Chunks sent to clients that lacked them.
  Counter chunks_sent = value(chunks, "sent");
  // Chunk requests beyond the send rate.
  Counter chunks_deferred = value(chunks, "deferred");
  // Chunk reports of unknown or distant chunks.
  Counter chunk_reports_refused = value(chunks, "refused");

  Counter parent_switches = counter({.name = "sim_parent_switches_total",
                                     .help = "Announced changes of parent.",
                                     .note = "`rate(perigee_sim_parent_switches_total[1m])`; many: "
                                             "parents flip back and forth, see `ParentingParams`"});

  Counter hard_resets = counter({.name = "sim_hard_resets_total",
                                 .help = "Clients ordered to discard their prediction and restart.",
                                 .note = "`increase(perigee_sim_hard_resets_total[10m])`; each is "
                                         "a prediction fault or a cheat"});

  Counter joins_refused = counter(
      {.name = "sim_joins_refused_total",
       .help =
           "Joins refused: worker full, not the region's owner or not ready, or an outdated token.",
       .note = "`rate(perigee_sim_joins_refused_total[1m])`; if full: raise `sim.players_max` or "
               "add a worker"});

  Counter players_resumed = counter({.name = "sim_players_resumed_total",
                                     .help = "Clients that reconnected to their avatar.",
                                     .note = "`increase(perigee_sim_players_resumed_total[10m])`; "
                                             "many at once: a gateway was restarted"});

  Counters drops =
      counters({.name = "sim_drops_total",
                .label = "reason",
                .help = "Datagrams, frames and blocks dropped.",
                .note = "`sum by (reason) (rate(perigee_sim_drops_total[1m]))`. wrong_incarnation: "
                        "the directory began a new world. unknown_session: some after every leave. "
                        "malformed, block_oversized: a bug, a manipulated client, or an "
                        "unauthenticated sender"});
  // Fabric bytes that do not decode as a record.
  Counter drop_malformed = value(drops, "malformed");
  // Messages of another cluster id.
  Counter drop_wrong_cluster_id = value(drops, "wrong_incarnation");
  // Messages of senders that are not in the cluster map.
  Counter drop_unknown_sender = value(drops, "unknown_sender");
  // Records for a player that this worker does not have.
  Counter drop_unknown_session = value(drops, "unknown_session");
  // Client frames of an unknown kind.
  Counter drop_unknown_frame = value(drops, "unknown_frame");
  // Blocks larger than a datagram: a bug.
  Counter blocks_oversized = value(drops, "block_oversized");

  Counters deferred_events =
      counters({.name = "sim_events_deferred_total",
                .label = "lane",
                .help = "Events that were not sent because a client's event window was full.",
                .note = "`rate(perigee_sim_events_deferred_total[1m])`; sweep: sent again later. "
                        "announcement: an announced change or a verdict is lost for that client"});
  // Events that waited because a client's event window was full.
  Counter events_deferred = value(deferred_events, "announcement");
  // Events that wait for a later sweep; replication counts them.
  Counter sweep_events_deferred = value(deferred_events, "sweep");

  Counters cues = counters(
      {.name = "sim_cues_total",
       .label = "result",
       .help = "Cues of others, for each client that could notice them.",
       .note = "`sum by (result) (rate(perigee_sim_cues_total[1m]))`. repeated: further copies of "
               "sent ones, about one each. crowded_out: louder cues, or records, took the room; a "
               "large share: a crowd makes more cues than "
               "`replication.cue_budget_bytes_per_s` carries, or the game requests too many. late, "
               "counted once for all clients: their inputs came a second late"});
  // Replication counts these two.
  Counter cues_sent = value(cues, "sent");
  Counter cues_repeated = value(cues, "repeated");
  Counter cues_crowded_out = value(cues, "crowded_out");
  // Of inputs that were too late for it.
  Counter cues_late = value(cues, "late");

  Counter ghost_bytes = counter({.name = "sim_ghost_bytes_total",
                                 .help = "Bytes of ghosts near borders sent to neighbours.",
                                 .note = "`8 * rate(perigee_sim_ghost_bytes_total[1m])` bits/s to "
                                         "all neighbours together; at most 15 Mbit/s to each"});

  Counters ghost_faults = counters(
      {.name = "sim_ghost_faults_total",
       .label = "fault",
       .help = "Faults in the exchange of ghosts with neighbours.",
       .note =
           "`sum by (fault) (rate(perigee_sim_ghost_faults_total[1m]))`. deferred: updates at a "
           "border exceed 32 KiB a tick; entities there are late. late: clocks a second apart. "
           "stream_lost: a link broke; its ghosts are missing for seconds, and groups wait. "
           "refused: this worker has no room for another one's ghosts: raise `sim.entities_max`; "
           "groups that could fall through missing entities are not migrated"});
  // Ghost updates that exceeded the tick's byte budget and waited.
  Counter ghost_news_deferred = value(ghost_faults, "deferred");
  // Ghost updates dropped: more than a second from the own tick.
  Counter ghost_news_late = value(ghost_faults, "late");
  // Full ghost updates requested from a neighbour after a loss.
  Counter ghost_streams_lost = value(ghost_faults, "stream_lost");
  // Ghosts refused, here or at a neighbour, for lack of room.
  Counter ghosts_refused = value(ghost_faults, "refused");

  Counter replica_bytes =
      counter({.name = "sim_replica_bytes_total",
               .help = "Bytes sent to the standby, beyond ghost updates.",
               .note = "`8 * rate(perigee_sim_replica_bytes_total[1m])` bits/s to the standby; "
                       "near the link's rate: more workers, or `directory.standbys=false`"});

  Counter replicas_lost = counter({.name = "sim_replicas_lost_total",
                                   .help = "Times the standby stopped being in sync.",
                                   .note = "`increase(perigee_sim_replicas_lost_total[10m])`; "
                                           "except at deaths: links between workers break"});

  Counters taken_over = counters(
      {.name = "sim_taken_over_total",
       .label = "what",
       .help = "Taken over from dead workers: incarnations, players, entities.",
       .note =
           "`increase(perigee_sim_taken_over_total[1h])`; incarnations: workers died, see their "
           "logs; players_unknown: a fault, these clients start anew: keep the logs of both "
           "workers",
       .former_name = "sim_inherited_total"});
  // Incarnations of dead workers that this one took over.
  Counter incarnations_taken_over = value(taken_over, "incarnations", "lives");
  // Players taken over.
  Counter players_taken_over = value(taken_over, "players");
  // Entities taken over.
  Counter things_taken_over = value(taken_over, "entities");
  // Players taken over without a known avatar: a fault.
  Counter players_not_taken_over = value(taken_over, "players_unknown");

  Counters migrations = counters(
      {.name = "sim_migrations_total",
       .label = "result",
       .help = "Migrations of groups between workers, by result.",
       .note =
           "`sum by (result) (rate(perigee_sim_migrations_total[5m]))`: migrations across borders. "
           "in: received; out: sent. back: sent, but the neighbour had no room or was more than 15 "
           "ticks late; many: it is overloaded. The sum of out over all workers equals that of in "
           "and back. too_large: a group of more than 15 MiB, which is not migrated. "
           "replayed_differently: recorded ticks of a player gave other results at the receiver: "
           "the game's step depends on more than its context, the workers run different programs, "
           "or the sender had no time to re-simulate (rollback_ticks_refused). Its client gets a "
           "hard reset",
       .former_name = "sim_handoffs_total"});
  // Groups received from another worker.
  Counter groups_in = value(migrations, "in");
  // Groups sent to another worker.
  Counter groups_out = value(migrations, "out");
  // Groups that the receiver refused, restored here unchanged.
  Counter groups_back = value(migrations, "back");
  // Groups not migrated: larger than a link carries.
  Counter groups_too_large = value(migrations, "too_large");
  // Returned groups that wait until this worker has room.
  Counter groups_without_room = value(migrations, "no_room");
  // Players that started where they stood, because their recorded ticks gave other results here.
  Counter players_replayed_differently = value(migrations, "replayed_differently");

  Counters messages = counters(
      {.name = "sim_mailbox_messages_total",
       .label = "result",
       .help = "Mailbox messages: effects of outcomes on another worker's entities.",
       .note = "`sum by (result) (rate(perigee_sim_mailbox_messages_total[1m]))`: effects of "
               "players on "
               "each other across borders. returned: the addressee has left. refused: more than "
               "4,096 were open. lost: addressee and sender have left",
       .former_name = "sim_letters_total"});
  // Mailbox messages sent: effects of outcomes on another worker's entities.
  Counter messages_sent = value(messages, "sent");
  // Mailbox messages applied here.
  Counter messages_read = value(messages, "read");
  // Mailbox messages returned to their sender: no worker has the addressee.
  Counter messages_returned = value(messages, "returned");
  // Mailbox messages not sent: too many were open.
  Counter messages_refused = value(messages, "refused");
  // Mailbox messages lost: addressee and sender are both gone.
  Counter messages_lost = value(messages, "lost");

  Counters player_messages = counters(
      {.name = "sim_player_messages_total",
       .label = "result",
       .help = "Messages between the game and the clients of its players.",
       .note =
           "`sum by (result) (rate(perigee_sim_player_messages_total[1m]))`. heard: by the game. "
           "delayed: a client sends more than `sim.player_messages_per_s`. dropped: one of them "
           "may have crashed two workers, or a worker that is gone may have heard them. "
           "too_early: frames of a client that begins anew more than once a second. told: by the "
           "game; "
           "delivered: acknowledged by the client. refused: the player has left, 32 messages "
           "wait for it, or the message is too long; the game was told why"});
  // Messages of clients that the game has heard.
  Counter player_messages_heard = value(player_messages, "heard");
  // Messages of clients that had to wait: over the rate.
  Counter player_messages_delayed = value(player_messages, "delayed");
  // Messages of clients that may have crashed two workers, or that were sent to a worker of which
  // nothing is left.
  Counter player_messages_dropped = value(player_messages, "dropped");
  // Frames of clients that begin a conversation again within a second.
  Counter player_messages_too_early = value(player_messages, "too_early");
  // Messages of the game to a player.
  Counter player_messages_told = value(player_messages, "told");
  // Messages that the player's client has acknowledged.
  Counter player_messages_delivered = value(player_messages, "delivered");
  // Messages of the game that were not sent.
  Counter player_messages_refused = value(player_messages, "refused");

  Counters broadcasts = counters(
      {.name = "sim_broadcasts_total",
       .label = "result",
       .help = "Messages of the game to all players of the cluster.",
       .note = "`sum by (result) (rate(perigee_sim_broadcasts_total[1m]))`. refused: more than 128 "
               "in ten seconds from one worker, more than 8 for one player, or too long; the game "
               "was told why. missed: by a player for which 32 messages wait, or that was between "
               "two workers for too long. given_up: a worker has not answered for 30 s. held_back: "
               "another worker sends more than its limit allows; its broadcast waits there"});
  // Broadcasts of this worker's game.
  Counter broadcasts_sent = value(broadcasts, "sent");
  // Broadcasts that were not sent.
  Counter broadcasts_refused = value(broadcasts, "refused");
  // Broadcasts that a player will not get.
  Counter broadcasts_missed = value(broadcasts, "missed");
  // Broadcasts that a living worker has not acknowledged.
  Counter broadcasts_given_up = value(broadcasts, "given_up");
  // Broadcasts of other workers that there was no room for; they are sent again.
  Counter broadcasts_held_back = value(broadcasts, "held_back");

  Counters lasting = counters(
      {.name = "sim_lasting_records_total",
       .label = "result",
       .help = "Profiles of players and results of matches that the game gave to keep.",
       .note = "`sum by (result) (rate(perigee_sim_lasting_records_total[1m]))`. profile, result: "
               "in the world store. refused: the game was told why. contradicted: a result's key "
               "has other bytes already. superseded: a newer session of the account has read the "
               "profile before the older one saved. other_game: a stored profile that this version "
               "of the game "
               "cannot read; it stays. fenced: another worker has taken over"});
  // Profiles in the store.
  Counter profiles_kept = value(lasting, "profile");
  // Results in the store.
  Counter results_kept = value(lasting, "result");
  // Records that were not taken.
  Counter lasting_refused = value(lasting, "refused");
  // Results whose key has other bytes in the store.
  Counter results_contradicted = value(lasting, "contradicted");
  // Saves of a session after a newer session of the account has read the profile.
  Counter profiles_superseded = value(lasting, "superseded");
  // Stored profiles of a version that the game does not know.
  Counter lasting_other_game = value(lasting, "other_game");
  // Records of a worker that has ended by the map.
  Counter lasting_fenced = value(lasting, "fenced");

  Counters remote_raycasts = counters(
      {.name = "sim_remote_raycasts_total",
       .label = "result",
       .help = "Remote raycasts: shots that leave the area that the worker knows.",
       .note =
           "`sum by (result) (rate(perigee_sim_remote_raycasts_total[1m]))`: shots across a border "
           "and far beyond. unanswered: decided after 0.5 s without a worker's reply, as if it had "
           "no entities there: the worker is late or its link is down. refused: more than 1,024 "
           "were open, or 4,096 at the queried worker",
       .former_name = "sim_sights_total"});
  // Shots for which other workers were queried: these shots leave the area that this worker knows.
  Counter remote_raycasts_asked = value(remote_raycasts, "asked");
  // Shots decided without a late worker's reply.
  Counter remote_raycasts_unanswered = value(remote_raycasts, "unanswered");
  // Remote raycasts not sent or not answered: too many were open.
  Counter remote_raycasts_refused = value(remote_raycasts, "refused");

  Counter game_values_refused =
      counter({.name = "sim_game_values_refused_total",
               .help = "Mistakes of the game: values that were refused (not finite, out of range, "
                       "or an unknown name), and actors lost without gravity or outside of the "
                       "world.",
               .note = "`rate(perigee_sim_game_values_refused_total[1m]) > 0`: a bug of the game. "
                       "The worker's log has the first of each kind and value, with its entity and "
                       "tick, and the replacement or the remedy"});

  Counters game_changes = counters(
      {.name = "sim_game_changes_total",
       .label = "change",
       .help = "Entities that the game has added and removed by its journal, in commits and in its "
               "server logic, and states of entities that it has set there.",
       .note = "`sum by (change) (rate(perigee_sim_game_changes_total[1m]))`. refused: the game "
               "was told why; wrong orders and a lack of room also count as refused values, and "
               "are in the log. Others are part of play: two players wanted the same thing"});
  // Entities added.
  Counter game_spawned = value(game_changes, "spawned");
  // Entities removed.
  Counter game_despawned = value(game_changes, "despawned");
  // States set.
  Counter game_stated = value(game_changes, "stated");
  // Orders refused, with a reason for the game.
  Counter game_changes_refused = value(game_changes, "refused");

  Counters store_outcomes = counters(
      {.name = "sim_world_store_outcomes_total",
       .label = "result",
       .help = "Outcomes for the world store: stored; sent to players before that (sent_unstored); "
               "fenced, because another worker has taken over; dropped, because too many waited.",
       .note =
           "`sum by (result) (rate(perigee_sim_world_store_outcomes_total[1m]))`: normally only "
           "stored. sent_unstored: the store took more than 5 s, or more than 4096 waited; if "
           "everything were killed now, these would be lost. dropped: more than 65536 waited, or "
           "256 had the same target, tick and kind: these are not in the journal, and sent to "
           "players unless another worker may have taken over without them "
           "([0052](decisions/0052-a-partitioned-worker-commits-nothing.md)). fenced: a worker "
           "that was considered dead continued; its players are at another worker by now"});
  // Sent to players before they were in the journal: the journal was too slow, or too many outcomes
  // waited.
  Counter outcomes_sent_unstored = value(store_outcomes, "sent_unstored");
  // Not sent: another worker has taken over from this one.
  Counter outcomes_fenced = value(store_outcomes, "fenced");
  // In the journal; the process counts them.
  Counter outcomes_stored = value(store_outcomes, "stored");
  // Not in the journal because too many waited; sent to players unless another worker may have
  // taken over without them.
  Counter outcomes_dropped = value(store_outcomes, "dropped");

  Counters store_checkpoints = counters(
      {.name = "sim_world_store_checkpoints_total",
       .label = "result",
       .help = "Checkpoint parts of this worker, by result.",
       .note = "`sum by (result) (rate(perigee_sim_world_store_checkpoints_total[1m]))`: made "
               "and written, one every 15 s for each worker. Fewer made: a region has no "
               "owner, or workers start and stop. dropped: the store is slower than the "
               "checkpoints, or workers had different maps",
       .former_name = "sim_world_store_cuts_total"});
  // Checkpoint parts made.
  Counter checkpoints = value(store_checkpoints, "made");
  // In the store; the process counts them.
  Counter checkpoints_written = value(store_checkpoints, "written");
  // The store was slower than the checkpoints; the process counts them.
  Counter checkpoints_dropped = value(store_checkpoints, "dropped");

  Counter checkpoint_bytes = counter(
      {.name = "sim_world_store_checkpoint_bytes_total",
       .help = "Bytes of this worker's checkpoint parts.",
       .note = "`rate(perigee_sim_world_store_checkpoint_bytes_total[1m])`: write rate of the "
               "store's disk, about 160 bytes per entity every 15 s",
       .former_name = "sim_world_store_cut_bytes_total"});

  Counters store_restored =
      counters({.name = "sim_world_store_restored_total",
                .label = "what",
                .help = "Restored at start from the last checkpoint and the journal.",
                .note = "After all workers were lost at once: what was restored. things_left_out: "
                        "`sim.entities_max` is smaller than before, or entities lay on one that "
                        "was not in the checkpoint"});
  // Entities restored from a checkpoint.
  Counter things_restored = value(store_restored, "things");
  // Entities of a checkpoint not restored: no room, or duplicates.
  Counter things_not_restored = value(store_restored, "things_left_out");
  // Journal entries reapplied after a checkpoint.
  Counter entries_recalled = value(store_restored, "journal_entries");
};
inline constexpr Metrics metric;
using Count = Metrics::Counter;

}  // namespace perigee::worker

template <>
inline constexpr std::size_t perigee::enum_count<perigee::worker::Count> =
    perigee::worker::metric.series();
