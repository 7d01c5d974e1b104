/// Plays of the stage: a session of today's client and server, to be recorded, and each recorded
/// half with today's other half.
#pragma once

#include <optional>
#include <string>

#include "perigee/base/wire_client.hpp"
#include "recorded_session.hpp"

namespace perigee::recorded {

struct Version {
  int major = 0, minor = 0;
};

/// The result of a play with a recorded half of a session.
struct Outcome {
  double worst_m = 0;      ///< between the places of then and of now
  std::size_t places = 0;  ///< compared
  std::uint32_t laps = 0;
  std::size_t messages = 0;
  std::uint64_t corrections = 0;
  std::string name_of_bea;
  std::optional<AcknowledgeFrame> acknowledged;  ///< the last one of today's client
};

/// The last acknowledgement in payloads of a client.
std::optional<AcknowledgeFrame> last_acknowledged(const std::vector<Sent>& up);

/// A session of today's client and server, with a lost datagram now and then.
Session record(const Version& version);
/// The recorded client with today's server.
Outcome play_client(const Session& session);
/// Today's client with the recorded server.
Outcome play_server(const Session& session);

}  // namespace perigee::recorded
