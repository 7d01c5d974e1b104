/// Messages between owners of regions about a group. Any message may be lost, duplicated, late or
/// out of order. It is addressed to a region; the present owner answers.
#pragma once

#include "perigee/migration/ledger.hpp"

namespace perigee::migration {

enum class MessageKind : std::uint8_t {
  Prepare,  ///< requests to move the group; its first tick at the receiver is `effect`
  Ready,    ///< the receiver can accept it
  Final,    ///< the group's state at the start of `effect`; the sender has stopped simulating it
  /// Asks whether the attempt was accepted (a promoted standby has no FINAL to send again).
  Ask,
  Taken,   ///< the attempt was accepted: the sender may forget the group
  Refused  ///< the attempt will never be accepted: the group continues at its sender
};

template <class Traits>
struct Message {
  MessageKind kind{};
  RegionId from = 0, to = 0;
  Epoch epoch = 0;  ///< the sender's epoch
  GroupId group = 0;
  Gver gver = 0;
  Tick effect;
  std::uint16_t players = 0, things = 0;  ///< Prepare: the room that the group needs
  typename Traits::State state{};         ///< Final
};

}  // namespace perigee::migration
