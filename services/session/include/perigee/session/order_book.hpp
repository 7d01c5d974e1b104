/// Orders of techniques whose givers wait: whom they concern, and what clients have answered. Plain
/// bookkeeping; the caller tells gateways and minds the time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "perigee/netcode/tick.hpp"
#include "perigee/session/store.hpp"

namespace perigee::session {

enum class OrderRefusal : std::uint8_t {
  BadSettings,   ///< no such technique, or not what it may be
  NoSession,     ///< nobody of that name or id is in a session
  NotConnected,  ///< in a session, but nobody plays
  NoGateway,     ///< nobody would hear it
  TooMany,       ///< orders that wait
  StoreFailed,
  last = StoreFailed
};
struct OrderRefused {
  OrderRefusal reason{};
  std::string sentence;  ///< for the operator, with the remedy
};

/// What one client uses, in its own words; empty until it has answered.
struct TechniquesInUse {
  std::uint64_t client_id = 0;
  std::string player_name;
  std::string techniques;
};

class OrderBook {
 public:
  static constexpr std::size_t open_max = 16;  ///< each holds a thread for up to 3 s
  static constexpr std::size_t text_bytes_max = 1'024;

  /// An order to those of `sessions` who play. Its id: grows from call to call, and across restarts
  /// as long as the clock does.
  std::variant<std::uint64_t, OrderRefused> open(Micros now_us,
                                                 const std::vector<Session>& sessions);
  std::vector<std::uint64_t> clients(std::uint64_t order) const;
  /// A client has heard `order`, and with it all orders to it before.
  void answered(std::uint64_t order, std::uint64_t client_id, std::string_view techniques);
  bool complete(std::uint64_t order) const;
  /// Whatever has been answered by now; the order is forgotten.
  std::vector<TechniquesInUse> close(std::uint64_t order);

 private:
  struct Open {
    std::uint64_t order = 0;
    std::vector<TechniquesInUse> players;
    std::size_t unanswered = 0;
  };
  std::vector<Open> open_;
  std::uint64_t last_ = 0;
};

/// Why these settings are no order; none if they are one.
std::optional<OrderRefused> refuse_settings(std::string_view settings);

}  // namespace perigee::session
