/// The steps of a migration, as workers tell them and traces show them.
#pragma once

#include <cstdint>

namespace perigee {

/// A step of a group's migration, at either worker. Repeated messages repeat their step.
enum class MigrationStep : std::uint8_t {
  Offered,   ///< at the sender: the receiver is asked
  Left,      ///< at the sender: the group's state is sent, and not simulated here any more
  Settled,   ///< at the sender: the receiver has it
  Refused,   ///< at either one: the group stays at its sender
  Promised,  ///< at the receiver: it has room
  Received,  ///< at the receiver: it has the group durably, and simulates it
  last = Received
};

}  // namespace perigee
