/// A worker's metrics: names, help texts and labels.
#pragma once

#include <array>
#include <string_view>

#include "exported.hpp"

namespace perigee::worker {

using Names = std::string_view;

inline constexpr std::array<Names, 10> input_results{
    "applied",        "guessed",   "late",      "edges_kept", "too_late",
    "too_late_moved", "too_early", "duplicate", "old_epoch",  "refused"};
inline constexpr std::array<Names, 6> drop_reasons{"malformed",      "wrong_incarnation",
                                                   "unknown_sender", "unknown_session",
                                                   "unknown_frame",  "block_oversized"};
inline constexpr std::array<Names, interest_rings> rings{"0", "1", "2", "3"};
inline constexpr std::array<Names, 2> deferred_lanes{"announcement", "sweep"};
inline constexpr std::array<Names, 2> ways{"in", "out"};
inline constexpr std::array<Names, 4> socket_losses{"kernel_buffer", "oversized", "send_queue",
                                                    "send_failed"};
inline constexpr std::array<Names, 2> roles{"owned", "ghost"};
inline constexpr std::array<Names, enum_count<TickPhase>> phases{
    "rewind", "bodies", "actors", "judge", "gather", "publish", "send"};
inline constexpr std::array<Names, 5> edit_results{"committed", "overruled", "out_of_reach",
                                                   "refused", "withdrawn"};
inline constexpr std::array<Names, 2> recording_results{"written", "lost"};
inline constexpr std::array<Names, 3> chunk_results{"sent", "deferred", "refused"};
inline constexpr std::array<Names, 4> ghost_faults{"deferred", "late", "stream_lost", "refused"};
inline constexpr std::array<Names, 5> handoff_results{"in", "out", "back", "too_large", "no_room"};
inline constexpr std::array<Names, 5> letter_results{"sent", "read", "returned", "refused", "lost"};
inline constexpr std::array<Names, 3> sight_results{"asked", "unanswered", "refused"};
inline constexpr std::array<Names, 4> inherited{"lives", "players", "entities", "players_unknown"};
inline constexpr std::array<Names, 6> link_ends{"closed", "silent",   "overflow",
                                                "broken", "replaced", "unwanted"};
inline constexpr std::array<Names, 8> link_refusals{"garbage",     "wrong_secret", "unknown",
                                                    "slow",        "crowd",        "turned_away",
                                                    "unreachable", "other_version"};
inline constexpr std::array<Names, 3> link_words{"in", "out", "unsent"};
inline constexpr std::array<Names, 2> link_states{"up", "down"};
inline constexpr std::array<Names, 4> store_outcomes{"told_unstored", "fenced", "stored",
                                                     "dropped"};
inline constexpr std::array<Names, 3> store_cuts{"made", "written", "dropped"};
inline constexpr std::array<Names, enum_count<world_store::StoreFault>> store_faults{
    "disk_full", "locked", "unreachable", "other"};
inline constexpr std::array<Names, 3> store_restored{"things", "things_left_out",
                                                     "journal_entries"};

inline constexpr std::array counter_rows{
    host::CounterRow<Family>{Family::Ticks, "sim_ticks_total", "Ticks simulated."},
    host::CounterRow<Family>{Family::Overruns, "sim_overruns_total",
                             "Ticks whose work took longer than their period."},
    host::CounterRow<Family>{
        Family::PhasesOver,
        "sim_phases_over_budget_total",
        "Ticks over their budget in which this phase took more than its share.",
        {"phase", phases}},
    host::CounterRow<Family>{Family::LateStarts, "sim_late_starts_total",
                             "Ticks that began more than one period late."},
    host::CounterRow<Family>{Family::Inputs,
                             "sim_inputs_total",
                             "Results of players' inputs: player ticks (applied, guessed), input "
                             "frames (old_epoch), else inputs.",
                             {"result", input_results}},
    host::CounterRow<Family>{Family::TechniqueSwitches, "sim_technique_switches_total",
                             "Clients that changed their timeline, rollback or reference frame."},
    host::CounterRow<Family>{Family::RollbackTicks, "sim_rollback_ticks_total",
                             "Actor ticks re-simulated."},
    host::CounterRow<Family>{
        Family::RollbackTicksRefused, "sim_rollback_ticks_refused_total",
        "Actor ticks not corrected after late inputs: over the limit of re-simulations per tick."},
    host::CounterRow<Family>{Family::SpeculativeStates, "sim_speculative_states_total",
                             "Own-avatar states sent before they were final."},
    host::CounterRow<Family>{Family::Outcomes, "sim_outcomes_total",
                             "Outcomes committed, e.g. shots, whatever their verdict."},
    host::CounterRow<Family>{Family::VerdictsChanged, "sim_verdicts_changed_total",
                             "Verdicts on outcomes that differ from the first one sent."},
    host::CounterRow<Family>{Family::ViewsClamped, "sim_views_clamped_total",
                             "Shots judged by a newer view than the client claimed."},
    host::CounterRow<Family>{Family::LateTicksKeptAsDrawn, "sim_late_ticks_kept_as_drawn_total",
                             "Re-simulated actor ticks in which hits still use the pose that other "
                             "players saw: inputs later than the player's allowance."},
    host::CounterRow<Family>{Family::JournalEntries, "sim_journal_entries_total",
                             "Journal entries written, e.g. kills."},
    host::CounterRow<Family>{
        Family::GameEventsLost, "sim_game_events_lost_total",
        "Events not delivered to an actor: it has left, or received too many in one tick."},
    host::CounterRow<Family>{Family::Respawns, "sim_respawns_total", "Actors respawned."},
    host::CounterRow<Family>{
        Family::FlightsRefused, "sim_flights_refused_total",
        "Projectiles not spawned: the limit of projectiles in flight was reached."},
    host::CounterRow<Family>{Family::FlightRecordings,
                             "sim_flight_recordings_total",
                             "Flight recordings written, and lost to a failing disk.",
                             {"result", recording_results}},
    host::CounterRow<Family>{Family::Edits,
                             "sim_edits_total",
                             "Players' edits of voxel cells, by result.",
                             {"result", edit_results}},
    host::CounterRow<Family>{Family::Chunks,
                             "sim_chunks_total",
                             "Requests and reports of clients about chunks of edited ground.",
                             {"result", chunk_results}},
    host::CounterRow<Family>{Family::ParentSwitches, "sim_parent_switches_total",
                             "Announced changes of parent."},
    host::CounterRow<Family>{Family::HardResets, "sim_hard_resets_total",
                             "Clients ordered to discard their prediction and restart."},
    host::CounterRow<Family>{
        Family::JoinsRefused, "sim_joins_refused_total",
        "Joins refused: worker full, not the region's owner or not ready, or an outdated token."},
    host::CounterRow<Family>{Family::PlayersResumed, "sim_players_resumed_total",
                             "Clients that reconnected to their avatar."},
    host::CounterRow<Family>{Family::Drops,
                             "sim_drops_total",
                             "Datagrams, frames and blocks dropped.",
                             {"reason", drop_reasons}},
    host::CounterRow<Family>{Family::Blocks, "sim_blocks_total", "Blocks written for clients."},
    host::CounterRow<Family>{Family::BlockBytes, "sim_block_bytes_total",
                             "Bytes of the blocks written for clients."},
    host::CounterRow<Family>{Family::Records,
                             "sim_records_total",
                             "Entity records written, by interest ring from near to far.",
                             {"ring", rings}},
    host::CounterRow<Family>{Family::RecordsOverLimit, "sim_records_over_limit_total",
                             "Entity records due, but over the limit of blocks per send slot."},
    host::CounterRow<Family>{Family::KnownFull, "sim_known_full_total",
                             "Entities not replicated to a client that already holds its maximum."},
    host::CounterRow<Family>{Family::EventsDeferred,
                             "sim_events_deferred_total",
                             "Events that were not sent because a client's event window was full.",
                             {"lane", deferred_lanes}},
    host::CounterRow<Family>{Family::FabricDatagrams,
                             "sim_fabric_datagrams_total",
                             "Fabric datagrams, good or bad.",
                             {"direction", ways}},
    host::CounterRow<Family>{Family::FabricBytes,
                             "sim_fabric_bytes_total",
                             "UDP payload bytes on the fabric, good or bad.",
                             {"direction", ways}},
    host::CounterRow<Family>{Family::SocketLosses,
                             "sim_socket_losses_total",
                             "Datagrams that the fabric socket lost.",
                             {"cause", socket_losses}},
    host::CounterRow<Family>{Family::GhostBytes, "sim_ghost_bytes_total",
                             "Bytes of ghosts near borders sent to neighbours."},
    host::CounterRow<Family>{Family::GhostFaults,
                             "sim_ghost_faults_total",
                             "Faults in the exchange of ghosts with neighbours.",
                             {"fault", ghost_faults}},
    host::CounterRow<Family>{Family::ReplicaBytes, "sim_replica_bytes_total",
                             "Bytes sent to the standby, beyond ghost updates."},
    host::CounterRow<Family>{Family::ReplicasLost, "sim_replicas_lost_total",
                             "Times the standby stopped being in sync."},
    host::CounterRow<Family>{
        Family::Inherited,
        "sim_inherited_total",
        "Taken over from dead workers: incarnations (lives), players, entities.",
        {"what", inherited}},
    host::CounterRow<Family>{Family::Handoffs,
                             "sim_handoffs_total",
                             "Migrations of groups between workers, by result.",
                             {"result", handoff_results}},
    host::CounterRow<Family>{Family::Letters,
                             "sim_letters_total",
                             "Mailbox messages: effects of outcomes on another worker's entities.",
                             {"result", letter_results}},
    host::CounterRow<Family>{Family::Sights,
                             "sim_sights_total",
                             "Remote raycasts: shots that leave the area that the worker knows.",
                             {"result", sight_results}},
    host::CounterRow<Family>{Family::GameValuesRefused, "sim_game_values_refused_total",
                             "Invalid values from the game that were refused: not finite, out of "
                             "range, or an unknown name."},
    host::CounterRow<Family>{
        Family::LinksMade, "sim_links_made_total",
        "Links established with other workers, including re-established ones."},
    host::CounterRow<Family>{Family::LinksLost,
                             "sim_links_lost_total",
                             "Links with other workers that ended.",
                             {"reason", link_ends}},
    host::CounterRow<Family>{Family::LinksRefused,
                             "sim_link_refusals_total",
                             "Connections, in or out, that did not become a link.",
                             {"reason", link_refusals}},
    host::CounterRow<Family>{Family::LinkWords,
                             "sim_link_messages_total",
                             "Messages between workers; unsent: there was no link.",
                             {"direction", link_words}},
    host::CounterRow<Family>{Family::LinkBytes,
                             "sim_link_bytes_total",
                             "Bytes on links between workers, good or bad.",
                             {"direction", ways}},
    host::CounterRow<Family>{
        Family::StoreOutcomes,
        "sim_world_store_outcomes_total",
        "Outcomes for the world store: stored; sent to players before that (told_unstored); "
        "fenced, because another worker has taken over; dropped, because too many waited.",
        {"result", store_outcomes}},
    host::CounterRow<Family>{Family::StoreCuts,
                             "sim_world_store_cuts_total",
                             "Checkpoint parts of this worker, by result.",
                             {"result", store_cuts}},
    host::CounterRow<Family>{Family::StoreCutBytes, "sim_world_store_cut_bytes_total",
                             "Bytes of this worker's checkpoint parts."},
    host::CounterRow<Family>{Family::StoreRestored,
                             "sim_world_store_restored_total",
                             "Restored at start from the last checkpoint and the journal.",
                             {"what", store_restored}},
    host::CounterRow<Family>{Family::StoreFaults,
                             "sim_world_store_faults_total",
                             "Failed calls to the world store.",
                             {"kind", store_faults}},
};
static_assert(host::one_row_each(counter_rows, Family::last), "one row for each Family");

inline constexpr std::array level_rows{
    host::GaugeRow<Level>{Level::Players, "sim_players", "Avatars owned."},
    host::GaugeRow<Level>{Level::Entities,
                          "sim_entities",
                          "Entities known to this worker, by role.",
                          {"role", roles}},
    host::GaugeRow<Level>{
        Level::Observers, "sim_observers",
        "Clients that receive entities from this worker, other workers' players included."},
    host::GaugeRow<Level>{Level::TickLag, "sim_tick_lag_seconds",
                          "How far this worker's simulation is behind world time."},
    host::GaugeRow<Level>{Level::ClockError, "sim_clock_error_seconds",
                          "Upper bound of the clock error against the directory."},
    host::GaugeRow<Level>{Level::GiveWayStep, "sim_give_way_step",
                          "How much the update rate of distant entities is reduced to keep ticks "
                          "in time: 0 (not) to 4."},
    host::GaugeRow<Level>{Level::OverloadRung, "sim_overload_rung",
                          "0: ticks are in time; 1: distant entities are updated less often; 2: "
                          "overloaded all the same."},
    host::GaugeRow<Level>{Level::TimeRate, "sim_time_rate_ratio",
                          "World time per real time, in the current tick."},
    host::GaugeRow<Level>{
        Level::LargestIsland, "sim_largest_island_seconds",
        "CPU time per tick of the largest group of entities that only one worker can simulate."},
    host::GaugeRow<Level>{Level::Links,
                          "sim_links",
                          "Workers with which a link is required, by state of the link.",
                          {"state", link_states}},
    host::GaugeRow<Level>{Level::BuddyState, "sim_buddy_in_sync",
                          "1: the standby is in sync and could take over without loss."},
    host::GaugeRow<Level>{Level::LettersOpen, "sim_letters_open",
                          "Mailbox messages not yet acknowledged."},
    host::GaugeRow<Level>{
        Level::GroupsInDoubt, "sim_groups_in_doubt",
        "In-doubt groups: sent, but not acknowledged by their receiver; no worker simulates them."},
    host::GaugeRow<Level>{Level::OldestDoubt, "sim_oldest_doubt_seconds",
                          "Age of the oldest in-doubt group."},
    host::GaugeRow<Level>{Level::GroupsRemembered, "sim_groups_remembered",
                          "Groups that ever migrated, in the logs of this worker's incarnation and "
                          "of those that it took over."},
    host::GaugeRow<Level>{Level::StoreRowsWaiting, "sim_world_store_rows_waiting",
                          "Outcomes not yet in the world store."},
    host::GaugeRow<Level>{
        Level::StoreCutAge, "sim_world_store_cut_age_seconds",
        "Time since the tick of the last complete checkpoint; 0 without a store or a checkpoint."},
    host::GaugeRow<Level>{Level::StoreBehind, "sim_world_store_behind",
                          "1: the world store fails, and outcomes sent to players may be lost."},
};
static_assert(host::one_row_each(level_rows, Level::last), "one row for each Level");

// The period of 60 Hz is a boundary. Below it, the range of a healthy worker has steps of about 2.
inline constexpr std::array tick_s{0.00025, 0.0005, 0.001,    0.002, 0.004,  0.006, 0.008,
                                   0.01,    0.0125, 0.016667, 0.025, 0.0333, 0.05};
inline constexpr std::array phase_s{0.00001, 0.00002, 0.00005, 0.0001, 0.0002,  0.0005,
                                    0.001,   0.002,   0.004,   0.008,  0.016667};
// One stamp is 65 us; a healthy private network is below 1 ms.
inline constexpr std::array transit_bounds_s{0.00005, 0.0001, 0.0002, 0.0005, 0.001,
                                             0.002,   0.005,  0.01,   0.02,   0.05};
// Late inputs that still count, the lead's target of 1 ms, ticks, and a playout buffer's 50 to
// 66.7 ms.
inline constexpr std::array wait_bounds_s{-0.25, -0.05,  -0.0167, 0.0,  0.001,  0.002, 0.003, 0.005,
                                          0.008, 0.0167, 0.033,   0.05, 0.0667, 0.1,   0.25};

inline constexpr std::array store_part_s{0.005, 0.01, 0.02, 0.05, 0.1, 0.2,
                                         0.5,   1.0,  2.0,  5.0,  15.0};

inline constexpr std::array spread_rows{
    host::HistogramRow<Spread>{
        Spread::Tick, "sim_tick_seconds",
        "Duration of one tick's work, from its first step to its last datagram.", tick_s},
    host::HistogramRow<Spread>{Spread::TickCpu, "sim_tick_cpu_seconds",
                               "CPU time of one tick's work.", tick_s},
    host::HistogramRow<Spread>{Spread::Phase,
                               "sim_phase_seconds",
                               "Duration of each phase of a tick, in order.",
                               phase_s,
                               {"phase", phases}},
    host::HistogramRow<Spread>{Spread::FabricTransit, "sim_fabric_transit_seconds",
                               "Transit of a player's frame from the gateway's kernel to the "
                               "worker's; at most 256 samples per tick.",
                               transit_bounds_s},
    host::HistogramRow<Spread>{
        Spread::InputWait, "sim_input_wait_seconds",
        "Time from an input's arrival to the tick that consumes it; 0 or less: late.",
        wait_bounds_s},
    host::HistogramRow<Spread>{
        Spread::StorePart, "sim_world_store_part_seconds",
        "Duration of writing this worker's checkpoint part into the world store.", store_part_s},
};
static_assert(host::one_row_each(spread_rows, Spread::last), "one row for each Spread");

}  // namespace perigee::worker
