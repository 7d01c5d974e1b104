#include "exported.hpp"

#include <algorithm>
#include <array>

namespace perigee::worker {
namespace {

using Names = std::string_view;

constexpr std::array<Names, 9> input_results{"applied",    "guessed",   "late",
                                             "edges_kept", "too_late",  "too_early",
                                             "duplicate",  "old_epoch", "refused"};
constexpr std::array<Names, 6> drop_reasons{"malformed",      "wrong_incarnation",
                                            "unknown_sender", "unknown_session",
                                            "unknown_frame",  "block_oversized"};
constexpr std::array<Names, interest_rings> rings{"0", "1", "2", "3"};
constexpr std::array<Names, 2> deferred_lanes{"announcement", "sweep"};
constexpr std::array<Names, 2> ways{"in", "out"};
constexpr std::array<Names, 4> socket_losses{"kernel_buffer", "oversized", "send_queue",
                                             "send_failed"};
constexpr std::array<Names, 2> roles{"owned", "ghost"};
constexpr std::array<Names, enum_count<TickPhase>> phases{"rewind", "bodies",  "actors", "judge",
                                                          "gather", "publish", "send"};
constexpr std::array<Names, 5> edit_results{"committed", "overruled", "out_of_reach", "refused",
                                            "withdrawn"};
constexpr std::array<Names, 2> recording_results{"written", "lost"};
constexpr std::array<Names, 3> chunk_results{"sent", "deferred", "refused"};
constexpr std::array<Names, 4> ghost_faults{"deferred", "late", "stream_lost", "refused"};
constexpr std::array<Names, 5> handoff_results{"in", "out", "back", "too_large", "no_room"};
constexpr std::array<Names, 5> letter_results{"sent", "read", "returned", "refused", "lost"};
constexpr std::array<Names, 3> inherited{"lives", "players", "entities"};
constexpr std::array<Names, 6> link_ends{"closed", "silent",   "overflow",
                                         "broken", "replaced", "unwanted"};
constexpr std::array<Names, 7> link_refusals{"garbage", "wrong_secret", "unknown",    "slow",
                                             "crowd",   "turned_away",  "unreachable"};
constexpr std::array<Names, 3> link_words{"in", "out", "unsent"};
constexpr std::array<Names, 2> link_states{"up", "down"};
constexpr std::array<Names, 4> store_outcomes{"told_unstored", "fenced", "stored", "dropped"};
constexpr std::array<Names, 3> store_cuts{"made", "written", "dropped"};
constexpr std::array<Names, enum_count<world_store::StoreFault>> store_faults{
    "disk_full", "locked", "unreachable", "other"};
constexpr std::array<Names, 3> store_restored{"things", "things_left_out", "journal_entries"};

constexpr std::array counter_rows{
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

constexpr std::array level_rows{
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
    host::GaugeRow<Level>{Level::StoreRowsWaiting, "sim_world_store_rows_waiting",
                          "Outcomes that the world store has not got yet."},
    host::GaugeRow<Level>{Level::StoreCutAge, "sim_world_store_cut_age_seconds",
                          "Since the tick of the last complete cut; 0 without a store or a cut."},
    host::GaugeRow<Level>{Level::StoreBehind, "sim_world_store_behind",
                          "1: the world store fails, and what players are told may be forgotten."},
};
static_assert(host::one_row_each(level_rows, Level::last), "one row for each Level");

// The period of 60 Hz is a boundary; below it, where a healthy worker lives, steps of about 2.
constexpr std::array tick_s{0.00025, 0.0005, 0.001,    0.002, 0.004,  0.006, 0.008,
                            0.01,    0.0125, 0.016667, 0.025, 0.0333, 0.05};
constexpr std::array phase_s{0.00001, 0.00002, 0.00005, 0.0001, 0.0002,  0.0005,
                             0.001,   0.002,   0.004,   0.008,  0.016667};
// One stamp is 65 us; a healthy private network is below 1 ms.
constexpr std::array transit_bounds_s{
    0.00005, 0.0001, 0.0002, 0.0005, 0.001, 0.002,
    0.005,   0.01,   0.02,   0.05};  // Late and still of use, the lead's target of 1 ms, ticks, and
                                     // a playout buffer's 50 to 66.7 ms.
constexpr std::array wait_bounds_s{-0.25, -0.05,  -0.0167, 0.0,  0.001,  0.002, 0.003, 0.005,
                                   0.008, 0.0167, 0.033,   0.05, 0.0667, 0.1,   0.25};

constexpr std::array store_part_s{0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 15.0};

constexpr std::array spread_rows{
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

/// Where each Count of the core appears.
struct Row {
  Count count;
  Family family;
  std::size_t label;
};
constexpr std::array rows{
    Row{Count::Ticks, Family::Ticks, 0},
    Row{Count::InputsApplied, Family::Inputs, 0},
    Row{Count::InputsGuessed, Family::Inputs, 1},
    Row{Count::InputsLate, Family::Inputs, 2},
    Row{Count::InputsEdgesKept, Family::Inputs, 3},
    Row{Count::InputsTooLate, Family::Inputs, 4},
    Row{Count::InputsTooEarly, Family::Inputs, 5},
    Row{Count::InputsDuplicate, Family::Inputs, 6},
    Row{Count::InputsOldEpoch, Family::Inputs, 7},
    Row{Count::InputsRefused, Family::Inputs, 8},
    Row{Count::TechniqueSwitches, Family::TechniqueSwitches, 0},
    Row{Count::RollbackTicks, Family::RollbackTicks, 0},
    Row{Count::RollbackTicksRefused, Family::RollbackTicksRefused, 0},
    Row{Count::SpeculativeStates, Family::SpeculativeStates, 0},
    Row{Count::ParentSwitches, Family::ParentSwitches, 0},
    Row{Count::HardResets, Family::HardResets, 0},
    Row{Count::DropMalformed, Family::Drops, 0},
    Row{Count::DropWrongIncarnation, Family::Drops, 1},
    Row{Count::DropUnknownSender, Family::Drops, 2},
    Row{Count::DropUnknownSession, Family::Drops, 3},
    Row{Count::DropUnknownFrame, Family::Drops, 4},
    Row{Count::JoinsRefused, Family::JoinsRefused, 0},
    Row{Count::PlayersResumed, Family::PlayersResumed, 0},
    Row{Count::EventsDeferred, Family::EventsDeferred, 0},
    Row{Count::BlocksOversized, Family::Drops, 5},
    Row{Count::OutcomesCommitted, Family::Outcomes, 0},
    Row{Count::VerdictsChanged, Family::VerdictsChanged, 0},
    Row{Count::ViewsClamped, Family::ViewsClamped, 0},
    Row{Count::JournalEntries, Family::JournalEntries, 0},
    Row{Count::GameEventsLost, Family::GameEventsLost, 0},
    Row{Count::Respawns, Family::Respawns, 0},
    Row{Count::FlightsRefused, Family::FlightsRefused, 0},
    Row{Count::EditsCommitted, Family::Edits, 0},
    Row{Count::EditsOverruled, Family::Edits, 1},
    Row{Count::EditsOutOfReach, Family::Edits, 2},
    Row{Count::EditsRefused, Family::Edits, 3},
    Row{Count::EditsWithdrawn, Family::Edits, 4},
    Row{Count::ChunksSent, Family::Chunks, 0},
    Row{Count::ChunksDeferred, Family::Chunks, 1},
    Row{Count::ChunkReportsRefused, Family::Chunks, 2},
    Row{Count::GhostBytes, Family::GhostBytes, 0},
    Row{Count::GhostNewsDeferred, Family::GhostFaults, 0},
    Row{Count::GhostNewsLate, Family::GhostFaults, 1},
    Row{Count::GhostStreamsLost, Family::GhostFaults, 2},
    Row{Count::GhostsRefused, Family::GhostFaults, 3},
    Row{Count::GroupsIn, Family::Handoffs, 0},
    Row{Count::GroupsOut, Family::Handoffs, 1},
    Row{Count::GroupsBack, Family::Handoffs, 2},
    Row{Count::GroupsTooLarge, Family::Handoffs, 3},
    Row{Count::GroupsWithoutRoom, Family::Handoffs, 4},
    Row{Count::OutcomesToldUnstored, Family::StoreOutcomes, 0},
    Row{Count::OutcomesFenced, Family::StoreOutcomes, 1},
    Row{Count::Cuts, Family::StoreCuts, 0},
    Row{Count::CutBytes, Family::StoreCutBytes, 0},
    Row{Count::ThingsRestored, Family::StoreRestored, 0},
    Row{Count::ThingsNotRestored, Family::StoreRestored, 1},
    Row{Count::EntriesRecalled, Family::StoreRestored, 2},
    Row{Count::ReplicaBytes, Family::ReplicaBytes, 0},
    Row{Count::ReplicasLost, Family::ReplicasLost, 0},
    Row{Count::LivesInherited, Family::Inherited, 0},
    Row{Count::PlayersInherited, Family::Inherited, 1},
    Row{Count::ThingsInherited, Family::Inherited, 2},
    Row{Count::LettersSent, Family::Letters, 0},
    Row{Count::LettersRead, Family::Letters, 1},
    Row{Count::LettersReturned, Family::Letters, 2},
    Row{Count::LettersRefused, Family::Letters, 3},
    Row{Count::LettersLost, Family::Letters, 4},
};
/// Where each Count of the links appears.
struct LinkRow {
  peers::Count count;
  Family family;
  std::size_t label;
};
constexpr std::array link_rows{
    LinkRow{peers::Count::Linked, Family::LinksMade, 0},
    LinkRow{peers::Count::LostClosed, Family::LinksLost, 0},
    LinkRow{peers::Count::LostSilent, Family::LinksLost, 1},
    LinkRow{peers::Count::LostOverflow, Family::LinksLost, 2},
    LinkRow{peers::Count::LostBroken, Family::LinksLost, 3},
    LinkRow{peers::Count::LostReplaced, Family::LinksLost, 4},
    LinkRow{peers::Count::LostUnwanted, Family::LinksLost, 5},
    LinkRow{peers::Count::RefusedGarbage, Family::LinksRefused, 0},
    LinkRow{peers::Count::RefusedSecret, Family::LinksRefused, 1},
    LinkRow{peers::Count::RefusedUnknown, Family::LinksRefused, 2},
    LinkRow{peers::Count::RefusedSlow, Family::LinksRefused, 3},
    LinkRow{peers::Count::RefusedCrowd, Family::LinksRefused, 4},
    LinkRow{peers::Count::RefusedByPeer, Family::LinksRefused, 5},
    LinkRow{peers::Count::Unreachable, Family::LinksRefused, 6},
    LinkRow{peers::Count::WordsIn, Family::LinkWords, 0},
    LinkRow{peers::Count::WordsOut, Family::LinkWords, 1},
    LinkRow{peers::Count::WordsUnsent, Family::LinkWords, 2},
    LinkRow{peers::Count::BytesIn, Family::LinkBytes, 0},
    LinkRow{peers::Count::BytesOut, Family::LinkBytes, 1},
};
template <class Rows>
constexpr bool in_order(const Rows& table) {
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (static_cast<std::size_t>(table[i].count) != i) return false;
  }
  return true;
}
static_assert(rows.size() == enum_count<Count> && in_order(rows),
              "every Count is exported, in enum order");
static_assert(link_rows.size() == enum_count<peers::Count> && in_order(link_rows),
              "every Count of the links, too");

constexpr double seconds(Micros us) { return static_cast<double>(us) * 1e-6; }

}  // namespace

Exported::Exported(host::Metrics& metrics)
    : counters_(metrics, counter_rows),
      levels_(metrics, level_rows),
      spreads_(metrics, spread_rows) {}

template <class Label>
void Exported::grow(Family family, Label label, std::uint64_t& shown, std::uint64_t total) {
  counters_.add_labelled(family, label, total - shown);
  shown = total;
}

void Exported::on_tick(Micros duration_us, Micros cpu_us) {
  spreads_.observe(Spread::Tick, seconds(duration_us));
  spreads_.observe(Spread::TickCpu, seconds(cpu_us));
}

void Exported::on_phase(TickPhase phase, Micros duration_us) {
  spreads_.observe_labelled(Spread::Phase, phase, seconds(duration_us));
}

void Exported::on_transits(const Transits& transits_s) {
  for (const float transit_s : transits_s)
    spreads_.observe(Spread::FabricTransit, double{transit_s});
}

void Exported::on_waits(const Waits& waits_s) {
  for (const float wait_s : waits_s) spreads_.observe(Spread::InputWait, double{wait_s});
}

void Exported::show(const Core& core, const EntityRoles& entities) {
  for (const Row& row : rows) {
    grow(row.family, row.label, shown_.counts[static_cast<std::size_t>(row.count)],
         core.counts()[row.count]);
  }
  const replication::Publisher::Counters& publisher = core.publisher().counters();
  grow(Family::Blocks, 0, shown_.publisher.blocks, publisher.blocks);
  grow(Family::BlockBytes, 0, shown_.publisher.bytes, publisher.bytes);
  grow(Family::RecordsOverLimit, 0, shown_.publisher.records_over_limit,
       publisher.records_over_limit);
  grow(Family::KnownFull, 0, shown_.publisher.known_full, publisher.known_full);
  grow(Family::EventsDeferred, 1, shown_.publisher.events_deferred, publisher.events_deferred);
  for (std::size_t ring = 0; ring < interest_rings; ++ring) {
    grow(Family::Records, ring, shown_.publisher.records_by_ring[ring],
         publisher.records_by_ring[ring]);
  }
  const TickSummary summary = core.summary();
  levels_.set(Level::Players, summary.players);
  levels_.set(Level::Observers, summary.observers);
  levels_.set(Level::BuddyState, core.in_sync() ? 1 : 0);
  levels_.set(Level::LettersOpen, static_cast<double>(core.letters_open()));
  levels_.set_labelled(Level::Entities, 0, entities.owned);
  levels_.set_labelled(Level::Entities, 1, entities.ghosts);
}

void Exported::show(const TickMeter& meter) {
  counters_.follow(Family::Overruns, meter.overruns());
  counters_.follow(Family::LateStarts, meter.late_starts());
}

void Exported::show(const TickBudget& budget) {
  for (std::size_t phase = 0; phase < TickBudget::phases; ++phase) {
    counters_.follow_labelled(Family::PhasesOver, phase,
                              budget.over(static_cast<TickPhase>(phase)));
  }
  levels_.set(Level::GiveWayStep, budget.step());
  levels_.set(Level::OverloadRung, static_cast<double>(budget.rung()));
}

void Exported::show_rate(double rate) { levels_.set(Level::TimeRate, rate); }
void Exported::show_island(double seconds) { levels_.set(Level::LargestIsland, seconds); }

void Exported::show(const host::UdpCounts& fabric) {
  counters_.follow_labelled(Family::FabricDatagrams, 0, fabric.received_datagrams);
  counters_.follow_labelled(Family::FabricDatagrams, 1, fabric.sent_datagrams);
  counters_.follow_labelled(Family::FabricBytes, 0, fabric.received_bytes);
  counters_.follow_labelled(Family::FabricBytes, 1, fabric.sent_bytes);
  std::size_t label = 0;
  for (const std::uint64_t lost : {fabric.kernel_dropped, fabric.received_oversized,
                                   fabric.send_queue_full, fabric.send_failed}) {
    counters_.follow_labelled(Family::SocketLosses, label++, lost);
  }
}

void Exported::show(const peers::Core& links) {
  for (const LinkRow& row : link_rows) {
    counters_.follow_labelled(row.family, row.label, links.counts()[row.count]);
  }
  levels_.set_labelled(Level::Links, 0, static_cast<double>(links.links()));
  levels_.set_labelled(Level::Links, 1, static_cast<double>(links.neighbours() - links.links()));
}

void Exported::show(std::span<const GroupInDoubt> doubts) {
  levels_.set(Level::GroupsInDoubt, static_cast<double>(doubts.size()));
  const double oldest_s = doubts.empty() ? 0 : doubts.front().for_ticks * seconds_per_tick;
  levels_.set(Level::OldestDoubt, oldest_s);
}

void Exported::show(const flight_log::FlightLog& recordings) {
  counters_.follow_labelled(Family::FlightRecordings, 0, recordings.written());
  counters_.follow_labelled(Family::FlightRecordings, 1, recordings.lost());
}

void Exported::show(const StoreThread::Status& store, std::optional<double> age_s,
                    std::size_t waiting) {
  counters_.follow_labelled(Family::StoreOutcomes, 2, store.rows_stored);
  counters_.follow_labelled(Family::StoreOutcomes, 3, store.rows_dropped);
  counters_.follow_labelled(Family::StoreCuts, 1, store.parts_written);
  counters_.follow_labelled(Family::StoreCuts, 2, store.parts_dropped);
  for (std::size_t kind = 0; kind < store_faults.size(); ++kind) {
    counters_.follow_labelled(Family::StoreFaults, kind,
                              store.faults[static_cast<world_store::StoreFault>(kind)]);
  }
  for (const Micros us : store.parts_us) spreads_.observe(Spread::StorePart, seconds(us));
  levels_.set(Level::StoreRowsWaiting, static_cast<double>(std::max(store.rows_waiting, waiting)));
  levels_.set(Level::StoreCutAge, age_s.value_or(0));
  levels_.set(Level::StoreBehind, store.behind ? 1 : 0);
}

void Exported::show_tick_lag(Micros lag_us) { levels_.set(Level::TickLag, seconds(lag_us)); }
void Exported::show_clock_error(Micros error_us) {
  levels_.set(Level::ClockError, seconds(error_us));
}

void Exported::flush() {
  counters_.flush();
  spreads_.flush();
}

}  // namespace perigee::worker
