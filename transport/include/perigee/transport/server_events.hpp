/// Events of the clients of a server, kept until its owner takes them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "perigee/base/address.hpp"
#include "perigee/base/assert.hpp"
#include "perigee/transport/constants.hpp"

namespace perigee::transport {

enum class DisconnectReason : std::uint8_t { ByClient, TimedOut, Replaced, ByServer };

struct ServerEvent {
  enum class Kind : std::uint8_t { Connected, Disconnected, Moved };
  Kind kind = Kind::Connected;
  std::uint32_t slot = 0;
  std::uint64_t client_id = 0;
  Address address;                                       ///< of Moved: the new address
  DisconnectReason reason = DisconnectReason::ByClient;  ///< of Disconnected
  UserData user_data{};                                  ///< of Connected
};

class ServerEvents {
 public:
  explicit ServerEvents(std::uint32_t clients_max) { events_.reserve(2 * clients_max + 2); }

  void push(const ServerEvent& event) {
    PERIGEE_ASSERT(events_.size() < events_.capacity(),
                   "too many events: call take_event() until empty after each call");
    events_.push_back(event);
  }
  /// The oldest event; none: all were taken.
  std::optional<ServerEvent> take() {
    if (taken_ < events_.size()) return events_[taken_++];
    events_.clear();
    taken_ = 0;
    return std::nullopt;
  }

 private:
  std::vector<ServerEvent> events_;  ///< never grows beyond its capacity
  std::size_t taken_ = 0;
};

}  // namespace perigee::transport
