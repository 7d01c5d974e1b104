/// The metric and label of each counter.
#pragma once

#include <array>

#include "exported.hpp"

namespace perigee::worker {

/// The metric of a counter of the core.
struct Row {
  Count count;
  Family family;
  std::size_t label;
};
inline constexpr std::array rows{
    Row{Count::Ticks, Family::Ticks, 0},
    Row{Count::InputsApplied, Family::Inputs, 0},
    Row{Count::InputsGuessed, Family::Inputs, 1},
    Row{Count::InputsLate, Family::Inputs, 2},
    Row{Count::InputsEdgesKept, Family::Inputs, 3},
    Row{Count::InputsTooLate, Family::Inputs, 4},
    Row{Count::InputsTooLateMoved, Family::Inputs, 5},
    Row{Count::InputsTooEarly, Family::Inputs, 6},
    Row{Count::InputsDuplicate, Family::Inputs, 7},
    Row{Count::InputsOldEpoch, Family::Inputs, 8},
    Row{Count::InputsRefused, Family::Inputs, 9},
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
    Row{Count::LateTicksKeptAsDrawn, Family::LateTicksKeptAsDrawn, 0},
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
    Row{Count::OutcomesDropped, Family::StoreOutcomes, 3},
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
    Row{Count::PlayersNotInherited, Family::Inherited, 3},
    Row{Count::LettersSent, Family::Letters, 0},
    Row{Count::LettersRead, Family::Letters, 1},
    Row{Count::LettersReturned, Family::Letters, 2},
    Row{Count::LettersRefused, Family::Letters, 3},
    Row{Count::LettersLost, Family::Letters, 4},
    Row{Count::SightsAsked, Family::Sights, 0},
    Row{Count::SightsUnanswered, Family::Sights, 1},
    Row{Count::SightsRefused, Family::Sights, 2},
    Row{Count::GameValuesRefused, Family::GameValuesRefused, 0},
};
/// The metric of a counter of the links.
struct LinkRow {
  peers::Count count;
  Family family;
  std::size_t label;
};
inline constexpr std::array link_rows{
    LinkRow{peers::Count::Linked, Family::LinksMade, 0},
    LinkRow{peers::Count::LostClosed, Family::LinksLost, 0},
    LinkRow{peers::Count::LostSilent, Family::LinksLost, 1},
    LinkRow{peers::Count::LostOverflow, Family::LinksLost, 2},
    LinkRow{peers::Count::LostBroken, Family::LinksLost, 3},
    LinkRow{peers::Count::LostReplaced, Family::LinksLost, 4},
    LinkRow{peers::Count::LostUnwanted, Family::LinksLost, 5},
    LinkRow{peers::Count::RefusedGarbage, Family::LinksRefused, 0},
    LinkRow{peers::Count::RefusedVersion, Family::LinksRefused, 7},
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

}  // namespace perigee::worker
