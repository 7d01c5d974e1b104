/// What a worker counts; the shell exports it.
#pragma once

#include <array>
#include <cstdint>

#include "perigee/netcode/counts.hpp"

namespace perigee::worker {

enum class Count : std::uint8_t {
  Ticks,
  InputsApplied,
  InputsGuessed,
  InputsLate,
  InputsEdgesKept,
  InputsTooLate,
  InputsTooEarly,
  InputsDuplicate,
  InputsOldEpoch,
  TechniqueSwitches,
  RollbackTicks,
  SpeculativeStates,
  ParentSwitches,
  HardResets,
  DropMalformed,
  DropWrongIncarnation,
  DropUnknownSender,
  DropUnknownSession,
  DropUnknownFrame,
  JoinsRefused,
  PlayersResumed,
  EventsDeferred,
  BlocksOversized,
  OutcomesCommitted,
  VerdictsChanged,
  ViewsClamped,
  JournalEntries,
  GameEventsLost,
  Respawns,
  FlightsRefused,
  last = FlightsRefused
};

inline constexpr std::array count_rows = {
    CountRow<Count>{Count::Ticks, "ticks", "Ticks simulated."},
    CountRow<Count>{Count::InputsApplied, "inputs_applied", "Player ticks run with a real input."},
    CountRow<Count>{Count::InputsGuessed, "inputs_guessed", "Player ticks run with a guess."},
    CountRow<Count>{Count::InputsLate, "inputs_late", "Came after their tick, inside the window."},
    CountRow<Count>{Count::InputsEdgesKept, "inputs_edges_kept",
                    "Late and void, but for what was pressed in them."},
    CountRow<Count>{Count::InputsTooLate, "inputs_too_late", "Came after the window: void."},
    CountRow<Count>{Count::InputsTooEarly, "inputs_too_early", "More than 1 s ahead: refused."},
    CountRow<Count>{Count::InputsDuplicate, "inputs_duplicate", "Already filed; redundancy."},
    CountRow<Count>{Count::InputsOldEpoch, "inputs_old_epoch", "From before a hard reset: void."},
    CountRow<Count>{Count::TechniqueSwitches, "technique_switches",
                    "Players whose client asked for another timeline, rollback or frame."},
    CountRow<Count>{Count::RollbackTicks, "rollback_ticks", "Actor ticks re-simulated."},
    CountRow<Count>{Count::SpeculativeStates, "speculative_states",
                    "Own states sent that could still change."},
    CountRow<Count>{Count::ParentSwitches, "parent_switches", "Announced changes of parent."},
    CountRow<Count>{Count::HardResets, "hard_resets", "Clients that were told to start anew."},
    CountRow<Count>{Count::DropMalformed, "drop_malformed", "Fabric bytes that are no record."},
    CountRow<Count>{Count::DropWrongIncarnation, "drop_wrong_incarnation",
                    "From another life of the cluster."},
    CountRow<Count>{Count::DropUnknownSender, "drop_unknown_sender", "Not in the cluster map."},
    CountRow<Count>{Count::DropUnknownSession, "drop_unknown_session", "No such player here."},
    CountRow<Count>{Count::DropUnknownFrame, "drop_unknown_frame", "Client bytes of no kind."},
    CountRow<Count>{Count::JoinsRefused, "joins_refused",
                    "Full, not the owner, not ready, or older."},
    CountRow<Count>{Count::PlayersResumed, "players_resumed",
                    "Clients that came back to their avatar."},
    CountRow<Count>{Count::EventsDeferred, "events_deferred", "Event windows found full."},
    CountRow<Count>{Count::BlocksOversized, "blocks_oversized", "Larger than a datagram: a bug."},
    CountRow<Count>{Count::OutcomesCommitted, "outcomes_committed",
                    "Shots and the like whose tick was beyond dispute."},
    CountRow<Count>{Count::VerdictsChanged, "verdicts_changed",
                    "Players told otherwise than at first."},
    CountRow<Count>{Count::ViewsClamped, "views_clamped",
                    "Judged by a newer view than the player had: its link is too slow."},
    CountRow<Count>{Count::JournalEntries, "journal_entries", "Written down for good."},
    CountRow<Count>{Count::GameEventsLost, "game_events_lost",
                    "Not heard by an actor: it has left, or heard too much in one tick."},
    CountRow<Count>{Count::Respawns, "respawns", "Actors that began anew."},
    CountRow<Count>{Count::FlightsRefused, "flights_refused", "Arrows that found the air full."},
};
static_assert(one_row_each(count_rows), "give every Count one row, in enum order");

}  // namespace perigee::worker
