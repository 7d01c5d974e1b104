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
    host::CounterRow<Family>{Family::PhasesOver,
                             "sim_phases_over_budget_total",
                             "Ticks over their budget in which this part took more than its share.",
                             {"phase", phases}},
    host::CounterRow<Family>{Family::LateStarts, "sim_late_starts_total",
                             "Ticks that began more than one period late."},
    host::CounterRow<Family>{Family::Inputs,
                             "sim_inputs_total",
                             "What became of players' inputs: player ticks applied or guessed, "
                             "inputs, frames of an old epoch.",
                             {"result", input_results}},
    host::CounterRow<Family>{Family::TechniqueSwitches, "sim_technique_switches_total",
                             "Players whose client asked for another timeline, rollback or frame."},
    host::CounterRow<Family>{Family::RollbackTicks, "sim_rollback_ticks_total",
                             "Actor ticks simulated again."},
    host::CounterRow<Family>{Family::RollbackTicksRefused, "sim_rollback_ticks_refused_total",
                             "Actor ticks that late inputs made wrong and that stayed so: more "
                             "than one tick may simulate again."},
    host::CounterRow<Family>{Family::SpeculativeStates, "sim_speculative_states_total",
                             "Own states sent that could still change."},
    host::CounterRow<Family>{Family::Outcomes, "sim_outcomes_total",
                             "Shots and the like that were committed, whatever became of them."},
    host::CounterRow<Family>{Family::VerdictsChanged, "sim_verdicts_changed_total",
                             "Verdicts on them that were first told otherwise."},
    host::CounterRow<Family>{Family::ViewsClamped, "sim_views_clamped_total",
                             "Judgements by a newer view than the player said it had."},
    host::CounterRow<Family>{Family::LateTicksKeptAsDrawn, "sim_late_ticks_kept_as_drawn_total",
                             "Actor ticks that ran again and in which shots still meet the actor "
                             "where others saw it: its player is late beyond its allowance."},
    host::CounterRow<Family>{Family::JournalEntries, "sim_journal_entries_total",
                             "Entries of the journal, e.g. kills."},
    host::CounterRow<Family>{Family::GameEventsLost, "sim_game_events_lost_total",
                             "Events that an actor did not hear: gone, or too many in one tick."},
    host::CounterRow<Family>{Family::Respawns, "sim_respawns_total", "Actors that began anew."},
    host::CounterRow<Family>{Family::FlightsRefused, "sim_flights_refused_total",
                             "Arrows that were not loosed: as many as may be were in the air."},
    host::CounterRow<Family>{Family::FlightRecordings,
                             "sim_flight_recordings_total",
                             "Flight recordings: files, and what the disk did not take.",
                             {"result", recording_results}},
    host::CounterRow<Family>{Family::Edits,
                             "sim_edits_total",
                             "What became of cells that players dug or filled.",
                             {"result", edit_results}},
    host::CounterRow<Family>{Family::Chunks,
                             "sim_chunks_total",
                             "Chunks of dug ground that clients asked for or spoke of.",
                             {"result", chunk_results}},
    host::CounterRow<Family>{Family::ParentSwitches, "sim_parent_switches_total",
                             "Announced changes of parent."},
    host::CounterRow<Family>{Family::HardResets, "sim_hard_resets_total",
                             "Clients that were told to start anew."},
    host::CounterRow<Family>{
        Family::JoinsRefused, "sim_joins_refused_total",
        "Joins refused: full, not the owner, not ready, or with an older token."},
    host::CounterRow<Family>{Family::PlayersResumed, "sim_players_resumed_total",
                             "Clients that came back to their avatar."},
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
                             "Entity records due, but beyond the blocks of one slot."},
    host::CounterRow<Family>{Family::KnownFull, "sim_known_full_total",
                             "Entities not told to a client that knows as many as it can hold."},
    host::CounterRow<Family>{Family::EventsDeferred,
                             "sim_events_deferred_total",
                             "Event windows found full; told again by the sweep.",
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
                             "Told to neighbours of what is near the border."},
    host::CounterRow<Family>{Family::GhostFaults,
                             "sim_ghost_faults_total",
                             "What went wrong with what neighbours tell each other.",
                             {"fault", ghost_faults}},
    host::CounterRow<Family>{Family::ReplicaBytes, "sim_replica_bytes_total",
                             "Told to the buddy, beside what neighbours hear."},
    host::CounterRow<Family>{Family::ReplicasLost, "sim_replicas_lost_total",
                             "Times at which the buddy did not have everything any more."},
    host::CounterRow<Family>{Family::Inherited,
                             "sim_inherited_total",
                             "Dead workers' lives that this one goes on with, and what was theirs.",
                             {"what", inherited}},
    host::CounterRow<Family>{Family::Handoffs,
                             "sim_handoffs_total",
                             "Groups that changed workers, or were to.",
                             {"result", handoff_results}},
    host::CounterRow<Family>{Family::Letters,
                             "sim_letters_total",
                             "What outcomes do to somebody whom another worker has.",
                             {"result", letter_results}},
    host::CounterRow<Family>{
        Family::Sights,
        "sim_sights_total",
        "Shots that lead to where a worker does not know everything: others are asked.",
        {"result", sight_results}},
    host::CounterRow<Family>{
        Family::GameValuesRefused, "sim_game_values_refused_total",
        "Values that the game handed over and that were refused: not finite, out of range, or the "
        "name of nothing."},
    host::CounterRow<Family>{Family::LinksMade, "sim_links_made_total",
                             "Links with other workers that were made, or made anew."},
    host::CounterRow<Family>{Family::LinksLost,
                             "sim_links_lost_total",
                             "Links with other workers that ended.",
                             {"reason", link_ends}},
    host::CounterRow<Family>{Family::LinksRefused,
                             "sim_link_refusals_total",
                             "Connections, made or taken, that became no link.",
                             {"reason", link_refusals}},
    host::CounterRow<Family>{Family::LinkWords,
                             "sim_link_messages_total",
                             "Messages of workers; unsent: there was no link.",
                             {"direction", link_words}},
    host::CounterRow<Family>{Family::LinkBytes,
                             "sim_link_bytes_total",
                             "Bytes on links between workers, good or bad.",
                             {"direction", ways}},
    host::CounterRow<Family>{
        Family::StoreOutcomes,
        "sim_world_store_outcomes_total",
        "Outcomes on their way into the world store: stored; told before that; fenced, because "
        "another worker has taken this one's place; dropped, because too many waited.",
        {"result", store_outcomes}},
    host::CounterRow<Family>{Family::StoreCuts,
                             "sim_world_store_cuts_total",
                             "Parts of cuts that this worker made, and what became of them.",
                             {"result", store_cuts}},
    host::CounterRow<Family>{Family::StoreCutBytes, "sim_world_store_cut_bytes_total",
                             "Bytes of those parts."},
    host::CounterRow<Family>{Family::StoreRestored,
                             "sim_world_store_restored_total",
                             "What this worker began with, from the last cut and the journal.",
                             {"what", store_restored}},
    host::CounterRow<Family>{Family::StoreFaults,
                             "sim_world_store_faults_total",
                             "Calls of the world store that failed.",
                             {"kind", store_faults}},
};
static_assert(host::one_row_each(counter_rows, Family::last), "one row for each Family");

inline constexpr std::array level_rows{
    host::GaugeRow<Level>{Level::Players, "sim_players", "Avatars owned."},
    host::GaugeRow<Level>{Level::Entities,
                          "sim_entities",
                          "Entities known, by what they are to this worker.",
                          {"role", roles}},
    host::GaugeRow<Level>{Level::Observers, "sim_observers",
                          "Clients told of entities, other workers' players included."},
    host::GaugeRow<Level>{Level::TickLag, "sim_tick_lag_seconds",
                          "How far the world here is behind world time."},
    host::GaugeRow<Level>{Level::ClockError, "sim_clock_error_seconds",
                          "Bound of the error against the directory's clock."},
    host::GaugeRow<Level>{Level::GiveWayStep, "sim_give_way_step",
                          "How far what is far gives way to ticks in time: 0 not at all, to 4."},
    host::GaugeRow<Level>{Level::OverloadRung, "sim_overload_rung",
                          "0: ticks are in time; 1: what is far gives way; 2: that is not enough."},
    host::GaugeRow<Level>{Level::TimeRate, "sim_time_rate_ratio",
                          "World time to real time, in the tick that is played."},
    host::GaugeRow<Level>{Level::LargestIsland, "sim_largest_island_seconds",
                          "Processor time per tick of what has to be in one place."},
    host::GaugeRow<Level>{Level::Links,
                          "sim_links",
                          "Workers that this one ought to be linked with, by whether it is.",
                          {"state", link_states}},
    host::GaugeRow<Level>{Level::BuddyState, "sim_buddy_in_sync",
                          "1: another worker would go on with all that is here."},
    host::GaugeRow<Level>{Level::LettersOpen, "sim_letters_open",
                          "Letters that nobody has said to have read."},
    host::GaugeRow<Level>{Level::GroupsInDoubt, "sim_groups_in_doubt",
                          "Groups that have left, and nobody has said to have: nobody plays them."},
    host::GaugeRow<Level>{Level::OldestDoubt, "sim_oldest_doubt_seconds",
                          "How long that has been so for the one of which it has been longest."},
    host::GaugeRow<Level>{
        Level::GroupsRemembered, "sim_groups_remembered",
        "Groups that ever left or came, in the logs of the lives that this worker "
        "answers for."},
    host::GaugeRow<Level>{Level::StoreRowsWaiting, "sim_world_store_rows_waiting",
                          "Outcomes that the world store has not got yet."},
    host::GaugeRow<Level>{Level::StoreCutAge, "sim_world_store_cut_age_seconds",
                          "Since the tick of the last complete cut; 0 without a store or a cut."},
    host::GaugeRow<Level>{Level::StoreBehind, "sim_world_store_behind",
                          "1: the world store fails, and what players are told may be forgotten."},
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
    host::HistogramRow<Spread>{Spread::Tick, "sim_tick_seconds",
                               "Work of one tick, from its first step to its last datagram.",
                               tick_s},
    host::HistogramRow<Spread>{
        Spread::TickCpu, "sim_tick_cpu_seconds",
        "Of it, the processor's time: what it would take on a machine of its own.", tick_s},
    host::HistogramRow<Spread>{Spread::Phase,
                               "sim_phase_seconds",
                               "Parts of a tick, in their order.",
                               phase_s,
                               {"phase", phases}},
    host::HistogramRow<Spread>{
        Spread::FabricTransit, "sim_fabric_transit_seconds",
        "From the gateway's kernel to this worker's, per player's frame, at most 256 a tick.",
        transit_bounds_s},
    host::HistogramRow<Spread>{
        Spread::InputWait, "sim_input_wait_seconds",
        "From an input's arrival to the tick that consumes it; 0 and less came late.",
        wait_bounds_s},
    host::HistogramRow<Spread>{Spread::StorePart, "sim_world_store_part_seconds",
                               "Writing this worker's part of a cut into the world store.",
                               store_part_s},
};
static_assert(host::one_row_each(spread_rows, Spread::last), "one row for each Spread");

}  // namespace perigee::worker
