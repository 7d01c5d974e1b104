/// What owners of regions say to each other about a group. Any of it may be lost, doubled, late or
/// out of order. Addressed to a region: who owns it by then answers.
#pragma once

#include <vector>

#include "perigee/handoff/ledger.hpp"

namespace perigee::handoff {

enum class MessageKind : std::uint8_t {
  Prepare,  ///< wants to move the group, with its first tick there at `effect`
  Ready,    ///< all that is needed is there
  Final,    ///< its state at the start of `effect`; the sender has stopped
  Ask,      ///< was the attempt taken? (who was promoted has no FINAL to send again)
  Taken,    ///< it was: the sender may forget the group
  Refused,  ///< it never will be: the receiver goes on with it
  Census,   ///< the sender restores `from` and asks for all that is known of the group
  Known     ///< the answer: place, gver, and for where it left
};

template <class Traits>
struct Message {
  MessageKind kind{};
  RegionId from = 0, to = 0;
  Epoch epoch = 0;  ///< of the sender
  Epoch asked = 0;  ///< Known: of the sender of Census
  GroupId group = 0;
  Gver gver = 0;
  Tick effect;
  std::uint16_t players = 0, things = 0;  ///< Prepare: whom and what it needs room for
  Place place = Place::Elsewhere;         ///< Known
  RegionId left_for = 0;                  ///< Known: not here
  typename Traits::State state{};
  /// Final: not journalled yet. Refused: what lost owners have journalled about the group. Known:
  /// not journalled yet when it left.
  std::vector<typename Traits::Outcome> outcomes;
};

}  // namespace perigee::handoff
